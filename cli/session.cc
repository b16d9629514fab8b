#include "cli/session.h"

#include <cstdio>
#include <random>
#include <thread>
#include <utility>

#include "komadai/game/v1/game.pb.h"
#include "komadai/matchmaking/v1/matchmaking.pb.h"
#include "komadai/rating/v1/rating.pb.h"
#include "libs/convert/variant.h"

namespace komadai::cli {
namespace {

namespace common_pb = ::komadai::common::v1;
namespace game_pb = ::komadai::game::v1;
namespace match_pb = ::komadai::matchmaking::v1;
namespace rating_pb = ::komadai::rating::v1;

constexpr Reason kBadOption{Code::kInvalidArgument, "BAD_OPTION"};
constexpr Reason kNoGame{Code::kFailedPrecondition, "NO_GAME"};
constexpr Millis kPollPause{1000};

Result<common_pb::GameSetup> SetupOf(const PlayOptions& options) {
  const std::optional<rules::Variant> variant = rules::FindVariant(options.variant);
  if (!variant) return Error(kBadOption, "unknown variant: " + options.variant);
  common_pb::GameSetup setup;
  setup.set_variant(convert::ToProto(*variant));
  if (!options.handicap.empty()) setup.set_handicap(options.handicap);
  return setup;
}

common_pb::TimeControl ControlOf(const PlayOptions& options) {
  common_pb::TimeControl control;
  control.mutable_first()->set_main_ms(std::int64_t{options.main_seconds} * 1000);
  control.mutable_first()->set_byoyomi_ms(std::int64_t{options.byoyomi_seconds} * 1000);
  control.mutable_first()->set_byoyomi_periods(options.byoyomi_periods);
  return control;
}

match_pb::SideWish WishOf(const PlayOptions& options) {
  if (options.side == "first") return match_pb::SIDE_WISH_FIRST;
  if (options.side == "second") return match_pb::SIDE_WISH_SECOND;
  return match_pb::SIDE_WISH_UNSPECIFIED;
}

Result<match_pb::GameTerms> TermsOf(const PlayOptions& options) {
  Result<common_pb::GameSetup> setup = SetupOf(options);
  if (!setup) return std::move(setup).error();
  match_pb::GameTerms terms;
  *terms.mutable_setup() = *std::move(setup);
  terms.set_rated(options.rated);
  if (!options.no_clock) *terms.mutable_time_control() = ControlOf(options);
  return terms;
}

common_pb::Player Computer(const std::string& level) {
  common_pb::Player computer;
  computer.set_kind(common_pb::PLAYER_KIND_COMPUTER);
  computer.set_name("Computer (" + level + ")");
  computer.set_level(level == "easy"   ? common_pb::COMPUTER_LEVEL_EASY
                     : level == "hard" ? common_pb::COMPUTER_LEVEL_HARD
                                       : common_pb::COMPUTER_LEVEL_MEDIUM);
  return computer;
}

Result<Seat> AgainstComputer(Session& session, const PlayOptions& options) {
  Result<common_pb::GameSetup> setup = SetupOf(options);
  if (!setup) return std::move(setup).error();
  bool first = std::random_device()() % 2 == 0;
  if (options.side != "any") first = options.side == "first";
  game_pb::CreateGameRequest request;
  request.set_request_id(NewRequestId());
  *request.mutable_setup() = *std::move(setup);
  *request.mutable_first() = first ? session.player : Computer(options.level);
  *request.mutable_second() = first ? Computer(options.level) : session.player;
  if (!options.no_clock) *request.mutable_time_control() = ControlOf(options);
  Result<game_pb::CreateGameResponse> created =
      session.connection->Call<game_pb::CreateGameResponse>(request);
  if (!created) return std::move(created).error();
  return Seat{created->game().game_id(), first ? common_pb::SIDE_FIRST : common_pb::SIDE_SECOND};
}

Result<Seat> AgainstAnyone(Session& session, const PlayOptions& options) {
  Result<match_pb::GameTerms> terms = TermsOf(options);
  if (!terms) return std::move(terms).error();
  match_pb::CreateSeekRequest request;
  request.set_request_id(NewRequestId());
  *request.mutable_terms() = *std::move(terms);
  request.set_side(WishOf(options));
  Result<match_pb::CreateSeekResponse> seek =
      session.connection->Call<match_pb::CreateSeekResponse>(request);
  if (!seek) return std::move(seek).error();
  std::printf("looking for an opponent (Ctrl-C to stop) ...\n");
  std::fflush(stdout);
  match_pb::WatchSeekRequest watch;
  watch.set_seek_id(seek->seek().seek_id());
  const std::unique_ptr<grpc::ClientContext> context = session.connection->StreamContext();
  const auto stream = session.connection->Open(*context, watch);
  match_pb::WatchSeekResponse news;
  while (stream->Read(news)) {
    if (news.seek().state() != match_pb::SEEK_STATE_MATCHED) continue;
    context->TryCancel();
    (void)stream->Finish();
    return Seat{news.seek().game_id(), news.seek().side()};
  }
  const grpc::Status status = stream->Finish();
  if (!status.ok()) return Connection::ErrorOf(status);
  return Error(kNoGame, "the seek ended without an opponent");
}

Result<common_pb::Side> SideIn(Session& session, const std::string& game_id) {
  game_pb::GetGameRequest request;
  request.set_game_id(game_id);
  Result<game_pb::GetGameResponse> found =
      session.connection->Call<game_pb::GetGameResponse>(request);
  if (!found) return std::move(found).error();
  return found->game().first().player_id() == session.player.player_id() ? common_pb::SIDE_FIRST
                                                                         : common_pb::SIDE_SECOND;
}

Result<Seat> AgainstFriend(Session& session, const PlayOptions& options) {
  Result<match_pb::GameTerms> terms = TermsOf(options);
  if (!terms) return std::move(terms).error();
  match_pb::CreateChallengeRequest request;
  request.set_request_id(NewRequestId());
  *request.mutable_terms() = *std::move(terms);
  request.set_side(WishOf(options));
  Result<match_pb::CreateChallengeResponse> challenge =
      session.connection->Call<match_pb::CreateChallengeResponse>(request);
  if (!challenge) return std::move(challenge).error();
  match_pb::GetChallengeRequest get;
  get.set_challenge_id(challenge->challenge().challenge_id());
  std::printf("your friend joins with: komadai play --join %s\nwaiting ...\n",
              get.challenge_id().c_str());
  std::fflush(stdout);
  for (;;) {
    Result<match_pb::GetChallengeResponse> now =
        session.connection->Call<match_pb::GetChallengeResponse>(get);
    if (!now) return std::move(now).error();
    const match_pb::ChallengeState state = now->challenge().state();
    if (state == match_pb::CHALLENGE_STATE_ACCEPTED && !now->challenge().game_id().empty()) {
      const std::string game_id = now->challenge().game_id();
      Result<common_pb::Side> side = SideIn(session, game_id);
      if (!side) return std::move(side).error();
      return Seat{game_id, *side};
    }
    if (state == match_pb::CHALLENGE_STATE_DECLINED || state == match_pb::CHALLENGE_STATE_EXPIRED) {
      return Error(kNoGame, "the challenge was not accepted");
    }
    std::this_thread::sleep_for(kPollPause);
  }
}

Result<Seat> JoinFriend(Session& session, const PlayOptions& options) {
  match_pb::AcceptChallengeRequest request;
  request.set_challenge_id(options.join);
  Result<match_pb::AcceptChallengeResponse> accepted =
      session.connection->Call<match_pb::AcceptChallengeResponse>(request);
  if (!accepted) return std::move(accepted).error();
  return Seat{accepted->challenge().game_id(), accepted->side()};
}

}  // namespace

Result<Session> SignIn(const Targets& targets, const PlayOptions& options) {
  Session session;
  session.connection = std::make_unique<Connection>(targets);
  rating_pb::Session opened;
  if (!options.token.empty()) {
    session.connection->SetToken(options.token);
    // The caller's own profile: the player that the token names.
    Result<rating_pb::GetProfileResponse> profile =
        session.connection->Call<rating_pb::GetProfileResponse>(rating_pb::GetProfileRequest());
    if (!profile) return std::move(profile).error();
    opened.set_token(options.token);
    *opened.mutable_player() = profile->player();
  } else if (options.test_player) {
    rating_pb::CreateTestSessionRequest request;
    request.set_name(options.name);
    Result<rating_pb::CreateTestSessionResponse> response =
        session.connection->Call<rating_pb::CreateTestSessionResponse>(request);
    if (!response) return std::move(response).error();
    opened = response->session();
  } else {
    rating_pb::CreateGuestSessionRequest request;
    request.set_nickname(options.name);
    Result<rating_pb::CreateGuestSessionResponse> response =
        session.connection->Call<rating_pb::CreateGuestSessionResponse>(request);
    if (!response) return std::move(response).error();
    opened = response->session();
  }
  session.token = opened.token();
  session.player = opened.player();
  session.connection->SetToken(session.token);
  return session;
}

Result<Seat> FindGame(Session& session, const PlayOptions& options) {
  if (!options.join.empty()) return JoinFriend(session, options);
  if (options.against == "computer") return AgainstComputer(session, options);
  if (options.against == "anyone") return AgainstAnyone(session, options);
  return AgainstFriend(session, options);
}

}  // namespace komadai::cli
