// Seek: what becomes of a player's wish for a game. Pure.
//
//   waiting -> offered    an opponent is found, and one of the two wants to accept first
//   waiting -> paired     an opponent is found, and neither wants that; or the computer stands in
//   waiting -> cancelled  by the player
//   waiting -> expired    nobody watches it
//   offered -> paired     both have accepted
//   offered -> cancelled  this player declines; the other's seek is waiting again
//   offered -> expired    this player has not answered in time; the other's is waiting again
//   paired  -> matched    the game exists
//   paired  -> waiting    there will be no game, and this player is not to blame
//   paired  -> cancelled  the game was refused because of this player, or for good
//
// A matched, cancelled or expired seek never changes again. A transition is a function from seeks
// to seeks; nullopt means that their states do not allow it. The shell commits what it returns on
// condition that no seek has changed meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libs/base/side.h"
#include "libs/base/time.h"

namespace komadai::matchmaking {

// How long an offered opponent can be answered.
inline constexpr Millis kAnswerTime{20'000};

// Same numbers as komadai.matchmaking.v1.SeekState.
enum class SeekState : std::uint8_t {
  kUnspecified = 0,  // of a seek that does not exist
  kWaiting = 1,
  kPaired = 2,
  kMatched = 3,
  kCancelled = 4,
  kExpired = 5,
  kOffered = 6
};

struct Seek {
  std::string seek_id;
  bool confirm = false;  // the player wants to accept the opponent first
  SeekState state = SeekState::kWaiting;
  // The pair it belongs to. The match id outlives the pair when the seek ends there, so that a
  // repeated answer is recognised.
  std::string match_id = {};
  std::string other_seek_id = {};  // empty: the opponent is the computer
  std::optional<Side> side = {};
  TimePoint paired_at{};
  // Of an offer.
  TimePoint answer_by{};
  bool accepted = false;  // or need not be asked
  std::string game_id = {};
  std::string refused = {};  // the reason the game was refused with

  friend bool operator==(const Seek&, const Seek&) = default;
};

struct SeekPair {
  Seek own;
  Seek other;
};

// Waiting, offered or paired: its player cannot have another one.
bool IsOpen(SeekState state);
// Offered, paired or matched.
bool HasOpponent(SeekState state);

// Two waiting seeks become a pair. It is offered if either of them wants to confirm.
std::optional<SeekPair> MakePair(const Seek& own, const Seek& other, const std::string& match_id,
                                 Side own_side, TimePoint now);
// The computer stands in. It is never offered: the player has asked for it.
std::optional<Seek> PairWithComputer(const Seek& seek, const std::string& match_id, Side side,
                                     TimePoint now);

// The player leaves the queue. An offered seek leaves by DeclineOffer(), a paired one cannot.
std::optional<Seek> CancelSeek(const Seek& seek);
// Nobody watches it.
std::optional<Seek> ExpireSeek(const Seek& seek);

// What an answer to an offer means for a seek.
enum class AnswerIs : std::uint8_t {
  kNew,     // accept or decline
  kRepeat,  // it was given before: nothing changes
  kTooLate  // there is no such offer, or it has passed
};
AnswerIs ClassifyAnswer(const Seek& seek, const std::string& match_id, bool accept, TimePoint now);
// The second to accept makes both paired, since `now`.
std::optional<SeekPair> AcceptOffer(const Seek& own, const Seek& other, TimePoint now);
// `own` is cancelled, `other` waits again.
std::optional<SeekPair> DeclineOffer(const Seek& own, const Seek& other);
// The time to answer has passed: a seek that was accepted waits again, another expires.
std::optional<Seek> EndOffer(const Seek& seek, TimePoint now);

// What the game service answered for the pair `match_id`. nullopt also if the seek is no longer in
// that pair.
std::optional<Seek> BeginGame(const Seek& seek, const std::string& match_id,
                              const std::string& game_id);
std::optional<Seek> ReturnToQueue(const Seek& seek, const std::string& match_id);
std::optional<Seek> RefuseGame(const Seek& seek, const std::string& match_id,
                               const std::string& reason);

}  // namespace komadai::matchmaking
