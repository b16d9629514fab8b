// Player: a client with habits. It repeats what may not have arrived, exactly as it was.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulation/viewer.h"

namespace komadai::simulation {

// How a game is to be played. Chances are of kAlways.
struct Plan {
  std::string game_id;
  game::NewGame wish;
  int plies = 12;        // then the players look for an end
  bool closing = false;  // from now on every game is brought to its end
  bool abandon = false;  // if there is a clock: by letting the flag fall

  int think_ms = 40;
  int gamble = 0;  // moves that are to arrive just at the deadline
  int offer_draw = 0;
  int accept = kAlways / 2;
  int ask_takeback = 0;
  int give_time = 0;
  int resign = 0;
  int abort = 0;
  int nonsense = 0;  // calls that must be refused, and old ones again
  int overlap = 0;   // a move sent a second time without waiting for the answer
};

class Player {
 public:
  Player(Environment& environment, Cluster<GameNode>& games, Judge& judge, const Plan& plan,
         Side side);
  ~Player() { process_.Kill(); }

  // Plays until the game is over.
  Task<void> Run();
  bool done() const { return done_; }

 private:
  Task<void> TakePart();
  Task<void> Close();
  Task<void> Move();
  Task<void> Play(int ply, std::string move);
  Task<void> PlayOnce(int ply, std::string move);
  Task<void> AskFor(Act act);
  Task<void> GiveTime();
  Task<void> TalkNonsense();
  Task<bool> AnswerOffers();
  // Perhaps does something beside moving.
  Task<bool> DoSomethingElse();
  Millis ThinkingTime();

  // Calls until there is an answer that another attempt would not change, a few times at most.
  template <typename Reply>
  Task<Result<Reply>> Insist(Handler<Reply, GameNode> handler, std::string what);

  const View& view() const { return viewer_.view(); }
  game::MoveCommand CommandFor(int ply, const std::string& move) const;

  Environment& environment_;
  Dice& dice_;
  Cluster<GameNode>& games_;
  Judge& judge_;
  const Plan& plan_;
  const Side side_;
  const std::string id_;
  Process process_;
  Viewer viewer_;
  std::int64_t answered_ = 0;  // the sequence at which an offer was answered or left alone
  std::vector<std::pair<int, std::string>> played_;
  int gifts_ = 0;
  bool done_ = false;
};

}  // namespace komadai::simulation
