// LibraryJudge: answers by libs/rules and libs/notation, and checks that separate parts of them
// agree.
#pragma once

#include "libs/conformance/judge.h"

namespace komadai::conformance {

// Two parts of the library that must say the same do not.
inline constexpr Reason kInconsistent{Code::kInternal, "INCONSISTENT"};

class LibraryJudge : public Judge {
 public:
  // The moves are counted, listed, and each is checked by itself.
  Result<Survey> Look(const Board& board) override;
  Result<std::optional<rules::Illegal>> WhyIllegal(const Board& board,
                                                   const std::string& move) override;
  Result<Listing> List(const Board& board, const std::string& move) override;
  // The key kept along the way is compared with one computed from the position.
  Result<std::string> Play(const Board& board, const std::string& move) override;
  // After every ply the game is resumed from its stored bytes, and in the end taken back to the
  // start.
  Result<GameAnswer> JudgeGame(const GameQuestion& game) override;
  Result<std::string> Write(const Board& board, const std::string& legal_move,
                            const Spelling& spelling) override;
  Result<std::string> Read(const Board& board, const std::string& text,
                           const Spelling& spelling) override;
};

}  // namespace komadai::conformance
