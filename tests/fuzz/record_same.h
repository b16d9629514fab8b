// Whether a game that was written and read again is still the same, as far as its format promises.
#pragma once

#include "libs/notation/records/record_file.h"

namespace komadai::fuzz {

// Aborts unless `again`, read from `written`, is the game that was written.
void CheckSameGame(const notation::GameRecord& game, const notation::WrittenRecord& written,
                   notation::RecordFormat format, const notation::GameRecord& again);

// No text of a game holds anything that does not belong on a page or in a protobuf string.
void CheckTexts(const notation::GameRecord& game);

}  // namespace komadai::fuzz
