#include "tests/simulation/judge.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "libs/livestore/validation.h"
#include "services/clock/store/clock_codec.h"
#include "services/game/convert.h"

namespace komadai::simulation {
namespace {

namespace pb = ::komadai::game::v1;

std::string EndingName(const common::v1::GameResult& result) {
  std::string name = common::v1::Ending_Name(result.ending());
  return name.substr(name.find('_') + 1);
}

// One line about an event, for the trace.
std::string Describe(const pb::GameEvent& event) {
  std::string words = "event " + std::to_string(event.sequence()) + ": ";
  switch (event.event_case()) {
    case pb::GameEvent::kMovePlayed:
      words += "ply " + std::to_string(event.move_played().move().ply()) + " " +
               event.move_played().move().move() + " used " +
               std::to_string(event.move_played().move().used_ms());
      break;
    case pb::GameEvent::kTakenBack:
      words += "taken back to ply " + std::to_string(event.taken_back().ply());
      break;
    case pb::GameEvent::kEnded:
      words += "END " + EndingName(event.ended().result());
      break;
    default:
      words += "kind " + std::to_string(event.event_case());
  }
  return words;
}

std::string Describe(const clock::LiveClock& live, const std::optional<clock::PressRecord>& press) {
  const timecontrol::ClockState& state = live.state;
  std::string words = "clock at ply " + std::to_string(state.turn.ply) + ", turn since " +
                      std::to_string(ToUnixMillis(state.turn_started) % 10'000'000);
  if (const auto deadline = timecontrol::DeadlineOf(state)) {
    words += ", deadline " + std::to_string(ToUnixMillis(*deadline) % 10'000'000);
  }
  if (press) words += ", pressed " + std::to_string(ToUnixMillis(press->pressed) % 10'000'000);
  if (state.stopped) words += ", stopped";
  return words;
}

}  // namespace

void Tally::Add(const Tally& other) {
  moves += other.moves;
  acknowledged += other.acknowledged;
  games += other.games;
  flags += other.flags;
  overtaken += other.overtaken;
  repairs += other.repairs;
  restarts += other.restarts;
  takebacks += other.takebacks;
  archived += other.archived;
  rated += other.rated;
  seen += other.seen;
  late_repeats += other.late_repeats;
  contention += other.contention;
  repeats_refused += other.repeats_refused;
  latest_flag = std::max(latest_flag, other.latest_flag);
  latest_flag_in_calm = std::max(latest_flag_in_calm, other.latest_flag_in_calm);
  for (const auto& [ending, count] : other.endings) endings[ending] += count;
}

void Judge::Complain(const std::string& game_id, const std::string& what) {
  if (resting_ || complaint_) return;
  complaint_ = game_id + ": " + what;
  environment_.Say("JUDGE", [&] { return *complaint_; });
}

void Judge::Knows(const std::string& game_id) {
  games_[game_id] = std::make_unique<GameTruth>(game_id);
}

void Judge::Asks(const std::string& game_id, Side side, int ply, const std::string& move) {
  ++Find(game_id).move_requests[{side, ply, move}];
}

void Judge::Asks(const std::string& game_id, Side side, Act act) {
  ++Find(game_id).requests[{side, act}];
}

void Judge::AsksGift(const std::string& game_id, const std::string& request_id) {
  Find(game_id).gift_requests.insert(request_id);
}

void Judge::Saw(const std::string& game_id, std::int64_t after, const pb::GameEvent& event) {
  if (resting_) return;
  ++tally_.seen;
  const GameTruth& truth = Find(game_id);
  if (event.sequence() != after + 1) {
    Complain(game_id, "a watcher got event " + std::to_string(event.sequence()) + " after " +
                          std::to_string(after));
  } else if (event.sequence() > truth.sequence()) {
    Complain(game_id, "a watcher got an event that was never committed");
  } else if (event.SerializeAsString() !=
             truth.journal[static_cast<std::size_t>(after)].event().SerializeAsString()) {
    Complain(game_id, "a watcher got another event than was committed");
  }
}

void Judge::SawSnapshot(const std::string& game_id, std::int64_t after, const pb::Game& snapshot) {
  if (resting_) return;
  const GameTruth& truth = Find(game_id);
  if (after != 0) {
    Complain(game_id, "a watcher that resumed got a snapshot");
  } else if (snapshot.sequence() > truth.sequence()) {
    Complain(game_id, "a snapshot of what was never committed");
  } else {
    const Moment& moment = truth.moments[static_cast<std::size_t>(snapshot.sequence())];
    if (moment.position != snapshot.position() || moment.ply != snapshot.ply()) {
      Complain(game_id, "a snapshot shows another game");
    }
  }
}

std::int64_t Judge::SequenceOf(const std::string& game_id) const {
  const auto found = games_.find(game_id);
  return found == games_.end() ? 0 : found->second->sequence();
}

void Judge::Committed(const livestore::Transaction& transaction) {
  if (resting_ || complaint_) return;
  for (const livestore::Change& change : transaction.changes) {
    if (!games_.contains(change.name) || !livestore::HasEffect(change)) continue;
    if (transaction.partition.starts_with("game:")) CommittedGame(change);
    if (transaction.partition.starts_with("clock:")) CommittedClock(change);
  }
}

void Judge::CommittedGame(const livestore::Change& change) {
  GameTruth& truth = Find(change.name);
  std::vector<GameTruth::StoredEvent> events;
  for (const std::string& payload : change.events) {
    if (!events.emplace_back().ParseFromString(payload)) {
      return Complain(truth.id, "a journal entry that cannot be read");
    }
    environment_.Say(truth.id, [&] { return Describe(events.back().event()); });
  }
  const bool was_over = truth.over();
  const int plies = truth.ply();
  if (Complaint complaint = truth.Append(events, environment_.scheduler.Now())) {
    return Complain(truth.id, *complaint);
  }
  ::komadai::internal::v1::StoredGame body;
  if (!change.put_body || !body.ParseFromString(*change.put_body)) {
    return Complain(truth.id, "a game's body that cannot be read");
  }
  if (truth.archived && !body.archived()) Complain(truth.id, "an archived game is so no more");
  truth.archived = body.archived();
  if (truth.archived && !truth.over()) Complain(truth.id, "a game in progress counts as archived");
  if (truth.ply() > plies) tally_.moves += truth.ply() - plies;
  if (!truth.over() || was_over) return;
  ++tally_.games;
  tally_.takebacks += truth.takebacks;
  tally_.restarts += truth.restarts;
  tally_.late_repeats += truth.late_repeats;
  ++tally_.endings[EndingName(*truth.result)];
  if (truth.flag) {
    ++tally_.flags;
    tally_.overtaken += truth.flag->overtaken;
    CheckFlagTime(truth);
  }
}

// At most 100 ms after the deadline when all is well, and within seconds of the last fault.
void Judge::CheckFlagTime(const GameTruth& truth) {
  constexpr Millis kLatest{100};
  constexpr Millis kRecovery{4000};  // 1500 of which a crashed process may still be down
  const TimePoint now = environment_.scheduler.Now();
  const Millis late = now - truth.flag->falls_from;
  tally_.latest_flag = std::max(tally_.latest_flag, late);
  if (environment_.always_calm) {
    tally_.latest_flag_in_calm = std::max(tally_.latest_flag_in_calm, late);
    if (truth.flag->overtaken > 0) Complain(truth.id, "a flag overtook a move that came in time");
    if (late > kLatest) Complain(truth.id, "a flag fell too late");
  } else if (environment_.calm_since && late > kLatest &&
             now > *environment_.calm_since + kRecovery) {
    Complain(truth.id, "a flag fell too late after the last fault");
  }
}

void Judge::CommittedClock(const livestore::Change& change) {
  GameTruth& truth = Find(change.name);
  const Result<clock::LiveClock> live = clock::DecodeClock(change.put_body.value_or(""));
  if (!live) return Complain(truth.id, "a clock that cannot be read");
  std::optional<clock::PressRecord> press;
  if (!change.events.empty()) {
    const Result<clock::PressRecord> record = clock::DecodePress(change.events.front());
    if (!record) return Complain(truth.id, "a press that cannot be read");
    press = *record;
  }
  environment_.Say(truth.id, [&] { return Describe(*live, press); });
  if (truth.sequence() == 0) Complain(truth.id, "a clock runs before its game exists");
  if (live->state.stopped && !truth.over()) Complain(truth.id, "the clock of a live game stopped");
  CheckRepairTime(truth, *live);
  const TimePoint now = environment_.scheduler.Now();
  if (Complaint complaint = truth.clock.Change(*live, press, now)) Complain(truth.id, *complaint);
}

// A clock that was pressed for a move that never was is set back seconds after it ran out.
void Judge::CheckRepairTime(const GameTruth& truth, const clock::LiveClock& next) {
  constexpr Millis kLatest{4500};
  if (!truth.clock.exists() || next.adjustments.empty()) return;
  const bool repair = next.adjustments.back().starts_with("restart-");
  if (!repair || next.state.turn.ply >= truth.clock.state().turn.ply) return;
  const std::optional<TimePoint> ran_out = truth.clock.Deadline();
  const TimePoint now = environment_.scheduler.Now();
  ++tally_.repairs;
  if (!ran_out || !environment_.calm_since) return;
  if (now > std::max(*ran_out, *environment_.calm_since) + kLatest) {
    Complain(truth.id, "a clock ahead of its game was repaired too late");
  }
}

void Judge::Archived(const game::Game& game) {
  if (resting_) return;
  GameTruth& truth = Find(game.id);
  ++tally_.archived;
  ++truth.records[game::RecordOf(game).SerializeAsString()];
  if (!truth.over()) return Complain(game.id, "a game was archived before its end");
  const bool same =
      game.result == game::ResultFromProto(*truth.result) && game.ply() == truth.ply() &&
      std::equal(game.moves.begin(), game.moves.end(), truth.moves.begin(),
                 [](const auto& archived, const auto& played) {
                   return archived.move == played.text && archived.used == played.used;
                 });
  if (!same) Complain(game.id, "the archive was given another game");
}

void Judge::Rated(const game::Game& game) {
  if (resting_) return;
  GameTruth& truth = Find(game.id);
  ++tally_.rated;
  ++truth.ratings[game::ToProto(*game.result).SerializeAsString()];
  if (!truth.over() || game.result != game::ResultFromProto(*truth.result)) {
    Complain(game.id, "the ratings were given a result that is not the game's");
  }
}

std::string Judge::Unfinished(const std::string& game_id) const {
  const GameTruth& truth = Find(game_id);
  if (!truth.over()) return "the game goes on";
  if (!truth.archived) return "the game is not archived and released";
  if (truth.clocked && truth.clock.exists() && !truth.clock.state().stopped) {
    return "the clock still runs";
  }
  return "";
}

void Judge::CheckEnds() {
  for (const auto& [game_id, truth] : games_) {
    if (Complaint complaint = truth->AtTheEnd()) Complain(game_id, *complaint);
  }
}

}  // namespace komadai::simulation
