#include "tests/differential/oracle.h"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "libs/notation/position_text.h"
#include "libs/process/spawn.h"
#include "services/engine/domain/coordinates.h"

namespace komadai::differential {
namespace {

using engine::Protocol;

// Against a process that hangs; an answer takes less than a millisecond.
constexpr std::chrono::seconds kPatience(60);

Error Failed(std::string what) { return Error(kOracleFailed, std::move(what)); }

// "7g7f: 1".
std::optional<std::string_view> MoveOf(std::string_view line) {
  const std::size_t colon = line.find(": ");
  const std::string_view move = line.substr(0, colon);
  if (colon == std::string_view::npos || move.find(' ') != std::string_view::npos) {
    return std::nullopt;
  }
  return move;
}

// "Nodes searched: 30".
std::size_t NodesOf(std::string_view line) {
  line.remove_prefix(line.find(": ") + 2);
  std::size_t nodes = SIZE_MAX;
  std::from_chars(line.data(), line.data() + line.size(), nodes);
  return nodes;
}

}  // namespace

std::string Oracle::FindProgram() {
  const char* const named = std::getenv("KOMADAI_ENGINE_PROGRAM");
  if (named != nullptr && *named != '\0') return process::FindProgram(named);
  const std::string in_path = process::FindProgram("fairy-stockfish");
  return in_path.empty() ? process::FindProgram("/usr/games/fairy-stockfish") : in_path;
}

Result<std::unique_ptr<Oracle>> Oracle::Start(const std::string& program, rules::Variant variant) {
  const engine::EngineSpec spec = engine::FairyStockfish(program);
  std::unique_ptr<Oracle> oracle(new Oracle(*spec.FindPlay(variant)));
  if (Status spawned = oracle->Spawn(program); !spawned) return spawned.error();
  if (Status ready = oracle->Configure(); !ready) return ready.error();
  return oracle;
}

Oracle::~Oracle() {
  loop_.RunAndWait([this] { process_.reset(); });
}

Status Oracle::Spawn(const std::string& program) {
  Status status;
  loop_.RunAndWait([&] {
    auto started = engine::ChildProcess::Spawn(loop_, {program},
                                               {.on_line =
                                                    [this](std::string_view line) {
                                                      const MutexLock lock(mutex_);
                                                      lines_.emplace_back(line);
                                                      told_.NotifyOne();
                                                    },
                                                .on_exit =
                                                    [this](std::string why) {
                                                      const MutexLock lock(mutex_);
                                                      ended_ = std::move(why);
                                                      told_.NotifyOne();
                                                    }});
    if (!started) {
      status = started.error();
      return;
    }
    process_ = *std::move(started);
    process_->AllowOutput(INT64_MAX);  // thousands of games
  });
  return status;
}

Status Oracle::Configure() {
  const bool usi = play_.protocol == Protocol::kUsi;
  Send(usi ? "usi" : "uci");
  if (auto hello = ReadTo(usi ? "usiok" : "uciok"); !hello) return hello.error();
  Send("setoption name UCI_Variant value " + play_.variant_option);
  Send("isready");
  if (auto ready = ReadTo("readyok"); !ready) return ready.error();
  return {};
}

void Oracle::Send(std::string lines) {
  loop_.Post([this, lines = std::move(lines)] { process_->WriteLine(lines); });
}

Result<std::vector<std::string>> Oracle::ReadTo(std::string_view last) {
  std::vector<std::string> taken;
  MutexLock lock(mutex_);
  while (taken.empty() || !taken.back().starts_with(last)) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (lines_.empty() && !ended_ && told_.WaitUntil(lock, until)) {
    }
    if (lines_.empty() && !ended_) return Failed("no answer");
    if (lines_.empty()) return Failed("the program ended: " + *ended_);
    taken.push_back(std::move(lines_.front()));
    lines_.pop_front();
  }
  return taken;
}

std::string Oracle::Command(const rules::Position& position) const {
  const bool usi = play_.protocol == Protocol::kUsi;
  return (usi ? "position sfen " : "position fen ") + notation::FormatPosition(position);
}

Result<std::vector<std::set<std::string>>> Oracle::LegalMoves(
    std::span<const rules::Position> positions) {
  std::string lines;
  for (const rules::Position& position : positions) {
    if (!lines.empty()) lines += '\n';
    lines += Command(position) + "\ngo perft 1";
  }
  Send(std::move(lines));
  std::vector<std::set<std::string>> all;
  while (all.size() < positions.size()) {
    auto moves = ReadMoves();
    if (!moves) return moves.error();
    all.push_back(*std::move(moves));
  }
  return all;
}

Result<std::set<std::string>> Oracle::LegalMovesAfter(const rules::Position& position,
                                                      const std::string& move) {
  Send(Command(position) + " moves " + engine::ToEngineMove(play_.ranks, move) + "\ngo perft 1");
  return ReadMoves();
}

Result<std::set<std::string>> Oracle::ReadMoves() {
  const auto answer = ReadTo("Nodes searched");
  if (!answer) return answer.error();
  std::set<std::string> listed;
  for (const std::string& line : *answer) {
    const auto text = MoveOf(line);
    if (!text) continue;
    const auto move = engine::FromEngineMove(play_.ranks, *text);
    if (!move) return Failed("not a move: " + line);
    listed.insert(*move);
  }
  if (NodesOf(answer->back()) != listed.size()) return Failed("miscounted: " + answer->back());
  return listed;
}

}  // namespace komadai::differential
