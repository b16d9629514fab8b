// How record files say that a game ended.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libs/notation/records/game_record.h"

namespace komadai::notation {

// A CSA terminal with or without its "%", e.g. "TORYO". Nothing for an unknown one.
std::optional<RecordResult> ResultOfCsa(std::string_view word, rules::Variant variant,
                                        rules::Side to_move);
// A word that stands in place of a move in KIF files: 投了, 詰み, ... Nothing for an unknown one.
std::optional<RecordResult> ResultOfKif(std::string_view word, rules::Variant variant,
                                        rules::Side to_move);
// The closing sentence of KIF and KI2 files, まで...手で...; nothing if it says nothing.
std::optional<RecordResult> ResultOfSentence(std::string_view sentence, rules::Variant variant,
                                             rules::Side to_move);
// The closing sentence for a result after `plies` plies, まで...; empty if nothing can be said.
std::string KifSentenceFor(const RecordResult& result, int plies, bool handicap, bool& exact);

// The extension of USI lines: resign, rep_draw, draw, timeout, break, win.
std::optional<RecordResult> ResultOfUsi(std::string_view word, rules::Variant variant,
                                        rules::Side to_move);

// What to write; empty if the format has no word for it. `exact` becomes false where the word says
// less than the result.
std::string_view CsaWordFor(const RecordResult& result, rules::Side to_move, bool& exact);
std::string_view KifWordFor(const RecordResult& result, rules::Side to_move, bool& exact);

}  // namespace komadai::notation
