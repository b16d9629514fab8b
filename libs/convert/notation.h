// Notations, record formats and encodings between the contract and libs/notation.
#pragma once

#include <optional>

#include "komadai/common/v1/game_record.pb.h"
#include "libs/base/result.h"
#include "libs/convert/variant.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/records/record_file.h"

namespace komadai::convert {

// Nothing for MOVE_NOTATION_UNSPECIFIED. WRONG_NOTATION for one the variant does not have.
Result<std::optional<notation::Notation>> NotationFromProto(rules::Variant variant,
                                                            pb::MoveNotation notation);
// Nothing for ..._UNSPECIFIED; UNKNOWN_FORMAT, BAD_ENCODING for numbers that mean nothing.
Result<std::optional<notation::RecordFormat>> FormatFromProto(pb::RecordFormat format);
Result<std::optional<notation::TextEncoding>> EncodingFromProto(pb::TextEncoding encoding);

pb::MoveNotation ToProto(notation::Notation notation);
pb::RecordFormat ToProto(notation::RecordFormat format);
pb::TextEncoding ToProto(notation::TextEncoding encoding);

}  // namespace komadai::convert
