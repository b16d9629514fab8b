#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "libs/config/settings.h"

extern char** environ;

namespace komadai::config {
namespace {

constexpr std::string_view kPrefix = "KOMADAI_";
constexpr std::size_t kNear = 2;

// Levenshtein's distance: letters to insert, leave out or replace.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> VariableNames() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

std::vector<std::string> Settings::Misspelt(const std::vector<std::string>& variables) const {
  std::vector<std::string> known;
  for (const Entry& entry : entries_) {
    known.push_back(entry.EnvName());
    if (entry.is_secret) known.push_back(entry.EnvName() + "_FILE");
  }
  std::vector<std::string> warnings;
  for (const std::string& name : variables) {
    if (name.rfind(kPrefix, 0) != 0) continue;
    const auto nearest = std::min_element(
        known.begin(), known.end(),
        [&](const auto& a, const auto& b) { return Distance(a, name) < Distance(b, name); });
    if (nearest == known.end()) continue;
    const std::size_t distance = Distance(*nearest, name);
    if (distance == 0 || distance > kNear) continue;
    warnings.push_back(name + " is not a setting and is ignored; " + *nearest + " is one");
  }
  return warnings;
}

}  // namespace komadai::config
