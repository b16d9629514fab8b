#include "cli/play.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <optional>
#include <utility>

#include "cli/connection.h"
#include "cli/game_stream.h"
#include "cli/live_board.h"
#include "cli/session.h"
#include "komadai/game/v1/game.pb.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/plain_move.h"

namespace komadai::cli {
namespace {

namespace common_pb = ::komadai::common::v1;
namespace game_pb = ::komadai::game::v1;

constexpr char kHelp[] =
    "  a move: USI (7g7f, 8h2b+, P*5e) or western (P-7f, Bx2b+, P*5e); xiangqi: h2e2, C2=5, "
    "炮二平五\n"
    "  resign | draw | accept | decline | takeback | declare | abort | help | quit\n";

// A person's side of a game: keyboard in, board out.
class Table {
 public:
  Table(Session& session, Seat seat, const PlayOptions& options, GameStream& stream)
      : session_(session), seat_(std::move(seat)), stream_(stream) {
    style_.from_second_side = seat_.side == common_pb::SIDE_SECOND;
    style_.colour = options.colour;
  }

  int Run() {
    for (;;) {
      if (std::optional<int> end = ShowNews()) return *end;
      pollfd waits[] = {{stream_.fd(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
      if (poll(waits, keyboard_ ? 2 : 1, -1) < 0) return 1;
      if (keyboard_ && (waits[1].revents & (POLLIN | POLLHUP)) != 0 && !ReadLine()) return 0;
    }
  }

 private:
  // Draws what is new; an exit status when the game is over.
  std::optional<int> ShowNews() {
    bool changed = false;
    while (std::optional<game_pb::WatchGameResponse> message = stream_.Take()) {
      changed = board_.See(*message) || changed;
    }
    if (changed) {
      std::printf("\n%s", board_.Draw(style_).c_str());
      Prompt();
    }
    if (board_.over()) return 0;
    if (const std::optional<Error> failure = stream_.failure()) return Fail("watching", *failure);
    return std::nullopt;
  }

  void Prompt() {
    if (!board_.over() && keyboard_)
      std::printf(board_.IsToMove(seat_.side) ? "your move> " : "> ");
    std::fflush(stdout);
  }

  // False: the person leaves (the game continues).
  bool ReadLine() {
    std::string line;
    if (!std::getline(std::cin, line)) {
      keyboard_ = false;  // end of input: keep watching to the end
      return true;
    }
    if (line == "quit") {
      std::printf("the game continues: komadai watch %s\n", seat_.game_id.c_str());
      return false;
    }
    if (!line.empty() && board_.ready()) {
      if (Status done = Do(line); !done) {
        std::printf("  %s\n", done.error().ToString().c_str());
      }
    }
    Prompt();
    return true;
  }

  template <typename Request>
  Request ForThisGame() const {
    Request request;
    request.set_game_id(seat_.game_id);
    return request;
  }

  template <typename Response>
  Status Act(const google::protobuf::Message& request) {
    Result<Response> response = session_.connection->Call<Response>(request);
    if (!response) return std::move(response).error();
    return {};
  }

  Status Do(const std::string& line) {
    if (line == "help" || line == "?") {
      std::printf("%s", kHelp);
      return {};
    }
    if (line == "resign") {
      return Act<game_pb::ResignResponse>(ForThisGame<game_pb::ResignRequest>());
    }
    if (line == "abort")
      return Act<game_pb::AbortGameResponse>(ForThisGame<game_pb::AbortGameRequest>());
    if (line == "draw") {
      auto request = ForThisGame<game_pb::OfferDrawRequest>();
      request.set_expected_ply(board_.ply());
      return Act<game_pb::OfferDrawResponse>(request);
    }
    if (line == "takeback") {
      auto request = ForThisGame<game_pb::RequestTakebackRequest>();
      request.set_expected_ply(board_.ply());
      return Act<game_pb::RequestTakebackResponse>(request);
    }
    if (line == "accept" || line == "decline") return Answer(line == "accept");
    if (line == "declare") return Declare();
    return PlayMove(line);
  }

  Status Answer(bool accept) {
    if (board_.game().takeback_requested_by() != common_pb::SIDE_UNSPECIFIED) {
      auto request = ForThisGame<game_pb::AnswerTakebackRequest>();
      request.set_accept(accept);
      return Act<game_pb::AnswerTakebackResponse>(request);
    }
    auto request = ForThisGame<game_pb::AnswerDrawRequest>();
    request.set_accept(accept);
    return Act<game_pb::AnswerDrawResponse>(request);
  }

  // Explains first; a second "declare" in the same position confirms.
  Status Declare() {
    auto request = ForThisGame<game_pb::DeclareImpasseRequest>();
    request.set_expected_ply(board_.ply());
    request.set_confirm(explained_at_ == board_.ply());
    Result<game_pb::DeclareImpasseResponse> response =
        session_.connection->Call<game_pb::DeclareImpasseResponse>(request);
    if (!response) return std::move(response).error();
    const common_pb::ImpasseReport& report = response->report();
    std::printf("  ☗ %d points, ☖ %d points\n", report.first().points(), report.second().points());
    for (const std::string& failed : report.failed_conditions()) {
      std::printf("  not met: %s\n", failed.c_str());
    }
    if (report.may_declare() && !request.confirm()) {
      std::printf("  it would be %s; type declare again to confirm\n",
                  ResultText(report.result_if_declared()).c_str());
      explained_at_ = board_.ply();
    }
    return {};
  }

  Status PlayMove(const std::string& text) {
    notation::MoveContext context;
    const rules::Variant variant = board_.position().variant();
    if (!board_.last_move().empty()) {
      Result<rules::Move> last = notation::ParsePlainMove(variant, board_.last_move());
      if (last) context.previous_to = last->to;
    }
    Result<rules::Move> move = notation::ParseAnyMove(board_.position(), text, context);
    if (!move) return std::move(move).error();
    auto request = ForThisGame<game_pb::PlayMoveRequest>();
    request.set_expected_ply(board_.ply());
    request.set_move(notation::FormatPlainMove(variant, *move));
    return Act<game_pb::PlayMoveResponse>(request);
  }

  Session& session_;
  const Seat seat_;
  GameStream& stream_;
  BoardStyle style_;
  LiveBoard board_;
  bool keyboard_ = true;
  int explained_at_ = -1;
};

}  // namespace

int RunPlay(const PlayOptions& options) {
  Result<Targets> targets = Targets::Parse(options.target);
  if (!targets) return Fail("target", targets.error());
  Result<Session> session = SignIn(*targets, options);
  if (!session) return Fail("signing in", session.error());
  std::printf("signed in as %s\n", session->player.name().c_str());
  Result<Seat> seat = FindGame(*session, options);
  if (!seat) return Fail("finding a game", seat.error());
  std::printf("game %s: you are %s\n%s", seat->game_id.c_str(),
              seat->side == common_pb::SIDE_FIRST ? "☗ (first)" : "☖ (second)", kHelp);
  std::fflush(stdout);
  GameStream stream(*targets, session->token, seat->game_id);
  return Table(*session, *seat, options, stream).Run();
}

int RunWatch(const WatchOptions& options) {
  Result<Targets> targets = Targets::Parse(options.target);
  if (!targets) return Fail("target", targets.error());
  GameStream stream(*targets, "", options.game_id);
  LiveBoard board;
  BoardStyle style;
  style.colour = options.colour;
  for (;;) {
    while (std::optional<game_pb::WatchGameResponse> message = stream.Take()) {
      if (board.See(*message)) std::printf("\n%s", board.Draw(style).c_str());
    }
    std::fflush(stdout);
    if (board.over()) return 0;
    if (const std::optional<Error> failure = stream.failure()) return Fail("watching", *failure);
    pollfd wait{stream.fd(), POLLIN, 0};
    if (poll(&wait, 1, -1) < 0) return 1;
  }
}

}  // namespace komadai::cli
