#include "libs/remotejudge/remote_judge.h"

#include <thread>
#include <utility>

#include "libs/convert/game_setup.h"
#include "libs/convert/notation.h"
#include "libs/convert/variant.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/remotejudge/predecessor.h"
#include "libs/remotejudge/remote_verdict.h"
#include "libs/rpc/client/blocking.h"
#include "libs/rpc/error.h"

namespace komadai::remotejudge {
namespace {

namespace pb = ::komadai::common::v1;
namespace v1 = ::komadai::rules::v1;
using conformance::Board;
using conformance::GameAnswer;
using conformance::GameQuestion;
using conformance::Listing;
using conformance::Spelling;
using conformance::Survey;
using rules::Illegal;

std::optional<Illegal> FindIllegal(const Error& error) {
  for (int i = 0; i <= static_cast<int>(Illegal::kPawnSidewaysBeforeRiver); ++i) {
    const auto illegal = static_cast<Illegal>(i);
    if (error.Is(rules::ReasonOf(illegal))) return illegal;
  }
  if (error.reason() == "INVALID_MOVE") return Illegal::kOffBoard;
  return std::nullopt;
}

// Where the service begins counting towards the limit is where its game begins: the limit moves.
pb::GameSetup SetupOf(const GameQuestion& game) {
  rules::Ruleset ruleset = game.ruleset;
  if (ruleset.ply_limit > 0) ruleset.ply_limit -= game.plies_before;
  pb::GameSetup setup;
  setup.set_variant(convert::ToProto(game.start.variant));
  *setup.mutable_ruleset() = convert::ToProto(ruleset);
  setup.set_position(game.start.position);
  return setup;
}

bool CanBeAsked(const GameQuestion& game) {
  if (game.ruleset.ply_limit > 0 && game.plies_before >= game.ruleset.ply_limit) return false;
  if (!game.claim || game.claim->ask != rules::ImpasseAsk::kDeclare || !game.claim->by) return true;
  const auto start = notation::ParseSetup(game.start.variant, game.start.position);
  if (!start) return true;  // the service will say so
  const bool starter_moves = game.moves.size() % 2 == 0;
  return *game.claim->by == (starter_moves ? start->side_to_move : Opponent(start->side_to_move));
}

bool CanBeSpelled(const Spelling& spelling) {
  return spelling.squares == notation::WesternSquares::kLetters &&
         spelling.context.vietnamese == notation::VietnameseLetters::kStandard;
}

// Where the move before the one in question was played, and that move.
struct Earlier {
  Board board;
  std::string move;
};

std::optional<Earlier> EarlierThan(const Board& board, rules::Square previous_to) {
  const auto position =
      notation::ParsePosition(board.variant, board.position, rules::Kings::kOptional);
  if (!position) return std::nullopt;
  const std::optional<Predecessor> found = FindPredecessor(*position, previous_to);
  if (!found) return std::nullopt;
  return Earlier{{board.variant, notation::FormatPosition(found->position)},
                 notation::FormatPlainMove(board.variant, found->move)};
}

v1::Claim ClaimOf(const GameQuestion& game) {
  if (!game.claim) return v1::CLAIM_UNSPECIFIED;
  return game.claim->ask == rules::ImpasseAsk::kAgree ? v1::CLAIM_AGREE_IMPASSE
                                                      : v1::CLAIM_DECLARE_IMPASSE;
}

// Whether the game played ply by ply and the game judged at once came to the same.
bool SameGame(const v1::ApplyMoveResponse& played, const v1::JudgeGameResponse& judged,
              bool claimed) {
  if (played.position() != judged.position()) return false;
  if (claimed) return played.state().ply() == judged.state().ply();
  return played.state().SerializeAsString() == judged.state().SerializeAsString();
}

constexpr Millis kPause{100};
constexpr Millis kPatience{60'000};

}  // namespace

template <typename Response>
Result<Response> RemoteJudge::Call(const google::protobuf::Message& request) {
  // Whoever judges many games is asked to slow down, and does.
  for (Millis waited{0};; waited += kPause) {
    grpc::ClientContext context;
    context.set_deadline(
        std::chrono::system_clock::time_point(SystemTimeSource().Now() + timeout_));
    Response response;
    const grpc::Status status = rpc::BlockingCall(rules_, context, request, response);
    if (status.ok()) return response;
    Error error = rpc::FromGrpcStatus(status);
    if (error.reason() != "RATE_LIMITED" || waited >= kPatience) return error;
    std::this_thread::sleep_for(kPause);
  }
}

Result<v1::ConvertMovesResponse> RemoteJudge::Convert(const Board& board,
                                                      const std::vector<std::string>& moves,
                                                      const Spelling* from, const Spelling* to) {
  v1::ConvertMovesRequest request;
  request.set_variant(convert::ToProto(board.variant));
  request.set_position(board.position);
  for (const std::string& move : moves) request.add_moves(move);
  request.set_from(convert::ToProto(
      from != nullptr ? from->notation : notation::NotationsOf(board.variant).front()));
  if (to != nullptr) request.add_to(convert::ToProto(to->notation));
  Result<v1::ConvertMovesResponse> response = Call<v1::ConvertMovesResponse>(request);
  const int count = static_cast<int>(moves.size());
  if (response && (response->moves_size() != count ||
                   response->moves(count - 1).names_size() != request.to_size())) {
    return Error(kBadAnswer, "ConvertMoves does not answer every move");
  }
  return response;
}

Result<Survey> RemoteJudge::Look(const Board& board) {
  v1::ParsePositionRequest request;
  request.set_variant(convert::ToProto(board.variant));
  request.set_position(board.position);
  request.set_allow_missing_kings(true);
  const Result<v1::ParsePositionResponse> parsed = Call<v1::ParsePositionResponse>(request);
  if (!parsed) return parsed.error();
  return Survey{parsed->legal_move_count(), parsed->check()};
}

Result<std::optional<Illegal>> RemoteJudge::WhyIllegal(const Board& board,
                                                       const std::string& move) {
  const Result<v1::ConvertMovesResponse> converted = Convert(board, {move}, nullptr, nullptr);
  if (converted) return std::optional<Illegal>();
  std::optional<Illegal> illegal = FindIllegal(converted.error());
  if (!illegal) return converted.error();
  return illegal;
}

Result<Listing> RemoteJudge::List(const Board& board, const std::string& move) {
  v1::ListLegalMovesRequest request;
  request.set_variant(convert::ToProto(board.variant));
  request.set_position(board.position);
  const Result<v1::ListLegalMovesResponse> listed = Call<v1::ListLegalMovesResponse>(request);
  if (!listed) return listed.error();
  Listing listing;
  listing.moves = listed->moves_size();
  const auto plain = notation::ParsePlainMove(board.variant, move);
  if (!plain) return listing;
  const std::string normal = notation::FormatPlainMove(board.variant, *plain);
  for (const v1::LegalMove& legal : listed->moves()) {
    if (legal.move() == normal) listing.holds = true;
  }
  return listing;
}

Result<std::string> RemoteJudge::Play(const Board& board, const std::string& move) {
  const Result<v1::ConvertMovesResponse> converted = Convert(board, {move}, nullptr, nullptr);
  if (!converted) return converted.error();
  return converted->position();
}

Result<v1::ApplyMoveResponse> RemoteJudge::PlayThrough(const pb::GameSetup& setup,
                                                       const std::vector<std::string>& moves) {
  v1::ApplyMoveRequest request;
  *request.mutable_setup() = setup;
  v1::ApplyMoveResponse last;
  for (std::size_t i = 0; i < moves.size() && !last.state().has_result(); ++i) {
    request.set_move(moves[i]);
    Result<v1::ApplyMoveResponse> played = Call<v1::ApplyMoveResponse>(request);
    if (!played) return conformance::AtPly(played.error(), i, moves[i]);
    last = *std::move(played);
    request.mutable_memory()->set_position(last.position());
    request.mutable_memory()->mutable_history()->append(last.history_entry());
  }
  return last;
}

Result<rules::Verdict> RemoteJudge::VerdictOf(const pb::GameSetup& setup, const GameQuestion& game,
                                              const v1::JudgeGameResponse& judged) {
  if (!judged.state().has_result()) return rules::Verdict{};
  VerdictContext context;
  if (ClaimOf(game) == v1::CLAIM_DECLARE_IMPASSE) {
    context.declarer = convert::SideFromProto(judged.state().side_to_move());
  }
  if (judged.state().result().ending() == pb::ENDING_PLY_LIMIT &&
      game.ruleset.ply_limit_counts_points) {
    v1::ScoreImpasseRequest request;
    *request.mutable_setup() = setup;
    request.set_position(judged.position());
    const Result<v1::ScoreImpasseResponse> score = Call<v1::ScoreImpasseResponse>(request);
    if (!score) return score.error();
    context.limit_counted_points =
        score->report().first().king_in_zone() && score->report().second().king_in_zone();
  }
  return remotejudge::VerdictOf(judged.state().result(), context);
}

Result<GameAnswer> RemoteJudge::JudgeGame(const GameQuestion& game) {
  if (!CanBeAsked(game)) return library_.JudgeGame(game);
  v1::JudgeGameRequest request;
  *request.mutable_setup() = SetupOf(game);
  for (const std::string& move : game.moves) request.add_moves(move);
  request.set_claim(ClaimOf(game));
  const Result<v1::JudgeGameResponse> judged = Call<v1::JudgeGameResponse>(request);
  if (!judged) return judged.error();
  const v1::GameState& state = judged->state();

  const bool over_at_start = state.ply() == 0 && state.has_result();
  if (!game.moves.empty() && !over_at_start) {
    const Result<v1::ApplyMoveResponse> played = PlayThrough(request.setup(), game.moves);
    if (!played) return played.error();
    if (!SameGame(*played, *judged, game.claim.has_value())) {
      return Error(kBadAnswer, "ApplyMove and JudgeGame differ");
    }
  }
  const Result<rules::Verdict> verdict = VerdictOf(request.setup(), game, *judged);
  if (!verdict) return verdict.error();
  return GameAnswer{*verdict, state.ply(), judged->position(),
                    game.claim.has_value() && !state.has_result()};
}

Result<std::string> RemoteJudge::Write(const Board& board, const std::string& legal_move,
                                       const Spelling& spelling) {
  if (!CanBeSpelled(spelling)) return library_.Write(board, legal_move, spelling);
  std::vector<std::string> moves = {legal_move};
  Board start = board;
  if (spelling.context.previous_to) {
    const std::optional<Earlier> earlier = EarlierThan(board, *spelling.context.previous_to);
    if (!earlier) return library_.Write(board, legal_move, spelling);
    start = earlier->board;
    moves = {earlier->move, legal_move};
  }
  const Result<v1::ConvertMovesResponse> converted = Convert(start, moves, nullptr, &spelling);
  if (!converted) return converted.error();
  return converted->moves(converted->moves_size() - 1).names(0);
}

Result<std::string> RemoteJudge::Read(const Board& board, const std::string& text,
                                      const Spelling& spelling) {
  if (!CanBeSpelled(spelling)) return library_.Read(board, text, spelling);
  std::vector<std::string> texts = {text};
  Board start = board;
  if (spelling.context.previous_to) {
    const std::optional<Earlier> earlier = EarlierThan(board, *spelling.context.previous_to);
    if (!earlier) return library_.Read(board, text, spelling);
    start = earlier->board;
    const Result<v1::ConvertMovesResponse> before =
        Convert(start, {earlier->move}, nullptr, &spelling);
    if (!before) return before.error();
    texts = {before->moves(0).names(0), text};
  }
  const Result<v1::ConvertMovesResponse> converted = Convert(start, texts, &spelling, nullptr);
  if (!converted) return converted.error();
  return converted->moves(converted->moves_size() - 1).move();
}

}  // namespace komadai::remotejudge
