#include "libs/rules/xiangqi/handicaps.h"

#include "libs/rules/xiangqi/board.h"
#include "libs/rules/xiangqi/kinds.h"

namespace komadai::rules::xiangqi {
namespace {

constexpr Handicap kHandicaps[] = {
    {"none", "Even game", "Pingxian", "平先", "Không chấp", ""},
};

}  // namespace

std::span<const Handicap> Handicaps() { return kHandicaps; }

// Both armies mirror each other across the river, file by file.
Setup EvenSetup() {
  Setup setup;
  setup.variant = Variant::kXiangqi;
  constexpr Kind kBack[] = {kChariot, kHorse,    kElephant, kAdvisor, kGeneral,
                            kAdvisor, kElephant, kHorse,    kChariot};
  const auto put = [&setup](int file, int rank, Kind kind) {
    setup.Put(Square(file, rank), {kind, Side::kFirst});
    setup.Put(Square(file, kRanks - 1 - rank), {kind, Side::kSecond});
  };
  for (int file = 0; file < kFiles; ++file) put(file, 0, kBack[file]);
  for (const int file : {1, 7}) put(file, 2, kCannon);
  for (const int file : {0, 2, 4, 6, 8}) put(file, 3, kSoldier);
  return setup;
}

}  // namespace komadai::rules::xiangqi
