#include "libs/rules/shogi/handicaps.h"

namespace komadai::rules::shogi {
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

// Gote's piece, and Sente's turned about the middle of the board.
template <class G>
void PutBoth(Setup& setup, int file, int rank, Kind kind) {
  setup.Put(Square(file, rank), {kind, Side::kSecond});
  setup.Put(Square(G::kFiles - 1 - file, G::kRanks - 1 - rank), {kind, Side::kFirst});
}

}  // namespace

template <>
std::span<const Handicap> Handicaps<Nine>() {
  return kShogi;
}
template <>
std::span<const Handicap> Handicaps<Five>() {
  return kMinishogi;
}

template <>
Setup EvenSetup<Nine>() {
  Setup setup;
  setup.variant = Nine::kVariant;
  constexpr Kind kBack[] = {kLance, kKnight, kSilver, kGold, kKing,
                            kGold,  kSilver, kKnight, kLance};
  for (int file = 0; file < 9; ++file) {
    PutBoth<Nine>(setup, file, 0, kBack[file]);
    PutBoth<Nine>(setup, file, 2, kPawn);
  }
  PutBoth<Nine>(setup, 1, 1, kBishop);
  PutBoth<Nine>(setup, 7, 1, kRook);
  return setup;
}

template <>
Setup EvenSetup<Five>() {
  Setup setup;
  setup.variant = Five::kVariant;
  constexpr Kind kBack[] = {kKing, kGold, kSilver, kBishop, kRook};
  for (int file = 0; file < 5; ++file) PutBoth<Five>(setup, file, 0, kBack[file]);
  PutBoth<Five>(setup, 0, 1, kPawn);
  return setup;
}

Setup WithHandicap(Setup even, const Handicap& handicap) {
  const std::string_view removed = handicap.removed;
  for (std::size_t i = 0; i + 1 < removed.size(); i += 2) {
    even.Put(Square(removed[i] - '1', removed[i + 1] - 'a'), Piece());
  }
  even.hands[Index(Side::kSecond)][Index(kPawn)] =
      static_cast<std::uint8_t>(handicap.second_pawns_in_hand);
  return even;
}

}  // namespace komadai::rules::shogi
