// Text encodings of record files, through iconv(3).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/notation/records/record_file.h"

namespace komadai::notation {

struct DecodedText {
  std::string utf8;  // without a byte order mark
  TextEncoding encoding = TextEncoding::kUtf8;
  bool damaged = false;  // broken bytes became U+FFFD
};

// BAD_ENCODING if the bytes are not text in the encoding asked for, or in any of those that can be
// told apart (UTF-8, Shift_JIS, EUC-JP, GB18030). Mostly valid UTF-8 is read with its broken bytes
// replaced.
Result<DecodedText> DecodeText(std::string_view bytes, std::optional<TextEncoding> encoding);

struct EncodedText {
  std::string bytes;
  int lost = 0;  // characters the encoding does not have, written as "?"
};
Result<EncodedText> EncodeText(std::string_view utf8, TextEncoding encoding);

}  // namespace komadai::notation
