// Oracle: Fairy-Stockfish, asked which moves are legal. An independent reading of the same rules.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/eventloop/event_loop.h"
#include "libs/rules/position.h"
#include "services/engine/domain/engine_spec.h"
#include "services/engine/process/child_process.h"

namespace komadai::differential {

inline constexpr Reason kOracleFailed{Code::kInternal, "ORACLE_FAILED"};

class Oracle {
 public:
  // $KOMADAI_ENGINE_PROGRAM, else fairy-stockfish in PATH or where Debian puts it; empty if there
  // is none.
  static std::string FindProgram();
  // ORACLE_FAILED or ENGINE_NOT_STARTABLE.
  static Result<std::unique_ptr<Oracle>> Start(const std::string& program, rules::Variant variant);
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  ~Oracle();

  // Of each position, in plain notation. All are asked at once: waiting for each answer would take
  // longer than everything else. ORACLE_FAILED.
  Result<std::vector<std::set<std::string>>> LegalMoves(std::span<const rules::Position> positions);
  // After a move that need not be legal for us. ORACLE_FAILED.
  Result<std::set<std::string>> LegalMovesAfter(const rules::Position& position,
                                                const std::string& move);

 private:
  explicit Oracle(engine::Play play) : play_(std::move(play)) {}

  Status Spawn(const std::string& program);
  Status Configure();
  std::string Command(const rules::Position& position) const;
  void Send(std::string lines);
  Result<std::set<std::string>> ReadMoves();
  // The lines up to one that begins with `last`, that one included.
  Result<std::vector<std::string>> ReadTo(std::string_view last);

  const engine::Play play_;
  EventLoop loop_;
  std::unique_ptr<engine::ChildProcess> process_;  // used on the loop's thread only

  Mutex mutex_;
  CondVar told_;
  std::deque<std::string> lines_ KOMADAI_GUARDED_BY(mutex_);
  std::optional<std::string> ended_ KOMADAI_GUARDED_BY(mutex_);  // why
};

}  // namespace komadai::differential
