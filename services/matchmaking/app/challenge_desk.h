// ChallengeDesk: invitations to one person or by link, and rematches.
#pragma once

#include <string>

#include "libs/base/random.h"
#include "libs/base/side.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/rpc/call.h"
#include "services/matchmaking/app/pools.h"
#include "services/matchmaking/ports/ports.h"
#include "services/matchmaking/store/challenge_store.h"

namespace komadai::matchmaking {

struct NewChallenge {
  std::string challenge_id;
  common_pb::Player challenger;
  pb::GameTerms terms;
  pb::SideWish wish = pb::SIDE_WISH_UNSPECIFIED;
  std::string opponent_id;  // empty: anybody with the link
  bool listed = false;      // shown in the lobby
  Millis lifetime{0};
};

struct AcceptedChallenge {
  pb::Challenge challenge;
  Side side;  // of the player who accepted
};

struct Rematch {
  std::string new_game_id;  // empty: the other has not asked yet
  std::int64_t expires_at_ms = 0;
};

class ChallengeDesk {
 public:
  // How long a wish for a rematch holds.
  static constexpr Millis kRematchLifetime{5 * 60 * 1000};

  // How many open ones a player may have.
  static constexpr int kMaxOpen = 10;

  ChallengeDesk(ChallengeStore& store, GamePort& games, RatingPort& ratings, Random& random,
                const TimeSource& time)
      : store_(store), games_(games), ratings_(ratings), random_(random), time_(time) {}

  // REQUEST_ID_REUSED, TOO_MANY_CHALLENGES.
  Task<Result<pb::Challenge>> Create(NewChallenge wish);
  // As it stands now: an open one past its lifetime is expired. CHALLENGE_NOT_FOUND.
  Task<Result<pb::Challenge>> Get(std::string challenge_id);
  // A challenge is accepted once: the first to commit plays. CHALLENGE_CLOSED, OWN_CHALLENGE,
  // NOT_YOURS, TOO_MANY_RATED_GAMES; TOO_MANY_GAMES leaves it open.
  Task<Result<AcceptedChallenge>> Accept(rpc::Call call, std::string challenge_id,
                                         common_pb::Player player);
  // By the invited person, or withdrawn by the challenger.
  Task<Result<pb::Challenge>> Decline(std::string challenge_id, std::string player_id);

  // Both wishes make one game. NOT_A_PLAYER, GAME_STILL_ON, TOO_MANY_RATED_GAMES.
  Task<Result<Rematch>> RequestRematch(rpc::Call call, std::string game_id, std::string player_id);
  // Takes the wish back, if there is one and the rematch does not exist yet. NOT_A_PLAYER.
  Task<Result<Rematch>> WithdrawRematch(rpc::Call call, std::string game_id, std::string player_id);

  // Creates the games of accepted challenges that have none yet, and closes rooms that nobody
  // entered in time.
  Task<void> Sweep();

 private:
  Task<Result<ChallengeEntry>> Load(std::string challenge_id);
  // One attempt each; what it is for is said above.
  Task<livestore::Attempt<pb::Challenge>> TryCreate(NewChallenge wish);
  Task<livestore::Attempt<AcceptedChallenge>> TryAccept(rpc::Call call, std::string challenge_id,
                                                        common_pb::Player player);
  Task<livestore::Attempt<pb::Challenge>> TryDecline(std::string challenge_id,
                                                     std::string player_id);
  Task<livestore::Attempt<Rematch>> TryRematch(rpc::Call call, game::v1::Game game, Side side);
  Task<livestore::Attempt<Rematch>> WishAgain(game::v1::Game game, Side side, RematchEntry entry);
  Task<livestore::Attempt<Rematch>> TryWithdraw(std::string game_id, Side side);
  // Both want it: settles who plays, or creates the game of those who do.
  Task<livestore::Attempt<Rematch>> TryBegin(rpc::Call call, game::v1::Game game, Side side,
                                             RematchEntry entry);
  Task<Result<ChallengeEntry>> CreateGame(rpc::Call call, ChallengeEntry entry);
  // Takes a place among the player's open challenges before the challenge is created, so that
  // concurrent calls cannot create more challenges than there are places. How many are taken.
  Task<Result<int>> TakePlace(std::string player_id, std::string challenge_id,
                              std::int64_t expires_at);
  Task<livestore::Attempt<int>> TryTakePlace(std::string player_id, std::string challenge_id,
                                             std::int64_t expires_at);
  // Gives back the places of challenges that are not open.
  Task<Result<OpenChallengesEntry>> WithoutClosed(OpenChallengesEntry open);
  Task<Status> CheckRatedGames(rpc::Call call, std::string player_id, std::string opponent_id);
  // The player with their current rating, if the rating service answers.
  Task<common_pb::Player> WithRating(rpc::Call call, common_pb::Player player,
                                     common_pb::Variant variant);
  Task<void> SweepShard(rpc::Call call, int shard);
  // The first game of a chain of replays that `game` is the last of; `game` if it is no replay.
  Task<Result<game::v1::Game>> FirstOf(rpc::Call call, game::v1::Game game);

  ChallengeStore& store_;
  GamePort& games_;
  RatingPort& ratings_;
  Random& random_;
  const TimeSource& time_;
};

}  // namespace komadai::matchmaking
