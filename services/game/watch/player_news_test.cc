#include "services/game/watch/player_news.h"

#include <gtest/gtest.h>

namespace komadai::game {
namespace {

namespace pb = ::komadai::game::v1;

PlayerNews::Message News(const std::string& game_id, pb::PlayerGameChange change, int ply) {
  PlayerNews::Message message;
  message.set_game_id(game_id);
  message.set_change(change);
  message.set_ply(ply);
  message.set_at_ms(1000 + ply);  // every ply takes a moment
  return message;
}

std::vector<std::string> TextOf(const std::vector<PlayerNews::Message>& news) {
  std::vector<std::string> text;
  for (const PlayerNews::Message& message : news) {
    text.push_back(message.game_id() + std::to_string(message.ply()) + "/" +
                   std::to_string(message.change()));
  }
  return text;
}

using Texts = std::vector<std::string>;

TEST(PlayerNewsTest, ChangesFollowThePresentTheyArrivedBefore) {
  PlayerNews news;
  EXPECT_FALSE(news.Hold(News("a", pb::PLAYER_GAME_CHANGE_YOUR_MOVE, 1)));
  ASSERT_TRUE(news.Resync());
  EXPECT_TRUE(news.Hold(News("a", pb::PLAYER_GAME_CHANGE_YOUR_MOVE, 3)));
  EXPECT_TRUE(news.Hold(News("a", pb::PLAYER_GAME_CHANGE_YOUR_MOVE, 5)));
  EXPECT_TRUE(news.Hold(News("b", pb::PLAYER_GAME_CHANGE_ENDED, 9)));
  EXPECT_FALSE(news.Again());
  const auto sent = news.Take({News("a", pb::PLAYER_GAME_CHANGE_PRESENT, 4)});
  EXPECT_EQ(TextOf(sent), (Texts{"a4/1", "a5/3", "b9/6"})) << "what is older is left out";
}

TEST(PlayerNewsTest, ATakebackIsLaterAlthoughItsPlyIsSmaller) {
  PlayerNews news;
  ASSERT_TRUE(news.Resync());
  PlayerNews::Message takeback = News("a", pb::PLAYER_GAME_CHANGE_YOUR_MOVE, 2);
  takeback.set_at_ms(2000);
  EXPECT_TRUE(news.Hold(takeback));
  EXPECT_EQ(TextOf(news.Take({News("a", pb::PLAYER_GAME_CHANGE_PRESENT, 4)})),
            (Texts{"a4/1", "a2/3"}));
}

TEST(PlayerNewsTest, WhatArrivesWhileThePresentIsSentComesBehindIt) {
  PlayerNews news;
  ASSERT_TRUE(news.Resync());
  EXPECT_EQ(news.Take({News("a", pb::PLAYER_GAME_CHANGE_PRESENT, 0)}).size(), 1u);
  EXPECT_TRUE(news.Hold(News("a", pb::PLAYER_GAME_CHANGE_YOUR_MOVE, 2)));
  EXPECT_EQ(TextOf(news.Take({})), Texts{"a2/3"});
  EXPECT_TRUE(news.Take({}).empty());
  EXPECT_FALSE(news.Hold(News("a", pb::PLAYER_GAME_CHANGE_YOUR_MOVE, 4))) << "as they come again";
}

TEST(PlayerNewsTest, AResyncWhileThePresentIsReadReadsItAgain) {
  PlayerNews news;
  ASSERT_TRUE(news.Resync());
  EXPECT_FALSE(news.Resync()) << "one reads for both";
  EXPECT_TRUE(news.Again());
  EXPECT_FALSE(news.Again());
}

TEST(PlayerNewsTest, MoreThanCanBeHeldBackReadsItAgain) {
  PlayerNews news;
  ASSERT_TRUE(news.Resync());
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(news.Hold(News("a", pb::PLAYER_GAME_CHANGE_YOUR_MOVE, i)));
  }
  EXPECT_TRUE(news.Again());
  EXPECT_TRUE(news.Take({}).empty());
}

}  // namespace
}  // namespace komadai::game
