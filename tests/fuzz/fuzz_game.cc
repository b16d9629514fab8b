// Games of every variant, from every kind of start: played, taken back, stored and resumed, from
// true and from damaged bytes, beside a model that remembers everything.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libs/rules/game_state.h"
#include "libs/rules/history.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/game_input.h"
#include "tests/fuzz/game_model.h"

using namespace komadai;  // a program of one function

namespace {

using fuzz::Bytes;
using fuzz::GameModel;
using rules::GameState;
using rules::Position;

// Every ply costs some fifty times what it costs a service.
constexpr int kMaxSteps = 400;

void PutKey(std::string& history, std::size_t at, const Position& position) {
  for (std::size_t i = 0; i < 4; ++i) {
    history[at + i] = static_cast<char>(position.key() >> (8 * i) & 255);
  }
}

// Where the key after `plies` plies is.
std::size_t KeyOffset(int plies) {
  if (plies == 0) return 4;
  return rules::kHeaderBytes + rules::kEntryBytes * static_cast<std::size_t>(plies - 1);
}

// The last few plies over and over again: repetitions without end.
void RepeatTail(std::string& history, Bytes& bytes) {
  const std::size_t entries = history.size() - rules::kHeaderBytes;
  const auto wanted = rules::kEntryBytes * static_cast<std::size_t>(1 + bytes.Byte() % 8);
  const std::string tail = history.substr(history.size() - std::min(wanted, entries));
  for (int times = bytes.Byte() % 64; times > 0; --times) history += tail;
}

void DamageAndUse(const GameModel& game, Bytes& bytes) {
  std::string history = game.state().history();
  const int choices = bytes.Byte();
  if ((choices & 1) != 0) RepeatTail(history, bytes);
  if ((choices & 2) != 0) history.resize(history.size() - rules::kEntryBytes);
  for (int left = choices >> 4; left > 0 && !history.empty(); --left) {
    const auto at = static_cast<std::size_t>(bytes.Word()) % history.size();
    history[at] = static_cast<char>(bytes.Byte());
  }
  const Position& position = game.position_at(bytes.Byte() % (game.ply() + 1));
  const bool whole = history.size() >= rules::kHeaderBytes &&
                     (history.size() - rules::kHeaderBytes) % rules::kEntryBytes == 0;
  if (whole) {
    // The right key at the end lets damage through; the same key earlier makes repetitions of it.
    const int plies = rules::HistoryView(history).plies();
    if ((choices & 4) != 0) PutKey(history, KeyOffset(plies), position);
    if ((choices & 8) != 0) PutKey(history, KeyOffset(bytes.Word() % (plies + 1)), position);
  }
  auto resumed = GameState::Resume(game.state().ruleset(), position, history);
  if (!resumed) return fuzz::CheckRefusal(resumed.error());
  fuzz::CheckHostileState(*std::move(resumed), bytes.Byte());
}

void TakeStep(GameModel& game, Bytes& bytes) {
  const int first = bytes.Byte();
  if (first < fuzz::kOtherSteps) {
    rules::MoveList moves;
    game.state().position().LegalMoves(moves);
    const auto index = static_cast<std::size_t>(first << 8 | bytes.Byte());
    if (!moves.empty()) game.Play(moves[index % moves.size()]);
    return;
  }
  switch (static_cast<fuzz::Step>(first % fuzz::kSteps)) {
    case fuzz::Step::kAnyMove:
      return game.Play(fuzz::TakeMove(bytes));
    case fuzz::Step::kTakeBack:
      return game.TakeBack(bytes.Byte() % (game.ply() + 3) - 1);
    case fuzz::Step::kResume:
      return game.Resume();
    case fuzz::Step::kDeclare: {
      const int how = bytes.Byte();
      return game.Declare(static_cast<rules::ImpasseAsk>(how & 1),
                          static_cast<rules::Side>(how >> 1 & 1));
    }
    case fuzz::Step::kLookBack:
      return game.LookBack(bytes.Byte() - 1);
    case fuzz::Step::kHostileBytes:
      return DamageAndUse(game, bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(std::string_view(reinterpret_cast<const char*>(data), size));
  const rules::Variant variant = fuzz::TakeVariant(bytes);
  const rules::Ruleset ruleset = fuzz::TakeRuleset(bytes, variant);
  const auto start = fuzz::TakeStart(bytes, variant);
  if (!start) return 0;
  auto state = GameState::Start(ruleset, *start);
  if (!state) {
    fuzz::CheckRefusal(state.error());
    return 0;
  }
  GameModel game(*std::move(state));
  for (int step = 0; step < kMaxSteps && !bytes.empty(); ++step) TakeStep(game, bytes);
  return 0;
}
