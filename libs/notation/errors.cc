#include "libs/notation/errors.h"

#include "libs/notation/text.h"

namespace komadai::notation {

Error TextError(Reason reason, std::string_view what, std::string_view text) {
  std::string quoted = Quoted(text);
  std::string message = std::string(what) + ": \"" + quoted + "\"";
  return Error(reason, std::move(message), {{"text", std::move(quoted)}});
}

}  // namespace komadai::notation
