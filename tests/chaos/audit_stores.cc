// What a finished game leaves behind: one row of the archive, one change of each rating.
#include <utility>

#include "tests/chaos/audit.h"

namespace komadai::chaos::audit {
namespace {

constexpr std::int64_t kFirstRating = 1'200'000;  // thousandths of a point

std::string Difference(const common_pb::GameRecord& record, const game_pb::Game& game) {
  if (record.moves_size() != game.moves_size()) {
    return std::to_string(record.moves_size()) + " moves instead of " +
           std::to_string(game.moves_size());
  }
  for (int i = 0; i < record.moves_size(); ++i) {
    if (record.moves(i).move() != game.moves(i).move() ||
        record.moves(i).used_ms() != game.moves(i).used_ms()) {
      return "another move " + std::to_string(i + 1);
    }
  }
  if (!Same(record.result(), game.result())) return "another result";
  if (record.first().player_id() != game.first().player_id() ||
      record.second().player_id() != game.second().player_id()) {
    return "other players";
  }
  if (record.rated() != game.rated() || record.started_at_ms() != game.created_at_ms() ||
      record.ended_at_ms() != game.ended_at_ms()) {
    return "other circumstances";
  }
  return "";
}

}  // namespace

bool BelongsInArchive(const game_pb::Game& game) {
  return game.has_result() &&
         (game.ply() > 0 || game.result().outcome() != common_pb::OUTCOME_NO_RESULT);
}

bool ChangesRatings(const game_pb::Game& game) {
  // A side that has not moved has not played: ratings change only after both sides have moved.
  return game.has_result() && game.rated() && game.ply() >= 2 &&
         game.result().outcome() != common_pb::OUTCOME_NO_RESULT;
}

void CheckArchive(const GameEvidence& evidence, Findings& findings) {
  if (!BelongsInArchive(*evidence.game)) return;  // unexpected rows are found at the end
  if (evidence.archive.size() != 1) {
    findings.Violate(Promise::kArchive, evidence.game_id,
                     "archived " + std::to_string(evidence.archive.size()) + " times");
    return;
  }
  const std::string difference = Difference(evidence.archive.front(), *evidence.game);
  if (!difference.empty()) {
    findings.Violate(Promise::kArchive, evidence.game_id, "archived with " + difference);
    return;
  }
  if (!evidence.served) {
    findings.Violate(Promise::kArchive, evidence.game_id, "archived, but not served");
    return;
  }
  const std::string served = Difference(*evidence.served, *evidence.game);
  if (!served.empty()) {
    findings.Violate(Promise::kArchive, evidence.game_id, "served with " + served);
    return;
  }
  ++findings.archived;
}

void CheckRatingFold(const RunEvidence& evidence, Findings& findings) {
  struct Fold {
    std::int64_t number = 0;
    std::int64_t rating = kFirstRating;
  };
  std::map<std::pair<std::string, std::string>, Fold> folds;
  for (const RatingRow& row : evidence.rating_rows) {
    Fold& fold = folds[{row.player_id, row.variant}];
    if (row.number != fold.number + 1 || row.before != fold.rating) {
      findings.Violate(Promise::kRatings, row.game_id,
                       "change " + std::to_string(row.number) + " of " + row.player_id + " in " +
                           row.variant + " does not follow the one before");
    }
    fold = {row.number, row.after};
  }
  for (const auto& [key, standing] : evidence.standings) {
    const Fold fold = folds.contains(key) ? folds[key] : Fold();
    if (standing.rating != fold.rating || standing.games != fold.number) {
      findings.Violate(
          Promise::kRatings, "",
          "the rating of " + key.first + " in " + key.second + " is not what its history makes it");
    }
    folds.erase(key);
  }
  for (const auto& [key, fold] : folds) {
    findings.Violate(Promise::kRatings, "",
                     key.first + " has a history in " + key.second + " and no rating");
  }
}

}  // namespace komadai::chaos::audit
