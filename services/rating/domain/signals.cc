#include "services/rating/domain/signals.h"

namespace komadai::rating {
namespace {

constexpr SignalKind kKinds[] = {SignalKind::kEarlyLoss, SignalKind::kUpset,
                                 SignalKind::kRepeatedPair};

}  // namespace

std::string_view SignalName(SignalKind kind) {
  switch (kind) {
    case SignalKind::kEarlyLoss:
      return "early_loss";
    case SignalKind::kUpset:
      return "upset";
    case SignalKind::kRepeatedPair:
      return "repeated_pair";
  }
  return "";
}

std::optional<SignalKind> FindSignal(std::string_view name) {
  for (const SignalKind kind : kKinds) {
    if (SignalName(kind) == name) return kind;
  }
  return std::nullopt;
}

std::vector<RatingSignal> SignalsOf(const RatedGame& game, const Standing& first,
                                    const Standing& second, const RatedPair& rated,
                                    bool pair_exhausted) {
  std::vector<RatingSignal> signals;
  const auto note = [&](SignalKind kind, const RatingChange& change) {
    RatingSignal signal;
    signal.kind = kind;
    signal.game_id = game.id;
    signal.variant = game.variant;
    signal.player_id = change.player_id;
    signal.opponent_id = change.opponent_id;
    signal.at = game.ended_at;
    signals.push_back(std::move(signal));
  };
  const struct {
    const Standing& before;
    const RatingChange& change;
  } sides[] = {{first, rated.first_change}, {second, rated.second_change}};
  for (const auto& side : sides) {
    const bool lost = side.change.side.score == elo::kLoss;
    if (lost && game.conceded && game.plies < kEarlyPlies) {
      note(SignalKind::kEarlyLoss, side.change);
    }
    if (lost && side.before.ranked() && side.change.side.expected >= kUpsetExpectation) {
      note(SignalKind::kUpset, side.change);
    }
    if (pair_exhausted) note(SignalKind::kRepeatedPair, side.change);
  }
  return signals;
}

}  // namespace komadai::rating
