#include "tests/simulation/world.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "libs/livestore/shard.h"
#include "libs/rules/ruleset.h"
#include "tests/simulation/clock_node.h"
#include "tests/simulation/cluster.h"
#include "tests/simulation/database.h"
#include "tests/simulation/game_node.h"
#include "tests/simulation/player.h"

namespace komadai::simulation {
namespace {

constexpr Millis kLook{25};             // how often the world looks whether it is done
constexpr Millis kMaxStorm{5000};       // faults last at most this long
constexpr Millis kMaxSettling{60'000};  // and everything must be whole this long after them
constexpr Millis kAftermath{2700};      // longer than anything is under way

timecontrol::TimeControl AnyControl(Dice& dice) {
  timecontrol::SideTime side;
  side.main = Millis(dice.OneOf<int>({200, 800, 2500, 6000}));
  switch (dice.Between(0, 3)) {
    case 0:
      side.byoyomi = Millis(dice.OneOf<int>({60, 200}));
      side.byoyomi_periods = static_cast<int>(dice.Between(1, 3));
      break;
    case 1:
      side.increment = Millis(dice.OneOf<int>({20, 100}));
      break;
    case 2:
      side.delay = Millis(dice.OneOf<int>({20, 100}));
      break;
    default:
      break;
  }
  return {side, side};
}

game::NewGame AnyGame(Dice& dice) {
  game::NewGame wish;
  wish.id = "game" + std::to_string(dice.Between(1, 999));
  wish.wish.variant = rules::Variant::kMinishogi;
  wish.wish.ruleset = *rules::FindRuleset(rules::Variant::kMinishogi, "");
  wish.wish.ruleset_base = "standard";
  wish.players[0] = {"ann", "Ann", game::PlayerKind::kPerson, 0, 1500};
  wish.players[1] = {"bob", "Bob", game::PlayerKind::kPerson, 0, 1500};
  if (dice.Chance(kAlways / 10)) {
    wish.players[dice.Index(2)] = {"", "Computer", game::PlayerKind::kComputer, 1, 0};
  } else if (dice.Chance(kAlways / 2)) {
    wish.rated = true;
  } else {
    wish.allow_takeback = dice.Chance(kAlways * 2 / 3);
  }
  if (dice.Chance(kAlways * 9 / 10)) wish.time_control = AnyControl(dice);
  if (dice.Chance(kAlways / 5)) wish.first_move = dice.MillisBetween(50, 800);
  return wish;
}

Plan AnyPlan(Dice& dice) {
  Plan plan;
  plan.wish = AnyGame(dice);
  plan.game_id = plan.wish.id;
  plan.plies = static_cast<int>(dice.Between(4, 24));
  plan.abandon = dice.Chance(kAlways / 2);
  plan.think_ms = dice.OneOf<int>({5, 20, 80});
  plan.gamble = dice.OneOf<int>({0, 0, 300, 1500});
  plan.offer_draw = dice.OneOf<int>({0, 100, 500});
  plan.accept = dice.OneOf<int>({1000, 5000});
  plan.ask_takeback = dice.OneOf<int>({0, 300, 1500});
  plan.give_time = dice.OneOf<int>({0, 0, 300});
  plan.resign = dice.OneOf<int>({0, 0, 50});
  plan.abort = dice.OneOf<int>({0, 0, 200});
  plan.nonsense = dice.OneOf<int>({0, 500});
  plan.overlap = dice.OneOf<int>({0, 0, 2000});
  return plan;
}

class World {
 public:
  World(std::uint64_t seed, std::size_t trace_lines, Sabotage sabotage);
  ~World();

  Outcome Run();

 private:
  Task<void> CreateGame();
  void Look();
  // Empty when nothing is left to be done.
  std::string Unfinished();
  std::string LeftInIndexes();

  Environment environment_;
  Judge judge_;
  Plan plan_;
  Database database_;
  Cluster<Outside> outside_;
  Cluster<ClockNode> clocks_;
  Cluster<GameNode> games_;
  Process matchmaker_;
  std::vector<std::unique_ptr<Player>> players_;
  Process spectator_process_;
  Viewer spectator_;

  Millis storm_ends_;
  Millis closing_at_;
  bool calm_ = false;
  bool finished_ = false;
  bool lingers_ = false;
  std::optional<Millis> whole_since_;
};

World::World(std::uint64_t seed, std::size_t trace_lines, Sabotage sabotage)
    : environment_(seed, trace_lines),
      judge_(environment_),
      plan_(AnyPlan(environment_.dice)),
      database_(environment_, [this](const auto& transaction) { judge_.Committed(transaction); }),
      outside_(environment_, "outside", 1,
               [this](Process& process) { return std::make_unique<Outside>(judge_, process); }),
      clocks_(environment_, "clock", 2,
              [this](Process& process) { return std::make_unique<ClockNode>(database_, process); }),
      games_(environment_, "game", 2,
             [this](Process& process) {
               return std::make_unique<GameNode>(database_, clocks_, outside_, judge_, process);
             }),
      matchmaker_(environment_, "match"),
      spectator_process_(environment_, "eve"),
      spectator_(spectator_process_, games_, judge_, plan_.game_id) {
  environment_.sabotage = sabotage;
  Dice& dice = environment_.dice;
  environment_.weather = Weather::Draw(dice);
  environment_.always_calm = environment_.weather.IsCalm();
  storm_ends_ = dice.MillisBetween(200, kMaxStorm.count());
  closing_at_ = storm_ends_ + dice.MillisBetween(0, 400);
  lingers_ = dice.Chance(kAlways / 8);
}

World::~World() {
  judge_.Rest();
  environment_.weather = Weather::Calm();
  matchmaker_.Kill();
  spectator_process_.Kill();
  players_.clear();
  games_.ShutDown();
  clocks_.ShutDown();
  outside_.ShutDown();
  environment_.scheduler.Clear();
}

Task<void> World::CreateGame() {
  const game::NewGame wish = plan_.wish;
  Handler<game::StoredGame, GameNode> create = [wish](GameNode& node) { return node.Create(wish); };
  for (;;) {
    CallShape shape{"CreateGame", Millis(500), false};
    Result<game::StoredGame> created =
        co_await Call<game::StoredGame, GameNode>(matchmaker_, games_, create, std::move(shape));
    if (created || !matchmaker_.alive()) co_return;
    co_await matchmaker_.Sleep(Millis(20));
  }
}

Outcome World::Run() {
  judge_.Knows(plan_.game_id);
  outside_.Start();
  clocks_.Start();
  games_.Start();
  Detach(CreateGame());
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    if (plan_.wish.players[static_cast<std::size_t>(side)].id.empty()) continue;
    players_.push_back(std::make_unique<Player>(environment_, games_, judge_, plan_, side));
    Detach(players_.back()->Run());
  }
  spectator_.Open();
  Look();
  while (!finished_ && !judge_.complaint()) environment_.scheduler.Step();
  Outcome outcome;
  outcome.complaint = judge_.complaint();
  outcome.tally = judge_.tally();
  outcome.fingerprint = environment_.scheduler.fingerprint();
  outcome.steps = environment_.scheduler.steps();
  outcome.crashes = games_.crashes() + clocks_.crashes();
  outcome.elapsed = environment_.scheduler.Elapsed();
  outcome.trace = environment_.trace.Lines();
  return outcome;
}

std::string World::Unfinished() {
  std::string unfinished = judge_.Unfinished(plan_.game_id);
  if (!unfinished.empty()) return unfinished;
  if (!spectator_.view().over) return "a watcher has not heard of the end";
  for (const auto& player : players_) {
    if (!player->done()) return "a player has not heard of the end";
  }
  return LeftInIndexes();
}

std::string World::LeftInIndexes() {
  constexpr TimePoint kFarAway{Millis(std::int64_t{1} << 52)};
  game::GameStore store(database_.memory(), 1);
  const int shard = livestore::Shard(plan_.game_id, game::GameStore::kShards);
  if (!Immediately(store.Due(shard, kFarAway, 10))->empty()) return "the game is still due";
  if (!Immediately(store.ListLive(std::nullopt, 10, ""))->games.empty()) {
    return "the game is still listed as live";
  }
  for (const game::Player& player : plan_.wish.players) {
    if (player.id.empty()) continue;
    if (!Immediately(store.GamesOfPlayer(player.id))->empty()) {
      return "the game is still listed among those of " + player.id;
    }
  }
  return "";
}

void World::Look() {
  environment_.scheduler.After(kLook, [this] { Look(); });
  const Millis now = environment_.scheduler.Elapsed();
  const std::string unfinished = now > Millis(100) ? Unfinished() : "the game begins";
  const bool whole = unfinished.empty();
  if (!calm_ && (now >= storm_ends_ || whole)) {
    calm_ = true;
    storm_ends_ = now;
    environment_.calm_since = environment_.scheduler.Now();
    environment_.Say("WEATHER", [] { return std::string("calm from now on"); });
    environment_.weather = Weather::Calm();
  }
  if (now >= closing_at_ && !plan_.closing) {
    environment_.Say("PLAYERS", [] { return std::string("bring the game to its end"); });
    plan_.closing = true;
  }
  if (!whole) {
    whole_since_.reset();
    if (now > storm_ends_ + kMaxSettling) {
      judge_.Complain(plan_.game_id, "a minute after the last fault: " + unfinished);
    }
    return;
  }
  if (!whole_since_) whole_since_ = now;
  if (lingers_ && now < *whole_since_ + kAftermath) return;
  judge_.CheckEnds();
  finished_ = true;
}

}  // namespace

Outcome Simulate(std::uint64_t seed, std::size_t trace_lines, Sabotage sabotage) {
  World world(seed, trace_lines, sabotage);
  return world.Run();
}

}  // namespace komadai::simulation
