// One check per kind of record. Each returns when all of the record's claims hold, or throws what
// fields.h throws. Internal to libs/conformance.
#pragma once

#include "libs/conformance/fields.h"
#include "libs/conformance/judge.h"

namespace komadai::conformance {

void CheckPerft(const Json& record, Judge& judge);
// A move and whether it is legal; games carry one too, in the position they lead to.
void CheckLegality(const Board& board, const Json& move_record, Judge& judge);

void CheckOutcome(const Json& record, Judge& judge);
// Judged by the library: no sequence of moves is known that leads to some of these.
void CheckRepetitionTable(const Json& record);
void CheckGame(const Json& record, Judge& judge);
// Number of legal moves at every ply. Repetition is ignored where the record does not speak of it.
void CheckPlayout(const Json& record, Judge& judge);

// The notation of the variant a field is named after, e.g. "kif".
bool IsAboutNotation(const Json& record);
void CheckNotation(const Json& record, Judge& judge);

}  // namespace komadai::conformance
