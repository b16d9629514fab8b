// The one list of games. A new one adds its enumerator in types.h, its row here and its folder; no
// other file outside the folder knows which games there are.
#include <iterator>

#include "libs/base/check.h"
#include "libs/rules/game.h"
#include "libs/rules/shogi/shogi_game.h"
#include "libs/rules/xiangqi/xiangqi_game.h"

namespace komadai::rules {
namespace {

struct Registration {
  Variant variant;
  std::string_view name;
  int files;
  int ranks;
  const Game& (*game)();
};

constexpr Registration kRegistry[] = {
    {Variant::kShogi, "shogi", 9, 9, shogi::ShogiGame},
    {Variant::kMinishogi, "minishogi", 5, 5, shogi::MinishogiGame},
    {Variant::kXiangqi, "xiangqi", 9, 10, xiangqi::XiangqiGame},
};

// Rows are found by the variant's number, so they are those of kVariants, in its order; boards fit
// what all games share: Setup, Square (4 bits a coordinate) and SquareSet (7 bits a square).
constexpr bool RegistryIsSound() {
  if (std::size(kRegistry) != std::size(kVariants)) return false;
  for (std::size_t i = 0; i < std::size(kRegistry); ++i) {
    const Registration& row = kRegistry[i];
    if (row.variant != kVariants[i] || static_cast<std::size_t>(row.variant) != i) return false;
    if (row.files > Setup::kMaxFiles || row.ranks > Setup::kMaxRanks) return false;
    if (row.files * row.ranks > static_cast<int>(SquareSet().size())) return false;
  }
  return true;
}
static_assert(RegistryIsSound());

const Registration& RowOf(Variant variant) {
  const auto i = static_cast<std::size_t>(variant);
  KOMADAI_CHECK(i < std::size(kRegistry));
  return kRegistry[i];
}

}  // namespace

std::string_view VariantName(Variant variant) { return RowOf(variant).name; }

std::optional<Variant> FindVariant(std::string_view name) {
  for (const Registration& row : kRegistry) {
    if (row.name == name) return row.variant;
  }
  return std::nullopt;
}

int FileCount(Variant variant) { return RowOf(variant).files; }
int RankCount(Variant variant) { return RowOf(variant).ranks; }

bool OnBoard(Variant variant, Square square) {
  const Registration& row = RowOf(variant);
  return square.valid() && square.file() < row.files && square.rank() < row.ranks;
}

int SquareIndex(Variant variant, Square square) {
  return square.file() * RowOf(variant).ranks + square.rank();
}

Square SquareAt(Variant variant, int index) {
  const int ranks = RowOf(variant).ranks;
  return Square(index / ranks, index % ranks);
}

const Game& GameOf(Variant variant) { return RowOf(variant).game(); }

}  // namespace komadai::rules
