// Caller: who a call comes from, as its bearer token says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace komadai::rpc {

enum class CallerKind : std::uint8_t {
  kAnonymous,  // no token
  kGuest,      // a nickname; casual games only
  kPlayer,     // a verified account
  kBot,        // a program with an account
  kService,    // another service of ours
  kAdmin,      // an operator
};

std::string_view KindName(CallerKind kind);  // "guest" etc., as in the token's `kind` claim
std::optional<CallerKind> ParseKind(std::string_view name);

struct Caller {
  CallerKind kind = CallerKind::kAnonymous;
  std::string id;    // the player's id, or "komadai-game" for a service; empty if anonymous
  std::string name;  // display name, may be empty

  bool IsPerson() const {  // may own seats in games
    return kind == CallerKind::kGuest || kind == CallerKind::kPlayer || kind == CallerKind::kBot;
  }
  bool IsService() const { return kind == CallerKind::kService; }
};

// A set of caller kinds that may call a method.
class CallerSet {
 public:
  constexpr CallerSet() = default;
  constexpr CallerSet(CallerKind kind) : bits_(Bit(kind)) {}  // implicit: a set of one
  constexpr bool Contains(CallerKind kind) const { return (bits_ & Bit(kind)) != 0; }
  friend constexpr bool operator==(CallerSet a, CallerSet b) = default;
  friend constexpr CallerSet operator|(CallerSet a, CallerSet b) {
    CallerSet both;
    both.bits_ = static_cast<std::uint8_t>(a.bits_ | b.bits_);
    return both;
  }

 private:
  static constexpr std::uint8_t Bit(CallerKind kind) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind));
  }
  std::uint8_t bits_ = 0;
};

inline constexpr CallerSet kServices = CallerSet(CallerKind::kService) | CallerKind::kAdmin;
inline constexpr CallerSet kVerified = CallerSet(CallerKind::kPlayer) | CallerKind::kBot;
inline constexpr CallerSet kPersons = kVerified | CallerKind::kGuest;
inline constexpr CallerSet kAuthenticated = kPersons | kServices;
inline constexpr CallerSet kAnyone = kAuthenticated | CallerKind::kAnonymous;

}  // namespace komadai::rpc
