// Every call is answered in the end; a repeat is answered as the first; a refusal has its reason.
#include <algorithm>

#include "tests/chaos/audit.h"

namespace komadai::chaos::audit {
namespace {

// Whether the game came to no move of that ply.
bool WasTheLast(const PlayerCall& call, const GameEvidence& evidence) {
  return call.ply == (evidence.game ? evidence.game->ply() : 0);
}

// Whether another attempt of the call, which came in time, has made it.
bool WasPlayed(const PlayerCall& call, const GameEvidence& evidence) {
  return call.attempts > 1 && evidence.game && call.ply < evidence.game->moves_size() &&
         evidence.game->moves(call.ply).move() == call.move;
}

// A player sends only what is legal and, as far as they know, in turn. What can come between is the
// end of the game, or the opponent's own call.
bool MayBeRefused(const PlayerCall& call, const std::string& reason, const GameEvidence& evidence) {
  if (reason == "GAME_OVER") return true;
  switch (call.kind) {
    case PlayerCall::Kind::kMove:
      return reason == "TIME_IS_UP" && (WasTheLast(call, evidence) || WasPlayed(call, evidence));
    case PlayerCall::Kind::kResign:
      return false;
    case PlayerCall::Kind::kOfferDraw:
      return reason == "STALE_PLY" || reason == "DRAW_ALREADY_OFFERED" ||
             reason == "TOO_MANY_DRAW_OFFERS";
    case PlayerCall::Kind::kAnswerDraw:
      return reason == "NO_DRAW_OFFER";
  }
  return false;
}

const char* NameOf(PlayerCall::Kind kind) {
  switch (kind) {
    case PlayerCall::Kind::kMove:
      return "move";
    case PlayerCall::Kind::kResign:
      return "resignation";
    case PlayerCall::Kind::kOfferDraw:
      return "draw offer";
    case PlayerCall::Kind::kAnswerDraw:
      return "answer to a draw offer";
  }
  return "";
}

bool SameAnswer(const Answer& a, const Answer& b) {
  const bool same_result =
      a.result.has_value() == b.result.has_value() && (!a.result || Same(*a.result, *b.result));
  return a.ply == b.ply && a.move == b.move && a.position == b.position &&
         a.sequence == b.sequence && same_result;
}

}  // namespace

void CheckAnswers(const GameEvidence& evidence, Findings& findings) {
  for (const PlayerCall& call : evidence.calls) {
    findings.attempts += call.attempts;
    const std::string what = std::string("the ") + NameOf(call.kind) + " " + call.move +
                             " at ply " + std::to_string(call.ply);
    for (const std::string& reason : call.refusals) {
      // A refusal after an acknowledgement would take it back, but for an attempt that came too
      // late beside one that came in time.
      const bool taken_back =
          call.acknowledged() && call.kind == PlayerCall::Kind::kMove && reason != "TIME_IS_UP";
      if (taken_back || !MayBeRefused(call, reason, evidence)) {
        findings.Violate(Promise::kAnswers, evidence.game_id, what + " was refused: " + reason);
      }
    }
    if (!call.acknowledged() && call.refusals.empty()) {
      findings.Violate(
          Promise::kAnswers, evidence.game_id,
          what + " was never answered, in " + std::to_string(call.attempts) + " attempts");
    }
    if (call.answers.empty()) continue;
    findings.repeats += static_cast<std::int64_t>(call.answers.size()) - 1;
    const bool differs = std::any_of(
        call.answers.begin(), call.answers.end(),
        [&](const Answer& answer) { return !SameAnswer(answer, call.answers.front()); });
    if (differs) {
      findings.Violate(Promise::kAnswers, evidence.game_id,
                       what + ", repeated, was answered differently");
    }
  }
}

}  // namespace komadai::chaos::audit
