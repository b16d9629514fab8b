#include "libs/notation/xiangqi/iccs.h"

#include "libs/notation/text.h"
#include "libs/notation/xiangqi/ucci.h"

namespace komadai::notation {

std::string FormatIccs(rules::Move move) {
  std::string out = FormatUcci(move);
  for (char& c : out) c = Upper(c);
  return out.insert(2, 1, '-');
}

}  // namespace komadai::notation
