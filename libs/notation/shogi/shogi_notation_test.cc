#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/notation/errors.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/position_text.h"
#include "libs/notation/shogi/usi.h"
#include "libs/notation/shogi/western.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::notation {
namespace {

using rules::Kind;
using rules::Kings;
using rules::Move;
using rules::Position;
using rules::Square;
using rules::Variant;

Position At(std::string_view sfen) {
  return *ParsePosition(Variant::kShogi, sfen, Kings::kOptional);
}

// A board of First with `kind` on each of `squares` ("9c7b").
Position With(Kind kind, std::string_view squares) {
  rules::Setup setup;
  for (std::size_t i = 0; i + 1 < squares.size(); i += 2) {
    setup.Put(Square(squares[i] - '1', squares[i + 1] - 'a'),
              rules::Piece{kind, rules::Side::kFirst});
  }
  return *Position::From(setup, Kings::kOptional);
}

std::string Japanese(const Position& position, std::string_view usi) {
  return *FormatMove(position, *ParseUsi(Variant::kShogi, usi), Notation::kJapanese);
}

std::string ReadBy(Notation notation, const Position& position, std::string_view text,
                   MoveContext context = {}) {
  const Result<Move> move = ParseMove(position, text, notation, context);
  return move ? FormatUsi(*move) : move.error().reason();
}

struct Disambiguation {
  Kind kind;
  const char* squares;
  const char* move;
  const char* expected;
};

// The cases of the federation's page on notation.
class FederationTest : public testing::TestWithParam<Disambiguation> {};

TEST_P(FederationTest, WritesTheWordsOfTheFederation) {
  const Disambiguation& c = GetParam();
  const Position position = With(c.kind, c.squares);
  EXPECT_EQ(Japanese(position, c.move), c.expected);
  EXPECT_EQ(ReadBy(Notation::kJapanese, position, c.expected), c.move);
}

namespace sh = rules::shogi;
INSTANTIATE_TEST_SUITE_P(Motion, FederationTest,
                         testing::Values(Disambiguation{sh::kGold, "9c7b", "9c8b", "▲８二金上"},
                                         Disambiguation{sh::kGold, "9c7b", "7b8b", "▲８二金寄"},
                                         Disambiguation{sh::kGold, "4c3a", "4c3b", "▲３二金上"},
                                         Disambiguation{sh::kGold, "4c3a", "3a3b", "▲３二金引"},
                                         Disambiguation{sh::kGold, "5f4e", "5f5e", "▲５五金上"},
                                         Disambiguation{sh::kGold, "5f4e", "4e5e", "▲５五金寄"},
                                         Disambiguation{sh::kSilver, "8i7g", "8i8h", "▲８八銀上"},
                                         Disambiguation{sh::kSilver, "8i7g", "7g8h", "▲８八銀引"},
                                         Disambiguation{sh::kSilver, "4i2g", "2g3h", "▲３八銀引"}));
INSTANTIATE_TEST_SUITE_P(Flank, FederationTest,
                         testing::Values(Disambiguation{sh::kGold, "9b7b", "9b8a", "▲８一金左"},
                                         Disambiguation{sh::kGold, "9b7b", "7b8a", "▲８一金右"},
                                         Disambiguation{sh::kGold, "3b1b", "3b2b", "▲２二金左"},
                                         Disambiguation{sh::kSilver, "6e4e", "6e5f", "▲５六銀左"},
                                         Disambiguation{sh::kGold, "8i7i", "8i7h", "▲７八金左"},
                                         Disambiguation{sh::kGold, "8i7i", "7i7h", "▲７八金直"},
                                         Disambiguation{sh::kSilver, "3i2i", "3i3h", "▲３八銀直"},
                                         Disambiguation{sh::kSilver, "3i2i", "2i3h", "▲３八銀右"}));
INSTANTIATE_TEST_SUITE_P(
    BothWords, FederationTest,
    testing::Values(Disambiguation{sh::kGold, "6c5c4c", "6c5b", "▲５二金左"},
                    Disambiguation{sh::kGold, "6c5c4c", "5c5b", "▲５二金直"},
                    Disambiguation{sh::kTokin, "8i8h7i6h", "8h7h", "▲７八と左寄"},
                    Disambiguation{sh::kTokin, "8i8h7i6h", "8i7h", "▲７八と左上"},
                    Disambiguation{sh::kTokin, "8i8h7i6h", "7i7h", "▲７八と直"},
                    Disambiguation{sh::kTokin, "8i8h7i6h", "6h7h", "▲７八と右"},
                    Disambiguation{sh::kSilver, "3g2i1g3i", "3g2h", "▲２八銀左引"},
                    Disambiguation{sh::kSilver, "3g2i1g3i", "3i2h", "▲２八銀左上"},
                    Disambiguation{sh::kSilver, "3g2i1g3i", "2i2h", "▲２八銀直"},
                    Disambiguation{sh::kSilver, "3g2i1g3i", "1g2h", "▲２八銀右"}));
INSTANTIATE_TEST_SUITE_P(Dragons, FederationTest,
                         testing::Values(Disambiguation{sh::kDragon, "9a8d", "9a8b", "▲８二龍引"},
                                         Disambiguation{sh::kDragon, "9a8d", "8d8b", "▲８二龍上"},
                                         Disambiguation{sh::kDragon, "5b2c", "2c4c", "▲４三龍寄"},
                                         Disambiguation{sh::kDragon, "5b2c", "5b4c", "▲４三龍引"},
                                         Disambiguation{sh::kDragon, "5e1e", "5e3e", "▲３五龍左"},
                                         Disambiguation{sh::kDragon, "9i8i", "9i8h", "▲８八龍左"},
                                         Disambiguation{sh::kDragon, "9i8i", "8i8h", "▲８八龍右"},
                                         Disambiguation{sh::kHorse, "9a8a", "9a8b", "▲８二馬左"},
                                         Disambiguation{sh::kHorse, "9a8a", "8a8b", "▲８二馬右"},
                                         Disambiguation{sh::kHorse, "9e6c", "9e8e", "▲８五馬寄"},
                                         Disambiguation{sh::kHorse, "9i5i", "5i7g", "▲７七馬右"},
                                         Disambiguation{sh::kHorse, "4g1h", "1h2i", "▲２九馬右"}));

TEST(JapaneseTest, GotesWordsAreSeenFromGotesSide) {
  const Position position = At("8k/9/9/3gg4/9/9/9/9/K8 w - 1");
  EXPECT_EQ(Japanese(position, "6d5e"), "△５五金右");
  EXPECT_EQ(ReadBy(Notation::kJapanese, position, "△５五金右"), "6d5e");
}

TEST(JapaneseTest, ReadsWhatPeopleType) {
  const Position start = At("startpos");
  for (const char* text : {"７六歩", "▲７六歩", "☗７六歩", "76歩", "７６歩", "7六 歩", "７六歩(77)",
                           "７六歩（７７）", "▲７六歩不成"}) {
    EXPECT_EQ(ReadBy(Notation::kJapanese, start, text), "7g7f") << text;
  }
  EXPECT_EQ(ReadBy(Notation::kJapanese, start, "▲５八王"), "5i5h");
  const Position rooks = At("7k1/9/9/5+R3/9/9/9/4+R4/1K7 b - 1");
  for (const char* text : {"５五竜行", "５五龍上", "５五龍入"}) {
    EXPECT_EQ(ReadBy(Notation::kJapanese, rooks, text), "5h5e") << text;
  }
  const Position silvers = At("8k/9/9/9/3+S5/3+S5/9/9/K8 b - 1");
  EXPECT_EQ(ReadBy(Notation::kJapanese, silvers, "５五全寄"), "6e5e");
  const Position pieces = At("8k/9/2+P1+N1+L2/4+S4/9/9/9/9/K8 b - 1");
  EXPECT_EQ(ReadBy(Notation::kKif, pieces, "４二圭(53)"), "5c4b");
  EXPECT_EQ(ReadBy(Notation::kKif, pieces, "３二杏(33)"), "3c3b");
  EXPECT_EQ(ReadBy(Notation::kKif, pieces, "７二ト(73)"), "7c7b");
}

TEST(JapaneseTest, SameSquareNeedsAMoveBefore) {
  const Position position = At("8k/9/9/9/4p4/4P4/9/9/K8 b - 1");
  MoveContext context;
  context.previous_to = Square(4, 4);
  for (const char* text : {"同歩", "同　歩", "▲同 歩(56)", "５五歩"}) {
    EXPECT_EQ(ReadBy(Notation::kJapanese, position, text, context), "5f5e") << text;
  }
  EXPECT_EQ(ReadBy(Notation::kJapanese, position, "同歩"), "INVALID_MOVE");
}

TEST(JapaneseTest, AmbiguousAndImpossibleMovesSaySo) {
  const Position golds = At("8k/9/9/9/9/3G1G3/9/9/K8 b - 1");
  EXPECT_EQ(ReadBy(Notation::kJapanese, golds, "５五金"), "AMBIGUOUS_MOVE");
  EXPECT_EQ(ReadBy(Notation::kJapanese, golds, "５五金上"), "AMBIGUOUS_MOVE");
  EXPECT_EQ(ReadBy(Notation::kJapanese, golds, "５五金引"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kJapanese, golds, "５五金左上"), "6f5e");
  EXPECT_EQ(ReadBy(Notation::kJapanese, golds, "△５五金左"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kJapanese, golds, "５五銀"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kKif, golds, "５五銀(66)"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kKif, golds, "５五金打"), "NOT_IN_HAND");
}

TEST(JapaneseTest, BrokenRulesAreNamed) {
  const Position position = At("8k/4P4/9/9/9/9/9/9/K8 b PN 1");
  EXPECT_EQ(ReadBy(Notation::kJapanese, position, "５一歩"), "MUST_PROMOTE");
  EXPECT_EQ(ReadBy(Notation::kJapanese, position, "５五歩打"), "NIFU");
  EXPECT_EQ(ReadBy(Notation::kJapanese, position, "９一桂打"), "DEAD_PIECE_DROP");
  EXPECT_EQ(ReadBy(Notation::kCsa, position, "+0055FU"), "NIFU");
  EXPECT_EQ(ReadBy(Notation::kWestern, position, "P*5e"), "NIFU");
}

TEST(CsaMoveTest, PieceNameIsTheOneAfterTheMove) {
  const Position position = At("8k/9/9/3S1S3/9/9/9/9/K8 b - 1");
  EXPECT_EQ(ReadBy(Notation::kCsa, position, "+4453NG"), "4d5c+");
  EXPECT_EQ(ReadBy(Notation::kCsa, position, "4453GI"), "4d5c");
  EXPECT_EQ(ReadBy(Notation::kCsa, position, "+4453KI"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kCsa, position, "-4453NG"), "WRONG_SIDE");
  EXPECT_EQ(ReadBy(Notation::kCsa, position, "+4453ng"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kCsa, position, "+0055TO"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kCsa, position, "+0055OU"), "INVALID_MOVE");
}

TEST(WesternTest, ReadsWhatPeopleType) {
  const Position start = At("startpos");
  for (const char* text : {"P-7f", "P7f", "p-7f", "P-76", "P7g-7f", "P77-76", "P－7f"}) {
    EXPECT_EQ(ReadBy(Notation::kWestern, start, text), "7g7f") << text;
  }
  EXPECT_EQ(ReadBy(Notation::kWestern, start, "Px7f"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kWestern, start, "G-5h"), "AMBIGUOUS_MOVE");
  EXPECT_EQ(ReadBy(Notation::kWestern, start, "G6i-5h"), "6i5h");
  const Position drop = At("4k4/9/9/9/9/9/9/9/4K4 b P 1");
  for (const char* text : {"P*5e", "P'5e", "P@55"}) {
    EXPECT_EQ(ReadBy(Notation::kWestern, drop, text), "P*5e") << text;
  }
}

TEST(ShogiNotationTest, FormIsRecognised) {
  const Position start = At("startpos");
  for (const char* text : {"7g7f", "P-7f", "P-76", "▲７六歩", "７六歩(77)", "+7776FU", "7776FU"}) {
    const Result<Move> move = ParseAnyMove(start, text);
    ASSERT_TRUE(move) << text;
    EXPECT_EQ(FormatUsi(*move), "7g7f") << text;
  }
}

TEST(ShogiNotationTest, ForeignNotationsAreRefused) {
  const Position start = At("startpos");
  const Move move = *ParseUsi(Variant::kShogi, "7g7f");
  EXPECT_TRUE(FormatMove(start, move, Notation::kWxf).error().Is(kWrongNotation));
  EXPECT_TRUE(ParseMove(start, "C2=5", Notation::kWxf).error().Is(kWrongNotation));
}

TEST(ShogiNotationTest, HostileTextIsRefusedAndQuotedShort) {
  const Position start = At("startpos");
  const std::string inputs[] = {"",
                                " ",
                                "同",
                                "(((((",
                                std::string(1'000'000, '7'),
                                std::string("\0\0\0\0", 4),
                                "\xFF\xFE",
                                "▲",
                                "７",
                                "７六",
                                "７六歩(",
                                "７六歩(7",
                                "７六歩(77",
                                "+",
                                "+P",
                                "+P-",
                                "成成成",
                                "７六成"};
  for (const std::string& text : inputs) {
    for (const Notation notation : NotationsOf(Variant::kShogi)) {
      const Result<Move> move = ParseMove(start, text, notation);
      ASSERT_FALSE(move) << text.substr(0, 20);
      EXPECT_LT(move.error().message().size(), 200U);
    }
    EXPECT_FALSE(ParseAnyMove(start, text));
  }
}

}  // namespace
}  // namespace komadai::notation
