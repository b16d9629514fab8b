#include "tests/chaos/audit.h"

#include <utility>

namespace komadai::chaos {
namespace {

constexpr std::int64_t kWin = 1'000'000;

std::int64_t ScoreOf(const common_pb::GameResult& result, Side side) {
  if (result.outcome() == common_pb::OUTCOME_DRAW) return kWin / 2;
  return result.outcome() == audit::WinFor(side) ? kWin : 0;
}

// Failures that no outage excuses: the server says of itself that it is wrong.
bool Inexcusable(const std::string& reason) {
  return reason == "INTERNAL" || reason.rfind("CORRUPT_", 0) == 0 ||
         reason == "RPC_UNIMPLEMENTED" || reason == "UNAUTHENTICATED" ||
         reason == "TOKEN_INVALID" || reason == "PERMISSION_DENIED";
}

}  // namespace

std::uint64_t DigestOf(const game_pb::GameEvent& event) {
  // FNV-1a. Events have no maps: equal events have equal bytes.
  std::uint64_t digest = 14695981039346656037U;
  for (const char c : event.SerializeAsString()) {
    digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return digest;
}

void Auditor::Add(const GameEvidence& evidence) {
  ++findings_.games;
  game_ids_.insert(evidence.game_id);
  for (const std::string& id : evidence.created_as) {
    if (id == evidence.game_id) continue;
    findings_.Violate(Promise::kEnds, evidence.game_id, "its creation, repeated, made " + id);
    game_ids_.insert(id);
  }
  audit::CheckAnswers(evidence, findings_);
  if (!evidence.game) {
    findings_.Violate(Promise::kMoves, evidence.game_id, "the game is gone");
    return;
  }
  const game_pb::Game& game = *evidence.game;
  audit::CheckMoves(evidence, findings_);
  audit::CheckEnd(evidence, findings_);
  audit::CheckFlag(evidence, findings_);
  audit::CheckWatchers(evidence, findings_);
  audit::CheckArchive(evidence, findings_);
  if (audit::BelongsInArchive(game)) expected_in_archive_.insert(game.game_id());
  if (audit::ChangesRatings(game)) {
    ++findings_.rated;
    RatedGame rated{{game.first().player_id(), game.second().player_id()},
                    {ScoreOf(game.result(), Side::kFirst), ScoreOf(game.result(), Side::kSecond)}};
    expected_ratings_[game.game_id()] = std::move(rated);
  }
}

void Auditor::Finish(const RunEvidence& evidence) {
  std::map<std::string, std::map<std::string, std::vector<std::int64_t>>> scores;  // game, player
  for (const RatingRow& row : evidence.rating_rows) {
    scores[row.game_id][row.player_id].push_back(row.score);
  }
  findings_.rating_changes = static_cast<std::int64_t>(evidence.rating_rows.size());
  for (const auto& [game_id, rated] : expected_ratings_) {
    for (int side = 0; side < 2; ++side) {
      const std::vector<std::int64_t>& found = scores[game_id][rated.player_ids[side]];
      if (found.size() != 1) {
        findings_.Violate(
            Promise::kRatings, game_id,
            "rated " + std::to_string(found.size()) + " times for " + rated.player_ids[side]);
      } else if (found.front() != rated.scores[side]) {
        findings_.Violate(Promise::kRatings, game_id,
                          "another score than the result's for " + rated.player_ids[side]);
      }
    }
  }
  for (const auto& [game_id, by_player] : scores) {
    const bool expected = expected_ratings_.contains(game_id);
    if (!expected || by_player.size() != 2) {
      findings_.Violate(Promise::kRatings, game_id, "rated, and should not be (so)");
    }
  }
  audit::CheckRatingFold(evidence, findings_);

  for (const std::string& id : evidence.archived_ids) {
    if (!expected_in_archive_.contains(id)) {
      findings_.Violate(Promise::kArchive, id, "archived, and should not be");
    }
  }
  for (const std::string& id : evidence.live_ids) {
    findings_.Violate(Promise::kEnds, id,
                      game_ids_.contains(id) ? "ended, and still in the list of live games"
                                             : "a live game that nobody plays");
  }
  for (const auto& [reason, count] : evidence.errors) {
    if (!Inexcusable(reason)) continue;
    findings_.Violate(Promise::kAnswers, "",
                      std::to_string(count) + " calls were answered with " + reason);
  }
  for (const std::string& what : evidence.lost_processes) {
    findings_.Violate(Promise::kProcesses, "", what);
  }
}

}  // namespace komadai::chaos
