#include "libs/names/reserved_name.h"

#include <gtest/gtest.h>

#include "libs/names/display_name.h"

namespace komadai {
namespace {

TEST(ReservedNameTest, ReservedNamesHoweverTheyAreWritten) {
  for (const char* name : {"Admin",         "ADMIN",           "admin",
                           "Admin 2",       "the admin",       "a d m i n",
                           "a.d.m.i.n",     "Adm1n",           "4dmin",
                           "@dmin",         "AdmIn",           "Admln",
                           "Аdmin",         "ａｄｍｉｎ",      "ádmin",
                           "𝐀𝐝𝐦𝐢𝐧",         "ad\u200Dmin",     "Computer (hard)",
                           "computer",      "C0mputer",        "Komadai",
                           "K o m a d a i", "Moderator",       "Mod",
                           "system",        "Support",         "root",
                           "Stockfish",     "Fairy-Stockfish", "Αdmin",
                           "admin!",        "[Admin]",         "管理者",
                           "運営",          "コンピュータ",    "ｺﾝﾋﾟｭｰﾀ",
                           "管理员",        "管理員",          "系统",
                           "관리자",        "Quản trị viên",   "QUẢN TRỊ VIÊN",
                           "Админ",         "АДМИНИСТРАТОР"}) {
    EXPECT_TRUE(IsReservedName(name)) << name;
  }
}

TEST(ReservedNameTest, OrdinaryNamesAreNot) {
  for (const char* name :
       {"tanuki",     "Ann",           "Bob 7",  "Guest 4821", "羽生善治", "藤井聡太",
        "将棋好き",   "Nguyễn Văn An", "Müller", "Иван",       "김철수",   "王小明",
        "modest",     "Adam",          "rooty",  "Badminton",  "Modesto",  "honest-x1-3",
        "load-abc-0", "Systematic",    "컴",     "Компот",     "4D",       "x_1",
        "日本 太郎"}) {
    EXPECT_FALSE(IsReservedName(name)) << name;
    EXPECT_TRUE(CleanName(name)) << name;
  }
}

TEST(MixesScriptsTest, LatinMayStandBesideTheScriptsOfTheGamesButNotBesideLookAlikes) {
  for (const char* name :
       {"tanuki", "Ann 将棋", "shogi ファン", "김 Kim", "Иван", "王 Wang", "Bob ☗", "Ωmega1"}) {
    EXPECT_EQ(MixesScripts(name), std::string(name) == "Ωmega1") << name;
  }
  EXPECT_TRUE(MixesScripts("tаnuki"));  // a Cyrillic letter
}

TEST(CleanNameTest, ReservedAndMixedNamesAreRefusedWithAReason) {
  EXPECT_TRUE(CleanName("Admin").error().Is(kNameReserved));
  EXPECT_TRUE(CleanName("Computer (hard)").error().Is(kNameReserved));
  EXPECT_TRUE(CleanName("tаnuki").error().Is(kInvalidName));
}

TEST(CleanNameTest, AReservedNameFromElsewhereIsReplaced) {
  EXPECT_EQ(NameFromElsewhere("Admin"), "Player");
  EXPECT_EQ(NameFromElsewhere("tanuki"), "tanuki");
}

}  // namespace
}  // namespace komadai
