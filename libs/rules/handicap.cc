#include "libs/rules/handicap.h"

#include <string>

#include "libs/base/check.h"
#include "libs/rules/shogi/kinds.h"
#include "libs/rules/xiangqi/kinds.h"

namespace komadai::rules {
namespace {

constexpr std::string_view kAllButKing = "1a2a3a4a6a7a8a9a2b8b1c2c3c4c5c6c7c8c9c";

// Uwate's rook stands on 8b and the bishop on 2b. "Left" and "right" are as uwate sits, so the left
// lance is on 1a.
constexpr Handicap kShogi[] = {
    {"none", "Even game", "Hirate", "平手", "Không chấp", ""},
    {"left_lance", "Left lance", "Kyo-ochi", "香落ち", "Chấp Thương", "1a"},
    {"right_lance", "Right lance", "Migi-kyo-ochi", "右香落ち", "Chấp Thương phải", "9a"},
    {"silver", "Silver", "Gin-ochi", "銀落ち", "Chấp Bạc", "7a"},
    {"left_silver", "Left silver", "Hidari-gin-ochi", "左銀落ち", "Chấp Bạc trái", "3a"},
    {"bishop", "Bishop", "Kaku-ochi", "角落ち", "Chấp Tượng", "2b"},
    {"rook", "Rook", "Hisha-ochi", "飛車落ち", "Chấp Xe", "8b"},
    {"rook_lance", "Rook and lance", "Hikyo-ochi", "飛香落ち", "Chấp Xe Thương", "8b1a"},
    {"2_piece", "Two pieces", "Nimai-ochi", "二枚落ち", "Chấp 2 quân", "2b8b"},
    {"3_piece", "Three pieces", "Sanmai-ochi", "三枚落ち", "Chấp 3 quân", "2b8b9a"},
    {"3_piece_left_lance", "Three pieces (left lance)", "Hidari-sanmai-ochi", "左三枚落ち",
     "Chấp 3 quân (Thương trái)", "2b8b1a"},
    {"4_piece", "Four pieces", "Yonmai-ochi", "四枚落ち", "Chấp 4 quân", "2b8b1a9a"},
    {"5_piece", "Five pieces", "Gomai-ochi", "五枚落ち", "Chấp 5 quân", "2b8b1a9a8a"},
    {"5_piece_left_knight", "Five pieces (left knight)", "Hidari-gomai-ochi", "左五枚落ち",
     "Chấp 5 quân (Mã trái)", "2b8b1a9a2a"},
    {"6_piece", "Six pieces", "Rokumai-ochi", "六枚落ち", "Chấp 6 quân", "2b8b1a9a2a8a"},
    {"8_piece", "Eight pieces", "Hachimai-ochi", "八枚落ち", "Chấp 8 quân", "2b8b1a9a2a8a3a7a"},
    {"10_piece", "Ten pieces", "Jumai-ochi", "十枚落ち", "Chấp 10 quân", "2b8b1a9a2a8a3a7a4a6a"},
    {"three_pawns", "Three pawns in hand", "Fu-sanbyo", "歩三兵", "Chấp cầm 3 Tốt", kAllButKing, 3},
    {"bare_king", "Bare king", "Hadaka gyoku", "裸玉", "Chấp toàn bộ", kAllButKing},
};

constexpr Handicap kMinishogi[] = {
    {"none", "Even game", "Hirate", "平手", "Không chấp", ""},
    {"bishop", "Bishop", "Kaku-ochi", "角落ち", "Chấp Tượng", "4a"},
    {"rook", "Rook", "Hisha-ochi", "飛車落ち", "Chấp Xe", "5a"},
    {"2_piece", "Two pieces", "Nimai-ochi", "二枚落ち", "Chấp 2 quân", "5a4a"},
    {"3_piece", "Three pieces", "Sanmai-ochi", "三枚落ち", "Chấp 3 quân", "5a4a3a"},
    {"4_piece", "Four pieces", "Yonmai-ochi", "四枚落ち", "Chấp 4 quân", "5a4a3a2a"},
};

constexpr Handicap kXiangqi[] = {
    {"none", "Even game", "Pingxian", "平先", "Không chấp", ""},
};

void PutBoth(Setup& setup, int file, int rank, Kind kind) {
  const Square square(file, rank);
  setup.Put(square, {kind, Side::kSecond});
  const Square opposite(FileCount(setup.variant) - 1 - file, RankCount(setup.variant) - 1 - rank);
  setup.Put(opposite, {kind, Side::kFirst});
}

Setup EvenShogi() {
  using namespace shogi;
  Setup setup;
  constexpr Kind kBack[] = {kLance, kKnight, kSilver, kGold, kKing,
                            kGold,  kSilver, kKnight, kLance};
  for (int file = 0; file < 9; ++file) {
    PutBoth(setup, file, 0, kBack[file]);
    PutBoth(setup, file, 2, kPawn);
  }
  PutBoth(setup, 1, 1, kBishop);
  PutBoth(setup, 7, 1, kRook);
  return setup;
}

Setup EvenMinishogi() {
  using namespace shogi;
  Setup setup;
  setup.variant = Variant::kMinishogi;
  constexpr Kind kBack[] = {kKing, kGold, kSilver, kBishop, kRook};
  for (int file = 0; file < 5; ++file) PutBoth(setup, file, 0, kBack[file]);
  PutBoth(setup, 0, 1, kPawn);
  return setup;
}

// Both armies mirror each other across the river, file by file.
Setup EvenXiangqi() {
  using namespace xiangqi;
  Setup setup;
  setup.variant = Variant::kXiangqi;
  constexpr Kind kBack[] = {kChariot, kHorse,    kElephant, kAdvisor, kGeneral,
                            kAdvisor, kElephant, kHorse,    kChariot};
  const auto put = [&setup](int file, int rank, Kind kind) {
    setup.Put(Square(file, rank), {kind, Side::kFirst});
    setup.Put(Square(file, 9 - rank), {kind, Side::kSecond});
  };
  for (int file = 0; file < 9; ++file) put(file, 0, kBack[file]);
  for (const int file : {1, 7}) put(file, 2, kCannon);
  for (const int file : {0, 2, 4, 6, 8}) put(file, 3, kSoldier);
  return setup;
}

Setup EvenSetup(Variant variant) {
  switch (variant) {
    case Variant::kShogi:
      return EvenShogi();
    case Variant::kMinishogi:
      return EvenMinishogi();
    case Variant::kXiangqi:
      return EvenXiangqi();
  }
  return {};
}

Position Build(Variant variant, const Handicap& handicap) {
  Setup setup = EvenSetup(variant);
  for (std::size_t i = 0; i + 1 < handicap.removed.size(); i += 2) {
    setup.Put(Square(handicap.removed[i] - '1', handicap.removed[i + 1] - 'a'), Piece());
  }
  setup.hands[1][static_cast<std::size_t>(shogi::kPawn)] =
      static_cast<std::uint8_t>(handicap.second_pawns_in_hand);
  if (handicap.id != "none") setup.side_to_move = Side::kSecond;
  auto position = Position::From(setup);
  KOMADAI_CHECK(position);
  return *position;
}

}  // namespace

std::span<const Handicap> HandicapsOf(Variant variant) {
  switch (variant) {
    case Variant::kShogi:
      return kShogi;
    case Variant::kMinishogi:
      return kMinishogi;
    case Variant::kXiangqi:
      return kXiangqi;
  }
  return {};
}

Result<Handicap> FindHandicap(Variant variant, std::string_view id) {
  const auto handicaps = HandicapsOf(variant);
  if (id.empty()) return handicaps.front();
  for (const Handicap& handicap : handicaps) {
    if (handicap.id == id) return handicap;
  }
  return Error{kUnknownHandicap,
               std::string(VariantName(variant)) + " has no handicap '" + std::string(id) + "'",
               {{"handicap", std::string(id)}, {"variant", std::string(VariantName(variant))}}};
}

Position StartPosition(Variant variant) { return Build(variant, HandicapsOf(variant).front()); }

Result<Position> StartPosition(Variant variant, std::string_view handicap_id) {
  const auto handicap = FindHandicap(variant, handicap_id);
  if (!handicap) return handicap.error();
  return Build(variant, *handicap);
}

}  // namespace komadai::rules
