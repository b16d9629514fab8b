// The history bytes behind GameState: a header for the start position, then one entry per ply.
// Internal to libs/rules. Little-endian; the layout is fixed, since games in progress are stored.
//
// header (16): 0 magic, 1 version, 2 variant, 3 side to move, 4-7 key, 8-9 plies before the start,
//   10-11 quiet plies at the start, 12-13 credit of First and Second, 14 verdict, 15 zero
// entry (8): 0-3 low half of the key after the move, 4-5 move, 6 captured kind and whether the move
//   gave check (bit 4), 7 verdict
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libs/rules/position.h"
#include "libs/rules/verdict.h"

namespace komadai::rules {

inline constexpr std::size_t kHeaderBytes = 16;
inline constexpr std::size_t kEntryBytes = 8;

struct HistoryHeader {
  Variant variant = Variant::kShogi;
  Side side_to_move = Side::kFirst;
  std::uint32_t key = 0;
  int plies_before = 0;
  int quiet_plies = 0;
  std::array<int, 2> credit{};
  Verdict verdict;
};

struct HistoryEntry {
  std::uint32_t key = 0;
  Move move;
  Kind captured = Kind::kNone;
  bool check = false;
  Verdict verdict;
};

std::string EncodeHeader(const HistoryHeader& header);
void AppendEntry(std::string& history, Variant variant, const HistoryEntry& entry);
// Of the last entry.
void SetLastVerdict(std::string& history, const Verdict& verdict);

// Reads history bytes in place. Only Valid() ones may be asked anything else.
class HistoryView {
 public:
  explicit HistoryView(std::string_view bytes) : bytes_(bytes) {}

  // Sizes, header and last verdict. Entries are checked when somebody walks back over them.
  bool Valid() const;
  int plies() const { return static_cast<int>((bytes_.size() - kHeaderBytes) / kEntryBytes); }
  HistoryHeader header() const;
  // The entry of a ply, from 0. Its verdict is meaningless unless it is the last one's.
  HistoryEntry entry(int ply) const;
  // Half a key: after `plies` plies, 0 being the start position.
  std::uint32_t KeyAfter(int plies) const;
  // The first position with the half key and the side to move of the last one; the last one itself
  // if there is no earlier. The only loop over a whole game, so it compares words and nothing else.
  int FirstPlyWithLastKey() const;
  bool CheckedAt(int ply) const;
  Kind CapturedAt(int ply) const;
  // Plies without a capture after `plies` plies.
  int QuietPliesAfter(int plies) const;
  Verdict last_verdict() const;

 private:
  std::uint8_t Byte(std::size_t at) const { return static_cast<std::uint8_t>(bytes_[at]); }
  std::uint32_t Word(std::size_t at) const;
  std::size_t EntryAt(int ply) const {
    return kHeaderBytes + kEntryBytes * static_cast<std::size_t>(ply);
  }

  std::string_view bytes_;
};

}  // namespace komadai::rules
