#include "tests/simulation/game_truth.h"

#include <algorithm>

#include "libs/convert/result.h"
#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "services/game/convert.h"

namespace komadai::simulation {
namespace {

namespace pb = ::komadai::game::v1;
using game::Ending;

constexpr int kMaxDrawOffers = 3;

std::size_t Index(Side side) { return static_cast<std::size_t>(side); }

// Endings that follow from the position alone.
bool ByTheRules(Ending ending) {
  switch (ending) {
    case Ending::kResignation:
    case Ending::kTimeOut:
    case Ending::kAgreedDraw:
    case Ending::kAborted:
    case Ending::kAbandoned:
    case Ending::kImpasse:
      return false;
    default:
      return true;
  }
}

// The clocks as an event tells players of them.
const common::v1::ClockReading* ReadingIn(const pb::GameEvent& event) {
  const auto of = [](const auto& part) { return part.has_clock() ? &part.clock() : nullptr; };
  switch (event.event_case()) {
    case pb::GameEvent::kMovePlayed:
      return of(event.move_played());
    case pb::GameEvent::kTakenBack:
      return of(event.taken_back());
    case pb::GameEvent::kTimeAdded:
      return of(event.time_added());
    case pb::GameEvent::kTurnRestarted:
      return of(event.turn_restarted());
    default:
      return nullptr;
  }
}

}  // namespace

std::optional<Side> GameTruth::SideOf(const std::string& player) const {
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    if (!player.empty() && players[Index(side)] == player) return side;
  }
  return std::nullopt;
}

bool GameTruth::OpenEverSince(std::size_t moment, int ply, Side side) const {
  return std::all_of(moments.begin() + static_cast<std::ptrdiff_t>(moment), moments.end(),
                     [&](const Moment& m) {
                       return m.sequence > 0 && !m.over && m.ply == ply && m.to_move == side;
                     });
}

bool GameTruth::IsLegal(const std::string& text) const {
  const Result<rules::Move> move = notation::ParsePlainMove(state_->ruleset().variant, text);
  return move && state_->position().IsLegal(*move);
}

Complaint GameTruth::Append(const std::vector<StoredEvent>& events, TimePoint now) {
  bool with_move = false;
  for (const StoredEvent& stored : events) {
    if (over()) return "an event follows the end of the game";
    if (stored.event().sequence() != sequence() + 1) return "sequence numbers are not contiguous";
    if (Complaint complaint = Step(stored, with_move, now)) return complaint;
    journal.push_back(stored);
    if (stored.event().has_started() || stored.event().has_move_played()) {
      turn_opened_ = FromUnixMillis(stored.event().at_ms());
    }
    if (const auto* reading = ReadingIn(stored.event())) {
      told_deadline_ = convert::ReadingFromProto(*reading).deadline;
    }
    with_move = stored.event().has_move_played();
    if (stored.event().has_taken_back()) last_takeback_ = moments.size();
    moments.push_back({ply(), state_->position().side_to_move(), over(), sequence(),
                       notation::FormatPosition(state_->position())});
  }
  if (state_ && state_->verdict().over() && !over()) {
    return "the rules have ended the game and it goes on";
  }
  return {};
}

Complaint GameTruth::Step(const StoredEvent& stored, bool with_move, TimePoint now) {
  const pb::GameEvent& event = stored.event();
  if (event.has_started() != (sequence() == 0)) return "a game does not begin with its start";
  switch (event.event_case()) {
    case pb::GameEvent::kStarted:
      return On(event.started());
    case pb::GameEvent::kMovePlayed:
      return On(event.move_played());
    case pb::GameEvent::kDrawOffered: {
      const Side by = *convert::SideFromProto(event.draw_offered().by());
      if (!Asked(by, Act::kOfferDraw)) return "a draw offer that nobody made";
      if (draw_offered_by_) return "a draw was offered while an offer stood";
      if (++draw_offers_[Index(by)] > kMaxDrawOffers) return "too many draw offers";
      draw_offered_by_ = by;
      return {};
    }
    case pb::GameEvent::kDrawDeclined: {
      const Side by = *convert::SideFromProto(event.draw_declined().by());
      if (!Asked(by, Act::kDeclineDraw)) return "a refusal of a draw that nobody made";
      if (draw_offered_by_ != Opponent(by)) return "no draw was offered, and one was declined";
      draw_offered_by_.reset();
      return {};
    }
    case pb::GameEvent::kTakebackRequested:
      takeback_asked_by_ = *convert::SideFromProto(event.takeback_requested().by());
      if (!Asked(*takeback_asked_by_, Act::kAskTakeback)) return "a takeback nobody asked for";
      return {};
    case pb::GameEvent::kTakebackDeclined:
      takeback_asked_by_.reset();
      return {};
    case pb::GameEvent::kTakenBack:
      return On(event.taken_back());
    case pb::GameEvent::kTimeAdded:
      return On(stored, event.time_added());
    case pb::GameEvent::kTurnRestarted:
      return On(event.turn_restarted(), with_move, now);
    case pb::GameEvent::kEnded:
      return On(event.ended(), with_move, now);
    default:
      return "an event that nobody asked for";
  }
}

Complaint GameTruth::On(const pb::GameStarted& event) {
  players = {event.first().player_id(), event.second().player_id()};
  clocked = event.has_time_control();
  rated = event.rated();
  first_move_ = Millis(event.options().first_move_ms());
  const Result<game::Setup> setup = game::SetupFromProto(event.setup());
  if (!setup) return "a game starts with a setup that is none";
  const Result<rules::Position> start =
      notation::ParsePosition(setup->variant, event.start_position());
  if (!start) return "a game starts from a position that is none";
  Result<rules::GameState> state = rules::GameState::Start(setup->ruleset, *start);
  if (!state) return "a game starts against its rules";
  state_ = *std::move(state);
  return {};
}

Complaint GameTruth::On(const pb::MovePlayed& event) {
  const Side mover = state_->position().side_to_move();
  const int before = ply();
  const std::string& text = event.move().move();
  if (event.move().ply() != before + 1) return "a move is numbered as another ply";
  const Result<rules::Move> move = notation::ParsePlainMove(state_->ruleset().variant, text);
  if (!move || !state_->Play(*move)) return "the illegal move " + text + " was played";
  if (event.position() != notation::FormatPosition(state_->position())) {
    return "the position after " + text + " is not the one of the event";
  }
  if (event.move().used_ms() < 0) return "a move used negative time";
  if (Complaint complaint = CheckMoveClock(event, before, mover)) return complaint;
  if (!PlayerOf(mover).empty()) {
    const std::tuple<Side, int, std::string> request{mover, before, text};
    const auto asked = move_requests.find(request);
    if (asked == move_requests.end()) return "a move nobody asked for: " + text;
    if (++played_[request] > asked->second) {
      if (last_takeback_ == 0) {
        return "one request to play " + text + " at ply " + std::to_string(before) +
               " was played twice";
      }
      // As far as the contract can tell, the same move at the same ply after a takeback is a
      // request of its own.
      ++late_repeats;
    }
  }
  moves.push_back({text, mover, Millis(event.move().used_ms())});
  if (draw_offered_by_ == Opponent(mover)) draw_offered_by_.reset();
  takeback_asked_by_.reset();
  return {};
}

Complaint GameTruth::CheckMoveClock(const pb::MovePlayed& event, int at_ply, Side mover) const {
  if (event.has_clock() != clocked) return "a move and its game disagree about having a clock";
  if (!clocked) return {};
  const timecontrol::Reading reading = convert::ReadingFromProto(event.clock());
  const clock::PressRecord* press = clock.PressAt(at_ply);
  if (press == nullptr) return "a move was committed whose clock nobody had pressed";
  if (clock.state().turn.ply != at_ply + 1) {
    return "a move at ply " + std::to_string(at_ply) +
           " was committed while its clock stood at ply " + std::to_string(clock.state().turn.ply);
  }
  const Millis used = std::max(press->pressed - press->turn_started, Millis(0));
  if (Millis(event.move().used_ms()) != used || reading.ply != at_ply + 1 ||
      reading.at != press->pressed) {
    return "a move was charged otherwise than its clock was: " +
           std::to_string(event.move().used_ms()) + " ms and " + std::to_string(used.count());
  }
  if (PlayerOf(mover).empty()) return {};
  // The clock was stopped by a call for this ply that came when the ply had become what it is.
  const bool called = std::any_of(receipts.begin(), receipts.end(), [&](const Receipt& receipt) {
    return receipt.ply == at_ply && receipt.player == PlayerOf(mover) &&
           receipt.at == press->pressed && receipt.moment >= last_takeback_;
  });
  if (!called) return "a move was charged at an instant at which no call for it came";
  return {};
}

Complaint GameTruth::On(const pb::TakenBack& event) {
  if (!takeback_asked_by_ && !PlayerOf(Side::kFirst).empty() && !PlayerOf(Side::kSecond).empty()) {
    return "moves were taken back and nobody had asked";
  }
  if (takeback_asked_by_ && !Asked(Opponent(*takeback_asked_by_), Act::kGrantTakeback)) {
    return "moves were taken back and nobody had agreed";
  }
  const int plies = ply() - event.ply();
  if (plies < 1 || plies > 2 || !state_->TakeBack(plies)) return "a takeback of no or many plies";
  if (event.position() != notation::FormatPosition(state_->position())) {
    return "the position after a takeback is not the one of the event";
  }
  // The clock is told of it after the commit, and before the next press.
  moves.resize(static_cast<std::size_t>(event.ply()));
  draw_offered_by_.reset();
  takeback_asked_by_.reset();
  ++takebacks;
  return {};
}

Complaint GameTruth::On(const StoredEvent& stored, const pb::TimeAdded&) {
  if (!gift_requests.contains(stored.request_id())) return "time was given and nobody gave it";
  if (!gifts_.insert(stored.request_id()).second) return "one gift of time was given twice";
  return {};
}

// Either with a move that was held up, or for the side whose move never came.
Complaint GameTruth::On(const pb::TurnRestarted& event, bool with_move, TimePoint now) {
  constexpr Millis kHeldUp{1000};
  constexpr Millis kNeverCame{3000};
  if (!clocked || !clock.exists()) return "a turn began anew without a clock";
  const timecontrol::Reading reading = convert::ReadingFromProto(event.clock());
  if (reading.ply != ply() || reading.running != state_->position().side_to_move()) {
    return "a turn began anew that was not the running one";
  }
  if (with_move) {
    const clock::PressRecord* press = clock.PressAt(ply() - 1);
    const auto ran_out = clock.Deadline();
    const bool lost = ran_out && now >= *ran_out;
    if (press == nullptr || (now < press->pressed + kHeldUp && !lost)) {
      return "a turn began anew after a move that was not held up";
    }
  } else {
    const clock::PressRecord* press = clock.PressAt(ply());
    const bool ahead = clock.state().turn.ply == ply() + 1;
    if (!ahead || press == nullptr || now < press->pressed + kNeverCame) {
      return "a turn began anew although its clock had not been stopped in vain";
    }
  }
  turn_opened_ = reading.at;
  ++restarts;
  return {};
}

Complaint GameTruth::On(const pb::GameEnded& event, bool with_move, TimePoint now) {
  const game::GameResult ended = game::ResultFromProto(event.result());
  if (ended.plies != ply()) return "a result counts other plies than the game has";
  const bool second_wins = ended.outcome == game::Outcome::kSecondWins;
  const Side loser = second_wins ? Side::kFirst : Side::kSecond;
  result = event.result();
  if (ByTheRules(ended.ending)) {
    const common::v1::GameResult judged =
        convert::ToProto(state_->verdict(), state_->ruleset(), ply());
    if (!with_move || judged.SerializeAsString() != event.result().SerializeAsString()) {
      return "the rules did not end the game like that";
    }
    ended_by_rules = true;
    return {};
  }
  switch (ended.ending) {
    case Ending::kTimeOut:
      return CheckTimeOut(loser, now);
    case Ending::kResignation:
      if (!Asked(loser, Act::kResign)) return "a resignation that nobody made";
      return {};
    case Ending::kAborted:
      if (ply() >= 2) return "a game was aborted after both sides had moved";
      if (Asked(Side::kFirst, Act::kAbort) || Asked(Side::kSecond, Act::kAbort)) return {};
      return CheckNotBegun(now);
    case Ending::kAgreedDraw:
      if (!draw_offered_by_) return "a draw was agreed that nobody had offered";
      if (!Asked(Opponent(*draw_offered_by_), Act::kAcceptDraw)) {
        return "a draw was agreed that nobody had accepted";
      }
      return {};
    default:
      return "an ending that nobody asked for";
  }
}

// Nobody asked for the abort: the time for the first move must have passed, or all time.
Complaint GameTruth::CheckNotBegun(TimePoint now) {
  if (first_move_ == Millis(0)) return "a game was aborted that nobody wanted to abort";
  if (now >= turn_opened_ + first_move_) return {};
  return CheckTimeOut(state_->position().side_to_move(), now);
}

Complaint GameTruth::CheckTimeOut(Side loser, TimePoint now) {
  if (!clocked || !clock.exists()) return "a flag without a clock";
  if (state_->position().side_to_move() != loser) return "the flag of the side that was waiting";
  const timecontrol::ClockState& state = clock.state();
  if (state.turn.ply == ply() + 1) {
    return "the flag of ply " + std::to_string(ply()) +
           " fell although the clock had been pressed in time";
  }
  if (state.turn.ply != ply() || state.turn.side != loser) {
    return "the flag of ply " + std::to_string(ply()) + " fell while the clock stood at ply " +
           std::to_string(state.turn.ply);
  }
  const std::optional<TimePoint> deadline = clock.Deadline();
  if (!deadline || now < *deadline) return "a flag fell before its deadline";
  if (told_deadline_ && now < *told_deadline_) {
    return "a flag fell before the deadline that players knew of";
  }
  FlagSeen seen;
  seen.falls_from = *clock.FallsFrom();
  for (const Receipt& receipt : receipts) {
    if (receipt.ply == ply() && receipt.player == PlayerOf(loser) && receipt.at < *deadline &&
        receipt.moment >= last_takeback_ && !receipt.answered && *receipt.pulse) {
      ++seen.overtaken;
    }
  }
  flag = seen;
  return {};
}

Complaint GameTruth::AtTheEnd() const {
  if (!over()) return "the game did not end";
  const bool recorded =
      ply() > 0 || game::ResultFromProto(*result).outcome != game::Outcome::kNoResult;
  if (recorded != !records.empty()) return "the archive has not what it should have";
  if (records.size() > 1) return "the archive was given different records of one game";
  const bool counts = rated && game::ResultFromProto(*result).outcome != game::Outcome::kNoResult;
  if (counts != !ratings.empty()) return "the ratings have not what they should have";
  if (ratings.size() > 1) return "the ratings were given different results of one game";
  if (!clocked || !clock.exists()) return {};
  const timecontrol::TurnStart& turn = clock.state().turn;
  if (turn.ply != ply() && turn.ply != ply() + 1) {
    return "the game ended at ply " + std::to_string(ply()) + " and its clock at ply " +
           std::to_string(turn.ply);
  }
  // Of a press whose move came too late to count, if there is one, its record tells what was
  // before.
  const timecontrol::TurnStart& counted = turn.ply == ply() ? turn : clock.PressAt(ply())->before;
  std::array<Millis, 2> used{Millis(0), Millis(0)};
  for (const PlayedMove& move : moves) used[Index(move.mover)] += move.used;
  if (used[0] != counted.first.used || used[1] != counted.second.used) {
    return "the moves' times do not sum up to what the clock counted";
  }
  return {};
}

}  // namespace komadai::simulation
