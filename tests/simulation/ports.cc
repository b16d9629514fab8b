#include "tests/simulation/ports.h"

#include <utility>

#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"

namespace komadai::simulation {
namespace {

using timecontrol::Reading;

Result<Reading> ReadingOf(Result<clock::Answer> answer) {
  if (!answer) return std::move(answer).error();
  return answer->reading;
}

std::string At(TimePoint at) { return " at " + std::to_string(ToUnixMillis(at) % 10'000'000); }

// An answer that takes no time.
template <typename T>
Task<Result<T>> Now(T value) {
  co_return value;
}

}  // namespace

Task<Result<clock::Answer>> SimulatedClock::Ask(Handler<clock::Answer, ClockNode> handler,
                                                std::string what) {
  CallShape shape;
  shape.what = std::move(what);
  Result<clock::Answer> answer = co_await Call<clock::Answer, ClockNode>(
      process_, clocks_, std::move(handler), std::move(shape));
  co_return answer;
}

Task<Result<Reading>> SimulatedClock::Start(rpc::Call, std::string game_id,
                                            timecontrol::TimeControl control, Side to_move,
                                            TimePoint at) {
  std::string what = "StartClock " + game_id;
  Handler<clock::Answer, ClockNode> start = [=](ClockNode& node) {
    return node.clocks().Start(game_id, control, to_move, at);
  };
  Result<clock::Answer> answer = co_await Ask(std::move(start), std::move(what));
  co_return ReadingOf(std::move(answer));
}

Task<Result<game::PressedClock>> SimulatedClock::Press(rpc::Call, std::string game_id, int ply,
                                                       Side side, TimePoint at,
                                                       std::optional<Millis> thinking) {
  std::string what = "PressClock " + game_id + " ply " + std::to_string(ply) + At(at);
  const clock::PressCommand command{ply, side, at, thinking};
  Handler<clock::Answer, ClockNode> press = [=](ClockNode& node) {
    return node.clocks().Press(game_id, command);
  };
  Result<clock::Answer> answer = co_await Ask(std::move(press), std::move(what));
  if (!answer) co_return std::move(answer).error();
  co_return game::PressedClock{answer->reading, answer->used};
}

Task<Result<Reading>> SimulatedClock::Read(rpc::Call, std::string game_id) {
  std::string what = "GetClock " + game_id;
  Handler<clock::Answer, ClockNode> get = [=](ClockNode& node) {
    return node.clocks().Get(game_id);
  };
  Result<clock::Answer> answer = co_await Ask(std::move(get), std::move(what));
  co_return ReadingOf(std::move(answer));
}

Task<Result<Reading>> SimulatedClock::Stop(rpc::Call, std::string game_id, TimePoint at) {
  std::string what = "StopClock " + game_id + At(at);
  const clock::StopCommand command{at};
  Handler<clock::Answer, ClockNode> stop = [=](ClockNode& node) {
    return node.clocks().Stop(game_id, command);
  };
  Result<clock::Answer> answer = co_await Ask(std::move(stop), std::move(what));
  co_return ReadingOf(std::move(answer));
}

Task<Result<Reading>> SimulatedClock::Pause(rpc::Call, std::string game_id, std::string request_id,
                                            int ply, TimePoint at) {
  std::string what = "AdjustClock " + game_id + " pause at ply " + std::to_string(ply) + At(at);
  const clock::Command command = clock::PauseCommand{request_id, ply, at};
  Handler<clock::Answer, ClockNode> adjust = [=](ClockNode& node) {
    return node.clocks().Adjust(game_id, command);
  };
  Result<clock::Answer> answer = co_await Ask(std::move(adjust), std::move(what));
  co_return ReadingOf(std::move(answer));
}

Task<Result<Reading>> SimulatedClock::Resume(rpc::Call, std::string game_id, std::string request_id,
                                             int ply, TimePoint at) {
  std::string what = "AdjustClock " + game_id + " resume at ply " + std::to_string(ply) + At(at);
  const clock::Command command = clock::ResumeCommand{request_id, ply, at};
  Handler<clock::Answer, ClockNode> adjust = [=](ClockNode& node) {
    return node.clocks().Adjust(game_id, command);
  };
  Result<clock::Answer> answer = co_await Ask(std::move(adjust), std::move(what));
  co_return ReadingOf(std::move(answer));
}

Task<Result<Reading>> SimulatedClock::AddTime(rpc::Call, std::string game_id,
                                              std::string request_id, Side side, Millis add,
                                              TimePoint at) {
  std::string what = "AdjustClock " + game_id + " add " + std::to_string(add.count());
  const clock::AddTimeCommand command{request_id, side, add, at};
  Handler<clock::Answer, ClockNode> adjust = [=](ClockNode& node) {
    return node.clocks().Adjust(game_id, command);
  };
  Result<clock::Answer> answer = co_await Ask(std::move(adjust), std::move(what));
  co_return ReadingOf(std::move(answer));
}

Task<Result<Reading>> SimulatedClock::Rewind(rpc::Call, std::string game_id, std::string request_id,
                                             int ply, Side to_move, TimePoint at, bool restart) {
  std::string what = "AdjustClock " + game_id + " back to ply " + std::to_string(ply) + At(at) +
                     " (" + request_id + ")";
  const clock::RewindCommand command{request_id, ply, to_move, at, restart};
  Handler<clock::Answer, ClockNode> adjust = [=](ClockNode& node) {
    return node.clocks().Adjust(game_id, command);
  };
  Result<clock::Answer> answer = co_await Ask(std::move(adjust), std::move(what));
  co_return ReadingOf(std::move(answer));
}

Task<Status> SimulatedArchive::Store(rpc::Call, std::shared_ptr<const game::Game> game) {
  CallShape shape;
  shape.what = "StoreKifu " + game->id;
  Handler<bool, Outside> store = [game](Outside& outside) {
    const bool forgets = outside.process().environment().sabotage == Sabotage::kForgetfulArchive;
    if (!forgets) outside.judge().Archived(*game);
    return Now(true);
  };
  Result<bool> stored =
      co_await Call<bool, Outside>(process_, outside_, std::move(store), std::move(shape));
  if (!stored) co_return std::move(stored).error();
  co_return Status();
}

Task<Status> SimulatedRating::Apply(rpc::Call, std::shared_ptr<const game::Game> game) {
  CallShape shape;
  shape.what = "ApplyResult " + game->id;
  Handler<bool, Outside> apply = [game](Outside& outside) {
    outside.judge().Rated(*game);
    return Now(true);
  };
  Result<bool> applied =
      co_await Call<bool, Outside>(process_, outside_, std::move(apply), std::move(shape));
  if (!applied) co_return std::move(applied).error();
  co_return Status();
}

Task<Result<game::ComputerMove>> SimulatedEngine::Choose(rpc::Call,
                                                         std::shared_ptr<const game::Game> game) {
  CallShape shape;
  shape.what = "BestMove " + game->id + " ply " + std::to_string(game->ply());
  Handler<game::ComputerMove, Outside> choose = [game](Outside& outside) {
    game::ComputerMove move;
    move.move =
        AnyMove(game->setup.variant, game->board.position, outside.process().environment().dice);
    return Now(std::move(move));
  };
  Result<game::ComputerMove> chosen = co_await Call<game::ComputerMove, Outside>(
      process_, outside_, std::move(choose), std::move(shape));
  co_return chosen;
}

std::string AnyMove(rules::Variant variant, const std::string& position, Dice& dice) {
  const Result<rules::Position> board = notation::ParsePosition(variant, position);
  KOMADAI_CHECK(board.has_value());
  rules::MoveList moves;
  board->LegalMoves(moves);
  if (moves.empty()) return "";
  return notation::FormatPlainMove(variant, moves[dice.Index(moves.size())]);
}

}  // namespace komadai::simulation
