#include "tests/chaos/report.h"

#include <algorithm>

#include "tests/chaos/audit.h"

namespace komadai::chaos {
namespace {

constexpr std::size_t kShown = 30;  // violations printed; all of them are in the log directory

template <typename Counts>
std::string ListOf(const Counts& counts) {
  std::string list;
  for (const auto& [name, count] : counts) {
    list += (list.empty() ? "" : ", ") + name + " " + std::to_string(count);
  }
  return list.empty() ? "none" : list;
}

std::string N(std::int64_t count, const char* what) { return std::to_string(count) + " " + what; }

std::string MillisOf(const std::optional<Millis>& time) {
  return time ? std::to_string(time->count()) + " ms" : "-";
}

std::string TextOf(Promise promise, const Findings& f) {
  switch (promise) {
    case Promise::kMoves:
      return N(f.moves_acknowledged, "acknowledged, ") + N(f.moves_found, "of them found, ") +
             N(f.moves_unacknowledged, "more whose acknowledgement was lost");
    case Promise::kEnds:
      return N(f.games, "games: ") + ListOf(f.endings);
    case Promise::kArchive:
      return N(f.archived, "games archived as played");
    case Promise::kRatings:
      return N(f.rated, "rated games, ") + N(f.rating_changes, "rating changes");
    case Promise::kWatching:
      return N(f.watch_lists, "watchers saw ") + N(f.watched_events, "events over ") +
             N(f.watch_connections, "connections");
    case Promise::kFlags:
      return N(f.flags, "flags, min(flag-deadline) ") + MillisOf(f.least_flag_margin) + ", max " +
             MillisOf(f.greatest_flag_margin);
    case Promise::kAnswers:
      return N(f.attempts, "calls sent, ") + N(f.repeats, "repeats answered as before");
    case Promise::kProcesses:
      return "no server may end but by our hand";
  }
  return "";
}

void AppendCall(const PlayerCall& call, std::string* text) {
  static constexpr const char* kNames[] = {"move", "resign", "offer draw", "answer draw"};
  *text += std::string("  ") + SideName(call.by) + " " + kNames[static_cast<int>(call.kind)] + " " +
           call.move + " at ply " + std::to_string(call.ply) + ", " +
           std::to_string(call.attempts) + " attempts:";
  for (const Answer& answer : call.answers) {
    *text += " answered ply=" + std::to_string(answer.ply) +
             " sequence=" + std::to_string(answer.sequence);
    if (answer.result) *text += " " + audit::TextOf(*answer.result);
  }
  for (const std::string& reason : call.refusals) *text += " refused " + reason;
  *text += "\n";
}

}  // namespace

int PrintReport(const Findings& findings, const FaultCounts& faults,
                const std::map<std::string, std::int64_t>& errors, std::FILE* out) {
  for (const auto& [kind, parts] : faults) {
    int total = 0;
    for (const auto& [part, count] : parts) total += count;
    std::fprintf(out, "%-10s %d: %s\n", (std::string(NameOf(kind)) + "s").c_str(), total,
                 ListOf(parts).c_str());
  }
  std::fprintf(out, "%-10s %s\n", "errors", ListOf(errors).c_str());
  for (int i = 0; i < kPromises; ++i) {
    const auto promise = static_cast<Promise>(i);
    const std::int64_t broken = findings.ViolationsOf(promise);
    const std::string verdict = broken == 0 ? "ok" : "BROKEN " + std::to_string(broken) + " times";
    std::fprintf(out, "%-10s %s: %s\n", NameOf(promise), TextOf(promise, findings).c_str(),
                 verdict.c_str());
  }
  for (std::size_t i = 0; i < std::min(kShown, findings.violations.size()); ++i) {
    const Violation& v = findings.violations[i];
    std::fprintf(out, "violation %s: %s %s\n", NameOf(v.promise), v.game_id.c_str(),
                 v.what.c_str());
  }
  if (findings.violations.empty()) {
    std::fprintf(out, "chaos: ok games=%lld moves=%lld\n", static_cast<long long>(findings.games),
                 static_cast<long long>(findings.moves_found));
    return 0;
  }
  std::fprintf(out, "chaos: %zu violations\n", findings.violations.size());
  return 1;
}

std::string Explain(const GameEvidence& evidence) {
  std::string text = "game " + evidence.game_id + "\n calls\n";
  for (const PlayerCall& call : evidence.calls) AppendCall(call, &text);
  text += " journal\n";
  for (const game_pb::GameEvent& event : evidence.journal) {
    text += "  " + event.ShortDebugString() + "\n";
  }
  for (const WatchList& list : evidence.watchers) {
    text += " watcher, " + std::to_string(list.connections) + " connections" +
            (list.finished ? ", finished" : "") + "\n";
    for (const Seen& seen : list.seen) {
      text += std::string("  ") + (seen.snapshot ? "snapshot " : "event ") +
              std::to_string(seen.sequence) + " at " + std::to_string(ToUnixMillis(seen.at)) +
              (seen.end ? " end" : "") + "\n";
    }
  }
  if (evidence.game) text += " game\n  " + evidence.game->ShortDebugString() + "\n";
  return text;
}

}  // namespace komadai::chaos
