#include "services/matchmaking/domain/seek.h"

namespace komadai::matchmaking {
namespace {

// As if no opponent had been found.
Seek BackInQueue(const Seek& seek) {
  Seek waiting;
  waiting.seek_id = seek.seek_id;
  waiting.confirm = seek.confirm;
  return waiting;
}

// Ends the seek and forgets its pair.
Seek Closed(const Seek& seek, SeekState state) {
  Seek closed = seek;
  closed.state = state;
  closed.other_seek_id.clear();
  closed.paired_at = {};
  return closed;
}

Seek Paired(const Seek& seek, const std::string& match_id, const std::string& other_seek_id,
            Side side, TimePoint now) {
  Seek paired = seek;
  paired.state = SeekState::kPaired;
  paired.match_id = match_id;
  paired.other_seek_id = other_seek_id;
  paired.side = side;
  paired.paired_at = now;
  return paired;
}

Seek Offered(Seek paired) {
  paired.state = SeekState::kOffered;
  paired.answer_by = paired.paired_at + kAnswerTime;
  paired.accepted = !paired.confirm;
  return paired;
}

// Whether the two are offered to each other.
bool AreOffered(const Seek& own, const Seek& other) {
  return own.state == SeekState::kOffered && other.state == SeekState::kOffered &&
         own.match_id == other.match_id && own.seek_id != other.seek_id;
}

bool IsPairOf(const Seek& seek, const std::string& match_id) {
  return seek.state == SeekState::kPaired && seek.match_id == match_id;
}

}  // namespace

bool IsOpen(SeekState state) {
  return state == SeekState::kWaiting || state == SeekState::kOffered ||
         state == SeekState::kPaired;
}

bool HasOpponent(SeekState state) {
  return state == SeekState::kOffered || state == SeekState::kPaired ||
         state == SeekState::kMatched;
}

std::optional<SeekPair> MakePair(const Seek& own, const Seek& other, const std::string& match_id,
                                 Side own_side, TimePoint now) {
  if (own.state != SeekState::kWaiting || other.state != SeekState::kWaiting) return std::nullopt;
  if (own.seek_id == other.seek_id) return std::nullopt;
  SeekPair pair{Paired(own, match_id, other.seek_id, own_side, now),
                Paired(other, match_id, own.seek_id, Opponent(own_side), now)};
  if (own.confirm || other.confirm) pair = {Offered(pair.own), Offered(pair.other)};
  return pair;
}

std::optional<Seek> PairWithComputer(const Seek& seek, const std::string& match_id, Side side,
                                     TimePoint now) {
  if (seek.state != SeekState::kWaiting) return std::nullopt;
  return Paired(seek, match_id, "", side, now);
}

std::optional<Seek> CancelSeek(const Seek& seek) {
  if (seek.state != SeekState::kWaiting) return std::nullopt;
  return Closed(seek, SeekState::kCancelled);
}

std::optional<Seek> ExpireSeek(const Seek& seek) {
  if (seek.state != SeekState::kWaiting) return std::nullopt;
  return Closed(seek, SeekState::kExpired);
}

AnswerIs ClassifyAnswer(const Seek& seek, const std::string& match_id, bool accept, TimePoint now) {
  if (match_id.empty() || seek.match_id != match_id) return AnswerIs::kTooLate;
  switch (seek.state) {
    case SeekState::kOffered:
      if (now >= seek.answer_by) return AnswerIs::kTooLate;
      return accept && seek.accepted ? AnswerIs::kRepeat : AnswerIs::kNew;
    case SeekState::kPaired:
    case SeekState::kMatched:
      return accept ? AnswerIs::kRepeat : AnswerIs::kTooLate;
    case SeekState::kCancelled:
      return accept ? AnswerIs::kTooLate : AnswerIs::kRepeat;
    default:
      return AnswerIs::kTooLate;
  }
}

std::optional<SeekPair> AcceptOffer(const Seek& own, const Seek& other, TimePoint now) {
  if (!AreOffered(own, other)) return std::nullopt;
  SeekPair pair{own, other};
  pair.own.accepted = true;
  if (!other.accepted) return pair;
  for (Seek* seek : {&pair.own, &pair.other}) {
    seek->state = SeekState::kPaired;
    seek->paired_at = now;
  }
  return pair;
}

std::optional<SeekPair> DeclineOffer(const Seek& own, const Seek& other) {
  if (!AreOffered(own, other)) return std::nullopt;
  return SeekPair{Closed(own, SeekState::kCancelled), BackInQueue(other)};
}

std::optional<Seek> EndOffer(const Seek& seek, TimePoint now) {
  if (seek.state != SeekState::kOffered || now < seek.answer_by) return std::nullopt;
  return seek.accepted ? BackInQueue(seek) : Closed(seek, SeekState::kExpired);
}

std::optional<Seek> BeginGame(const Seek& seek, const std::string& match_id,
                              const std::string& game_id) {
  if (!IsPairOf(seek, match_id)) return std::nullopt;
  Seek matched = seek;
  matched.state = SeekState::kMatched;
  matched.game_id = game_id;
  return matched;
}

std::optional<Seek> ReturnToQueue(const Seek& seek, const std::string& match_id) {
  if (!IsPairOf(seek, match_id)) return std::nullopt;
  return BackInQueue(seek);
}

std::optional<Seek> RefuseGame(const Seek& seek, const std::string& match_id,
                               const std::string& reason) {
  if (!IsPairOf(seek, match_id)) return std::nullopt;
  Seek refused = Closed(seek, SeekState::kCancelled);
  refused.refused = reason;
  return refused;
}

}  // namespace komadai::matchmaking
