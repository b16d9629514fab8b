// Player: one side of a game, on a thread of its own: thinks, moves, repeats itself, offers and
// answers draws, resigns or lets its flag fall, as the plan says; writes everything into the
// ledger.
#pragma once

#include <string>
#include <vector>

#include "tests/chaos/ledger.h"
#include "tests/chaos/plan.h"
#include "tests/chaos/table.h"
#include "tests/chaos/world.h"

namespace komadai::chaos {

class Player {
 public:
  Player(World& world, const GamePlan& plan, std::string game_id, Side side, Table& table,
         Ledger& ledger);

  // Plays to the end of the game.
  void Run();

 private:
  enum class Outcome : std::uint8_t { kGoesOn, kLeaves };

  Outcome TakeTurn();
  Outcome Move(const Table::View& view);
  // After an own move: old moves again, an offer, a resignation while the opponent thinks.
  Outcome Afterthoughts(int ply);
  bool FinishesBy(Style style, int ply) const;
  void Think(const Table::View& view);

  // One call each, repeated until it has an answer.
  Result<Answer> SendMove(std::size_t call, TimePoint* deadline);
  void SendAgain(std::size_t call);
  void Resign();
  void OfferDraw(int ply);
  void AnswerOffer();
  // The game is over, somebody or something has ended it: waits until the server says so, too.
  void AwaitEnd();
  bool ServerSaysOver();

  template <typename Request, typename Response>
  Result<Response> Call(play::Replicas<game::v1::GameService>::Method<Request, Response> method,
                        const Request& request, std::size_t call, int* attempts);
  // Writes a failure down.
  void Failed(std::size_t call, const Error& error, int attempts);

  World& world_;
  const GamePlan plan_;
  const std::string game_id_;
  const Side side_;
  const std::string authorization_;
  Table& table_;
  Ledger& ledger_;
  Whims whims_;
  std::vector<std::size_t> own_moves_;  // in the ledger
  int offers_ = 0;
};

}  // namespace komadai::chaos
