// Reserved names: those that only the servers and their operators may bear, and those that look
// like them or like something else than they are.
#pragma once

#include <string_view>

namespace komadai {

// Whether a cleaned name is or looks like a reserved one ("Admin", "Komadai", "Computer (hard)", in
// English and the languages of the games): whatever the case, width, script, digits for letters,
// and characters between the letters. By the confusable characters of Unicode (UTS 39).
bool IsReservedName(std::string_view name);

// Whether a name mixes scripts as no language does, such as Latin and Cyrillic (UTS 39, "highly
// restrictive": Latin may stand beside the scripts of Japanese, Chinese or Korean).
bool MixesScripts(std::string_view name);

}  // namespace komadai
