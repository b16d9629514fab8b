#include "services/rating/convert.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "libs/convert/variant.h"
#include "libs/elo/handicap.h"
#include "libs/rpc/error.h"
#include "services/rating/errors.h"

namespace komadai::rating {
namespace {

bool IsId(const std::string& id) {
  return !id.empty() && id.size() <= kIdBytesMax &&
         std::all_of(id.begin(), id.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

std::optional<std::int64_t> ReadNumber(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Error InvalidToken() {
  return rpc::InvalidField(kInvalidPageToken, "page_token", "the page token is not one of ours");
}

std::optional<PlayerKind> AccountKindOf(common_pb::PlayerKind kind) {
  switch (kind) {
    case common_pb::PLAYER_KIND_PERSON:
      return PlayerKind::kPerson;
    case common_pb::PLAYER_KIND_BOT:
      return PlayerKind::kBot;
    default:
      return std::nullopt;
  }
}

// A side that can be rated; none for guests and the computer.
std::optional<Player> RatedPlayerOf(const common_pb::Player& player) {
  const std::optional<PlayerKind> kind = AccountKindOf(player.kind());
  if (!kind) return std::nullopt;
  Player rated;
  rated.id = player.player_id();
  rated.name = player.name();
  rated.kind = *kind;
  return rated;
}

std::optional<elo::Score> FirstScoreOf(common_pb::Outcome outcome) {
  switch (outcome) {
    case common_pb::OUTCOME_FIRST_WINS:
      return elo::kWin;
    case common_pb::OUTCOME_SECOND_WINS:
      return elo::kLoss;
    case common_pb::OUTCOME_DRAW:
      return elo::kDraw;
    default:
      return std::nullopt;
  }
}

pb::RatingSignalKind KindOf(SignalKind kind) {
  switch (kind) {
    case SignalKind::kEarlyLoss:
      return pb::RATING_SIGNAL_KIND_EARLY_LOSS;
    case SignalKind::kUpset:
      return pb::RATING_SIGNAL_KIND_UPSET;
    case SignalKind::kRepeatedPair:
      return pb::RATING_SIGNAL_KIND_REPEATED_PAIR;
  }
  return pb::RATING_SIGNAL_KIND_UNSPECIFIED;
}

// What a handicap is worth in this variant; the table knows shogi's only.
std::optional<double> RanksOf(rules::Variant variant, const std::string& handicap) {
  const bool even = handicap.empty() || handicap == "none";
  if (!even && variant != rules::Variant::kShogi) return std::nullopt;
  return elo::HandicapRanks(handicap);
}

}  // namespace

Status CheckPlayerId(const std::string& player_id, const char* field) {
  if (IsId(player_id)) return Status();
  return rpc::InvalidField(kInvalidPlayerId, field, "this is not a player id");
}

Result<std::int64_t> PageSizeOf(std::int32_t requested, std::int64_t standard, std::int64_t max) {
  if (requested < 0) {
    return rpc::InvalidField(kInvalidPageSize, "page_size", "the page size must not be negative");
  }
  if (requested == 0) return standard;
  return std::min<std::int64_t>(requested, max);
}

std::string ToToken(const RatingChange& last) { return std::to_string(last.number); }

Result<std::optional<std::int64_t>> HistoryCursorOf(const std::string& token) {
  if (token.empty()) return std::optional<std::int64_t>();
  const std::optional<std::int64_t> number = ReadNumber(token);
  if (!number || *number < 1) return InvalidToken();
  return number;
}

std::string ToToken(const LeaderboardEntry& last) {
  return std::to_string(last.standing.rating.milli_points) + "~" + last.player.id;
}

Result<std::optional<LeaderboardCursor>> LeaderboardCursorOf(const std::string& token) {
  if (token.empty()) return std::optional<LeaderboardCursor>();
  const std::size_t split = token.find('~');
  if (split == std::string::npos) return InvalidToken();
  const std::optional<std::int64_t> rating = ReadNumber(std::string_view(token).substr(0, split));
  LeaderboardCursor cursor;
  cursor.player_id = token.substr(split + 1);
  if (!rating || !IsId(cursor.player_id)) return InvalidToken();
  cursor.rating.milli_points = *rating;
  return std::optional<LeaderboardCursor>(std::move(cursor));
}

std::string ToToken(const RatingSignal& last) {
  return std::to_string(ToUnixMillis(last.at)) + "~" + std::string(SignalName(last.kind)) + "~" +
         last.game_id;
}

Result<std::optional<SignalCursor>> SignalCursorOf(const std::string& token) {
  if (token.empty()) return std::optional<SignalCursor>();
  const std::size_t first = token.find('~');
  const std::size_t second = first == std::string::npos ? first : token.find('~', first + 1);
  if (second == std::string::npos) return InvalidToken();
  const std::optional<std::int64_t> at = ReadNumber(std::string_view(token).substr(0, first));
  SignalCursor cursor;
  cursor.kind = token.substr(first + 1, second - first - 1);
  cursor.game_id = token.substr(second + 1);
  if (!at || !FindSignal(cursor.kind) || !IsId(cursor.game_id)) return InvalidToken();
  cursor.at = FromUnixMillis(*at);
  return std::optional<SignalCursor>(std::move(cursor));
}

Result<std::optional<RatedGame>> FromProto(const pb::ApplyResultRequest& request) {
  if (!IsId(request.game_id())) {
    return rpc::InvalidField(kInvalidGameId, "game_id", "this is not a game id");
  }
  const Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
  if (!variant) return variant.error();
  const std::optional<RatedGame> ignored;
  if (!request.rated()) return ignored;
  const common_pb::GameResult& result = request.result();
  if (result.outcome() == common_pb::OUTCOME_UNSPECIFIED) {
    return rpc::InvalidField(kInvalidResult, "result.outcome", "the game has no outcome");
  }
  // A side that never moved has not played: such games count as aborted, however they ended.
  const bool played = result.ending() != common_pb::ENDING_ABORTED && result.plies() >= 2;
  const std::optional<elo::Score> score = FirstScoreOf(result.outcome());
  std::optional<Player> first = RatedPlayerOf(request.first());
  std::optional<Player> second = RatedPlayerOf(request.second());
  const std::optional<double> ranks = RanksOf(*variant, request.handicap());
  if (!played || !score || !first || !second || !ranks) return ignored;

  if (Status valid = CheckPlayerId(first->id, "first.player_id"); !valid) return valid.error();
  if (Status valid = CheckPlayerId(second->id, "second.player_id"); !valid) return valid.error();
  if (first->id == second->id) {
    return rpc::InvalidField(kSelfPlay, "second.player_id",
                             "a player cannot play a rated game against themselves");
  }
  if (request.ended_at_ms() <= 0) {
    return rpc::InvalidField(kInvalidResult, "ended_at_ms", "the end of the game is missing");
  }
  RatedGame game;
  game.id = request.game_id();
  game.variant = *variant;
  game.first = *std::move(first);
  game.second = *std::move(second);
  game.first_score = *score;
  if (*ranks != 0) game.handicap = request.handicap();
  game.handicap_ranks = *ranks;
  game.ended_at = FromUnixMillis(request.ended_at_ms());
  game.plies = result.plies();
  game.conceded = result.ending() == common_pb::ENDING_RESIGNATION ||
                  result.ending() == common_pb::ENDING_TIME_OUT ||
                  result.ending() == common_pb::ENDING_ABANDONED;
  return std::optional<RatedGame>(std::move(game));
}

common_pb::Player ToProto(const Player& player) {
  common_pb::Player proto;
  proto.set_player_id(player.id);
  proto.set_name(player.name);
  switch (player.kind) {
    case PlayerKind::kGuest:
      proto.set_kind(common_pb::PLAYER_KIND_GUEST);
      break;
    case PlayerKind::kPerson:
      proto.set_kind(common_pb::PLAYER_KIND_PERSON);
      break;
    case PlayerKind::kBot:
      proto.set_kind(common_pb::PLAYER_KIND_BOT);
      break;
  }
  return proto;
}

pb::Rating ToProto(rules::Variant variant, const Standing& standing) {
  pb::Rating proto;
  proto.set_variant(convert::ToProto(variant));
  proto.set_elo(standing.rating.points());
  proto.set_games(static_cast<std::int32_t>(standing.games()));
  proto.set_wins(static_cast<std::int32_t>(standing.wins));
  proto.set_losses(static_cast<std::int32_t>(standing.losses));
  proto.set_draws(static_cast<std::int32_t>(standing.draws));
  proto.set_provisional(standing.provisional());
  proto.set_unrated(standing.unrated());
  if (standing.grade) {
    proto.set_grade(std::string(elo::GradeName(*standing.grade)));
    proto.set_grade_reached_at_ms(ToUnixMillis(standing.grade_reached_at));
  }
  proto.set_peak_elo(standing.peak.points());
  return proto;
}

pb::RatingChange ToProto(const RatingChange& change) {
  pb::RatingChange proto;
  proto.set_game_id(change.game_id);
  proto.set_variant(convert::ToProto(change.variant));
  proto.set_player_id(change.player_id);
  proto.set_opponent_id(change.opponent_id);
  proto.set_before(change.side.before.points());
  proto.set_after(change.side.after.points());
  proto.set_opponent_elo(change.side.opponent.points());
  proto.set_expected(change.side.expected.value());
  proto.set_score(change.side.score.value());
  proto.set_k(change.side.k);
  proto.set_handicap(change.handicap);
  proto.set_at_ms(ToUnixMillis(change.at));
  return proto;
}

pb::GetProfileResponse ToProto(const Profile& profile) {
  pb::GetProfileResponse proto;
  *proto.mutable_player() = ToProto(profile.player);
  for (const Profile::Entry& entry : profile.ratings) {
    *proto.add_ratings() = ToProto(entry.variant, entry.standing);
  }
  proto.set_created_at_ms(ToUnixMillis(profile.player.created_at));
  return proto;
}

pb::LeaderboardEntry ToProto(rules::Variant variant, const LeaderboardEntry& entry) {
  pb::LeaderboardEntry proto;
  proto.set_rank(entry.rank);
  *proto.mutable_player() = ToProto(entry.player);
  *proto.mutable_rating() = ToProto(variant, entry.standing);
  return proto;
}

pb::RatingPoint ToProto(const ChartPoint& point) {
  pb::RatingPoint proto;
  proto.set_at_ms(ToUnixMillis(point.at));
  proto.set_elo(point.rating.points());
  proto.set_games(static_cast<std::int32_t>(point.games));
  return proto;
}

pb::RatingSignal ToProto(const RatingSignal& signal) {
  pb::RatingSignal proto;
  proto.set_kind(KindOf(signal.kind));
  proto.set_game_id(signal.game_id);
  proto.set_variant(convert::ToProto(signal.variant));
  proto.set_player_id(signal.player_id);
  proto.set_opponent_id(signal.opponent_id);
  proto.set_at_ms(ToUnixMillis(signal.at));
  return proto;
}

pb::CheckRatedGameResponse ToProto(const PairCheck& check) {
  pb::CheckRatedGameResponse proto;
  proto.set_allowed(check.allowed);
  proto.set_games(static_cast<std::int32_t>(check.games));
  proto.set_limit(static_cast<std::int32_t>(check.limit));
  if (!check.allowed) proto.set_allowed_again_at_ms(ToUnixMillis(check.allowed_again));
  return proto;
}

}  // namespace komadai::rating
