// `komadai play` and `komadai watch`: a game at the terminal.
#pragma once

#include <string>

namespace komadai::cli {

struct PlayOptions {
  std::string target;
  std::string variant = "shogi";
  std::string name;                  // nickname; empty: the server makes one up
  std::string token = {};            // an ID token: play as that account
  bool test_player = false;          // sign in as a named test player (rated games)
  std::string against = "computer";  // computer, anyone, friend
  std::string join;                  // code of a friend's challenge
  std::string level = "medium";      // of the computer
  std::string side = "any";          // first, second, any
  std::string handicap;
  bool no_clock = false;
  int main_seconds = 300;
  int byoyomi_seconds = 30;
  int byoyomi_periods = 3;
  bool rated = false;
  bool colour = true;
};
int RunPlay(const PlayOptions& options);

struct WatchOptions {
  std::string target;
  std::string game_id;
  bool colour = true;
};
int RunWatch(const WatchOptions& options);

}  // namespace komadai::cli
