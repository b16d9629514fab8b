#include "services/matchmaking/convert.h"

#include <utility>

#include "libs/convert/game_options.h"
#include "libs/convert/game_setup.h"
#include "libs/convert/time_control.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/request_id.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {
namespace {

constexpr int kMaxOtherControls = 5;
constexpr int kMaxRatingRange = 4000;
constexpr int kMaxExcluded = 10;
constexpr int kMinFallbackSeconds = 5;
constexpr int kMaxFallbackSeconds = 600;
constexpr int kDefaultLifetimeSeconds = 86400;
constexpr int kMinLifetimeSeconds = 60;
constexpr int kMaxLifetimeSeconds = 604800;
constexpr std::size_t kMinLinkRequestId = 20;
constexpr std::size_t kMaxIdBytes = 64;

Status CheckRated(const rpc::Caller& caller, const pb::GameTerms& terms) {
  if (!terms.rated() || rpc::kVerified.Contains(caller.kind)) return {};
  return Error(kVerifiedAccountNeeded, "rated games need a verified account");
}

Status CheckWish(pb::SideWish wish) {
  if (pb::SideWish_IsValid(wish)) return {};
  return rpc::InvalidField(kInvalidRequest, "side", "is not a valid wish");
}

Status CheckRange(int value, int max, const char* field) {
  if (value >= 0 && value <= max) return {};
  return rpc::InvalidField(kInvalidRequest, field, "must be 0 to " + std::to_string(max));
}

Status CheckFallback(const pb::CreateSeekRequest& request) {
  if (!request.has_computer_fallback()) return {};
  const pb::ComputerFallback& fallback = request.computer_fallback();
  if (request.terms().rated()) {
    return rpc::InvalidField(kInvalidRequest, "computer_fallback", "is only for casual games");
  }
  if (!common_pb::ComputerLevel_IsValid(fallback.level())) {
    return rpc::InvalidField(kInvalidRequest, "computer_fallback.level",
                             "is not a level of the computer");
  }
  if (fallback.after_seconds() < kMinFallbackSeconds ||
      fallback.after_seconds() > kMaxFallbackSeconds) {
    return rpc::InvalidField(kInvalidRequest, "computer_fallback.after_seconds",
                             "must be 5 to 600");
  }
  return {};
}

Status CheckSeek(const pb::CreateSeekRequest& request) {
  if (Status id = rpc::CheckRequestId(request.request_id()); !id) return id;
  if (Status wish = CheckWish(request.side()); !wish) return wish;
  if (Status range = CheckRange(request.rating_range(), kMaxRatingRange, "rating_range"); !range) {
    return range;
  }
  Status first = CheckRange(request.first_rating_range(), kMaxRatingRange, "first_rating_range");
  if (!first) return first;
  Status excluded =
      CheckRange(request.exclude_last_opponents(), kMaxExcluded, "exclude_last_opponents");
  if (!excluded) return excluded;
  if (request.other_time_controls_size() > kMaxOtherControls) {
    return rpc::InvalidField(kInvalidRequest, "other_time_controls", "has more than 5 entries");
  }
  return CheckFallback(request);
}

Status CheckChallenge(const rpc::Caller& caller, const pb::CreateChallengeRequest& request) {
  if (Status id = rpc::CheckRequestId(request.request_id()); !id) return id;
  const bool link = request.opponent_id().empty();
  if (link && request.request_id().size() < kMinLinkRequestId) {
    // The link's code is derived from it, so nobody must be able to guess it.
    return rpc::InvalidField(kInvalidRequest, "request_id",
                             "for a link, must be random and have at least 20 characters");
  }
  if (request.opponent_id().size() > kMaxIdBytes) {
    return rpc::InvalidField(kInvalidRequest, "opponent_id", "is not a valid player id");
  }
  if (request.listed() && !link) {
    return rpc::InvalidField(kInvalidRequest, "listed", "cannot be set together with opponent_id");
  }
  if (!link && request.opponent_id() == caller.id) {
    return Error(kOwnChallenge, "players cannot play against themselves");
  }
  return CheckWish(request.side());
}

Status CheckSuggestion(const pb::GameTerms& terms, TermsOf kind) {
  if (!terms.suggest_handicap()) return {};
  const bool fits = kind == TermsOf::kSeek && terms.setup().variant() == common_pb::VARIANT_SHOGI &&
                    !HasHandicap(terms);
  if (fits) return {};
  return rpc::InvalidField(kInvalidTerms, "terms.suggest_handicap",
                           "is only for shogi seeks without setup.handicap");
}

}  // namespace

Result<common_pb::TimeControl> NormaliseControl(const common_pb::TimeControl& control) {
  Result<timecontrol::TimeControl> valid = convert::TimeControlFromProto(control);
  if (!valid) return std::move(valid).error();
  if (!timecontrol::HasClock(valid->first) || !timecontrol::HasClock(valid->second)) {
    return rpc::InvalidField(kInvalidTerms, "terms.time_control", "leaves a side without a clock");
  }
  return convert::ToProto(*valid);
}

Result<pb::GameTerms> NormaliseTerms(const pb::GameTerms& terms, TermsOf kind) {
  if (kind == TermsOf::kSeek && !terms.setup().position().empty()) {
    return rpc::InvalidField(kInvalidTerms, "terms.setup.position", "is only for challenges");
  }
  if (terms.rated() && !terms.setup().position().empty()) {
    return rpc::InvalidField(kInvalidTerms, "terms.rated",
                             "a game from a free position cannot be rated");
  }
  if (!terms.has_time_control() && (kind == TermsOf::kSeek || terms.rated())) {
    return rpc::InvalidField(kInvalidTerms, "terms.time_control",
                             "is required, except in casual challenges");
  }
  if (terms.rated() && terms.allow_takeback()) {
    return rpc::InvalidField(kInvalidTerms, "terms.allow_takeback",
                             "rated games cannot have takebacks");
  }
  if (const auto problem = convert::CheckOptions(terms.options())) {
    return rpc::InvalidField(kInvalidTerms, std::string("terms.") + problem->field,
                             problem->message);
  }
  Result<convert::GameStart> start = convert::StartFromProto(terms.setup());
  if (!start) return std::move(start).error();
  if (Status handicap = CheckSuggestion(terms, kind); !handicap) {
    return std::move(handicap).error();
  }
  pb::GameTerms normal;
  *normal.mutable_setup() = start->setup;
  normal.set_suggest_handicap(terms.suggest_handicap());
  normal.set_rated(terms.rated());
  normal.set_allow_takeback(terms.allow_takeback());
  if (!convert::AreDefault(terms.options())) *normal.mutable_options() = terms.options();
  if (terms.has_time_control()) {
    Result<common_pb::TimeControl> control = NormaliseControl(terms.time_control());
    if (!control) return std::move(control).error();
    *normal.mutable_time_control() = *std::move(control);
  }
  return normal;
}

common_pb::Player PlayerOf(const rpc::Caller& caller) {
  common_pb::Player player;
  player.set_player_id(caller.id);
  player.set_name(caller.name);
  switch (caller.kind) {
    case rpc::CallerKind::kPlayer:
      player.set_kind(common_pb::PLAYER_KIND_PERSON);
      break;
    case rpc::CallerKind::kBot:
      player.set_kind(common_pb::PLAYER_KIND_BOT);
      break;
    default:
      player.set_kind(common_pb::PLAYER_KIND_GUEST);
      break;
  }
  return player;
}

Result<NewSeek> NewSeekFromProto(const rpc::Caller& caller, const pb::CreateSeekRequest& request) {
  if (Status valid = CheckSeek(request); !valid) return std::move(valid).error();
  Result<pb::GameTerms> terms = NormaliseTerms(request.terms(), TermsOf::kSeek);
  if (!terms) return std::move(terms).error();
  if (Status rated = CheckRated(caller, *terms); !rated) return std::move(rated).error();
  NewSeek wish;
  wish.seek_id = rpc::IdFromRequest(caller.id, request.request_id());
  wish.player = PlayerOf(caller);
  wish.terms = *std::move(terms);
  for (const common_pb::TimeControl& other : request.other_time_controls()) {
    Result<common_pb::TimeControl> control = NormaliseControl(other);
    if (!control) return std::move(control).error();
    wish.other_controls.push_back(*std::move(control));
  }
  wish.wish = request.side();
  wish.rating_range = request.rating_range();
  wish.first_rating_range = request.first_rating_range();
  wish.exclude_last_opponents = request.exclude_last_opponents();
  wish.confirm = request.confirm();
  if (request.has_computer_fallback()) wish.computer_fallback = request.computer_fallback();
  return wish;
}

Result<NewChallenge> NewChallengeFromProto(const rpc::Caller& caller,
                                           const pb::CreateChallengeRequest& request,
                                           const std::string& link_key) {
  if (Status valid = CheckChallenge(caller, request); !valid) return std::move(valid).error();
  const int lifetime =
      request.lifetime_seconds() == 0 ? kDefaultLifetimeSeconds : request.lifetime_seconds();
  if (lifetime < kMinLifetimeSeconds || lifetime > kMaxLifetimeSeconds) {
    return rpc::InvalidField(kInvalidRequest, "lifetime_seconds", "must be between 60 and 604800");
  }
  Result<pb::GameTerms> terms = NormaliseTerms(request.terms(), TermsOf::kChallenge);
  if (!terms) return std::move(terms).error();
  if (Status rated = CheckRated(caller, *terms); !rated) return std::move(rated).error();
  NewChallenge wish;
  wish.challenge_id = rpc::SecretIdFromRequest(link_key, caller.id, request.request_id());
  wish.challenger = PlayerOf(caller);
  wish.terms = *std::move(terms);
  wish.wish = request.side();
  wish.opponent_id = request.opponent_id();
  wish.listed = request.listed();
  wish.lifetime = Millis(std::int64_t{lifetime} * 1000);
  return wish;
}

Status CheckId(const std::string& id, const char* field) {
  if (!id.empty() && id.size() <= kMaxIdBytes) return {};
  return rpc::InvalidField(kInvalidRequest, field, "is not a valid id");
}

}  // namespace komadai::matchmaking
