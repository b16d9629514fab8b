// Perft and the legality of single moves.
#include <algorithm>

#include "libs/conformance/checks.h"
#include "libs/conformance/pawn_drop_mate.h"
#include "libs/conformance/words.h"
#include "libs/notation/position_text.h"
#include "libs/rules/perft.h"

namespace komadai::conformance {
namespace {

constexpr std::int64_t kMaxDepth = 100;

}  // namespace

void CheckPerft(const Json& record, Judge& judge) {
  const Board board = BoardOf(record);
  Need(judge.Look(board));
  const std::int64_t depth = Integer(record, "depth");
  if (depth > kMaxDepth) Fail("malformed record: no perft is that deep");
  const rules::Position position =
      Need(notation::ParsePosition(board.variant, board.position, rules::Kings::kOptional));
  const auto nodes = static_cast<std::int64_t>(rules::Perft(position, static_cast<int>(depth)));
  ExpectEqual(nodes, Integer(record, "nodes"), "nodes");
  constexpr char kIfLegal[] = "nodes_if_pawn_drop_mate_were_legal";
  if (record.contains(kIfLegal) && depth > 0) {
    // Such a drop leads nowhere, so that only those of the last ply count.
    const auto drops =
        static_cast<std::int64_t>(CountPawnDropMates(position, static_cast<int>(depth) - 1));
    ExpectEqual(nodes + drops, Integer(record, kIfLegal), kIfLegal);
  }
}

void CheckLegality(const Board& board, const Json& move_record, Judge& judge) {
  const std::string move = Text(move_record, "move");
  const std::optional<rules::Illegal> illegal = Need(judge.WhyIllegal(board, move));
  const std::string why = WhyWord(board.variant, illegal);
  if (Flag(move_record, "legal") == illegal.has_value()) {
    Fail("legal: got " + std::string(illegal ? "false" : "true") + " (" + why + "), want " +
         Show(move_record["legal"]));
  }
  const Listing listing = Need(judge.List(board, move));
  ExpectEqual(listing.holds, !illegal.has_value(), "listed");
  ExpectEqual(listing.moves, Need(judge.Look(board)).moves, "number of listed moves");
  std::vector<std::string> reasons = Texts(move_record, "why");
  if (move_record.contains("also")) {
    for (std::string& reason : Texts(move_record, "also")) reasons.push_back(std::move(reason));
  }
  const bool named = std::ranges::any_of(
      reasons, [&illegal](const std::string& reason) { return MeansWhy(reason, illegal); });
  if (!named) Fail("why: got " + why + ", want " + Show(reasons));
}

}  // namespace komadai::conformance
