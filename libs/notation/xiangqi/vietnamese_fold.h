// Vietnamese text without its diacritics, as many people type it.
#pragma once

#include <string>
#include <string_view>

namespace komadai::notation {

// Lower-case ASCII: "Pháo" (composed or decomposed) becomes "phao"; full-width digits become ASCII;
// anything else that is not ASCII becomes '?'.
std::string FoldVietnamese(std::string_view text);

}  // namespace komadai::notation
