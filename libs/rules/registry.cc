// The one list of games: a new variant adds its enumerator, its row here and its folder.
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

constexpr bool InEnumerationOrder() {
  int expected = 0;
  for (const Registration& row : kRegistry) {
    if (static_cast<int>(row.variant) != expected++) return false;
  }
  return true;
}
static_assert(InEnumerationOrder());

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
