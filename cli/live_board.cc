#include "cli/live_board.h"

#include <algorithm>
#include <cstdio>

#include "komadai/game/v1/game.pb.h"
#include "libs/convert/variant.h"
#include "libs/notation/position_text.h"

namespace komadai::cli {
namespace {

namespace common_pb = ::komadai::common::v1;
namespace game_pb = ::komadai::game::v1;

std::string Mark(common_pb::Side side) { return side == common_pb::SIDE_FIRST ? "☗" : "☖"; }

common_pb::Side Other(common_pb::Side side) {
  return side == common_pb::SIDE_FIRST ? common_pb::SIDE_SECOND : common_pb::SIDE_FIRST;
}

std::string Clock(std::int64_t ms) {
  const std::int64_t seconds = std::max<std::int64_t>(ms, 0) / 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%lld:%02lld", static_cast<long long>(seconds / 60),
                static_cast<long long>(seconds % 60));
  return text;
}

// "ENDING_TIME_OUT" -> "time out".
std::string Words(std::string name, std::size_t prefix) {
  std::string words;
  for (const char c : name.substr(prefix)) {
    words += c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

}  // namespace

std::string ResultText(const common_pb::GameResult& result) {
  const std::string how = Words(common_pb::Ending_Name(result.ending()), sizeof("ENDING_") - 1);
  const std::string when = " after " + std::to_string(result.plies()) + " plies";
  switch (result.outcome()) {
    case common_pb::OUTCOME_FIRST_WINS:
      return "☗ won by " + how + when;
    case common_pb::OUTCOME_SECOND_WINS:
      return "☖ won by " + how + when;
    case common_pb::OUTCOME_DRAW:
      return "a draw by " + how + when;
    default:
      return "no result: " + how + when;
  }
}

void LiveBoard::SetPosition(const std::string& text) {
  const Result<rules::Variant> variant = convert::VariantFromProto(game_.setup().variant());
  if (!variant) return;
  const Result<rules::Position> position = notation::ParsePosition(*variant, text);
  if (position) position_ = *position;
}

bool LiveBoard::See(const game_pb::WatchGameResponse& message) {
  if (message.has_heartbeat()) return false;
  if (message.has_snapshot()) {
    game_ = message.snapshot();
    last_move_ = game_.moves().empty() ? "" : game_.moves().rbegin()->move();
    SetPosition(game_.position());
    news_.clear();
  } else {
    SeeEvent(message.event());
  }
  clock_seen_ = std::chrono::steady_clock::now();
  return true;
}

void LiveBoard::SeeEvent(const game_pb::GameEvent& event) {
  game_.set_sequence(event.sequence());
  news_.clear();
  switch (event.event_case()) {
    case game_pb::GameEvent::kMovePlayed: {
      const game_pb::MovePlayed& played = event.move_played();
      game_.set_ply(played.move().ply());
      game_.set_side_to_move(Other(game_.side_to_move()));
      game_.set_check(played.check());
      if (played.has_clock()) *game_.mutable_clock() = played.clock();
      game_.set_takeback_requested_by(common_pb::SIDE_UNSPECIFIED);
      last_move_ = played.move().move();
      SetPosition(played.position());
      if (played.occurrences() > 1) {
        news_ = "this position has occurred " + std::to_string(played.occurrences()) + " times";
      }
      break;
    }
    case game_pb::GameEvent::kTakenBack:
      if ((game_.ply() - event.taken_back().ply()) % 2 != 0) {
        game_.set_side_to_move(Other(game_.side_to_move()));
      }
      game_.set_ply(event.taken_back().ply());
      game_.set_check(event.taken_back().check());
      if (event.taken_back().has_clock()) *game_.mutable_clock() = event.taken_back().clock();
      game_.set_takeback_requested_by(common_pb::SIDE_UNSPECIFIED);
      last_move_.clear();
      SetPosition(event.taken_back().position());
      news_ = "moves were taken back";
      break;
    case game_pb::GameEvent::kTimeAdded:
      if (event.time_added().has_clock()) *game_.mutable_clock() = event.time_added().clock();
      news_ = Mark(event.time_added().side()) + " was given time";
      break;
    case game_pb::GameEvent::kTurnRestarted:
      *game_.mutable_clock() = event.turn_restarted().clock();
      news_ = Mark(game_.side_to_move()) + "'s turn starts again";
      break;
    case game_pb::GameEvent::kPaused:
      game_.mutable_pause()->set_until_ms(event.paused().until_ms());
      if (event.paused().has_clock()) *game_.mutable_clock() = event.paused().clock();
      news_ = "the game is paused";
      break;
    case game_pb::GameEvent::kResumed:
      game_.clear_pause();
      if (event.resumed().has_clock()) *game_.mutable_clock() = event.resumed().clock();
      news_ = "the game continues";
      break;
    case game_pb::GameEvent::kEnded:
      *game_.mutable_result() = event.ended().result();
      game_.set_replayed_by(event.ended().replayed_by());
      if (event.ended().has_clock()) *game_.mutable_clock() = event.ended().clock();
      break;
    default:
      SeeOffer(event);
  }
}

// What the players propose to each other.
void LiveBoard::SeeOffer(const game_pb::GameEvent& event) {
  switch (event.event_case()) {
    case game_pb::GameEvent::kDrawOffered:
      game_.set_draw_offered_by(event.draw_offered().by());
      news_ = Mark(event.draw_offered().by()) + " offers a draw";
      break;
    case game_pb::GameEvent::kDrawDeclined:
      game_.set_draw_offered_by(common_pb::SIDE_UNSPECIFIED);
      news_ = Mark(event.draw_declined().by()) + " declines the draw";
      break;
    case game_pb::GameEvent::kTakebackRequested:
      game_.set_takeback_requested_by(event.takeback_requested().by());
      news_ = Mark(event.takeback_requested().by()) + " asks to take a move back";
      break;
    case game_pb::GameEvent::kTakebackDeclined:
      game_.set_takeback_requested_by(common_pb::SIDE_UNSPECIFIED);
      news_ = Mark(event.takeback_declined().by()) + " declines to take moves back";
      break;
    case game_pb::GameEvent::kPauseOffered:
      news_ = Mark(event.pause_offered().by()) + " offers to pause the game";
      break;
    case game_pb::GameEvent::kPauseDeclined:
      news_ = Mark(event.pause_declined().by()) + " declines to pause the game";
      break;
    case game_pb::GameEvent::kResumeWanted:
      news_ = Mark(event.resume_wanted().by()) + " wants to resume the game";
      break;
    case game_pb::GameEvent::kImpasseProposed:
      news_ = Mark(event.impasse_proposed().by()) + " proposes to count the impasse";
      break;
    default:
      break;
  }
}

std::string LiveBoard::ClockLine(common_pb::Side side) const {
  const common_pb::Player& player = side == common_pb::SIDE_FIRST ? game_.first() : game_.second();
  std::string line = "  " + Mark(side) + " " + player.name();
  if (player.rating() > 0) line += " (" + std::to_string(player.rating()) + ")";
  if (!game_.has_clock()) return line + "\n";
  common_pb::SideClock clock =
      side == common_pb::SIDE_FIRST ? game_.clock().first() : game_.clock().second();
  std::int64_t spent = 0;
  if (game_.clock().running() == side && !over()) {
    spent = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                  clock_seen_)
                .count();
  }
  const std::int64_t main = clock.main_left_ms() - spent;
  line += "  " + Clock(main);
  if (clock.periods_left() > 0) {
    const std::int64_t period = clock.period_left_ms() + std::min<std::int64_t>(main, 0);
    line += " + " + std::to_string(clock.periods_left()) + " x " + Clock(period);
  }
  return line + "\n";
}

std::string LiveBoard::StatusLine() const {
  std::string line = "  ply " + std::to_string(game_.ply());
  if (!last_move_.empty()) line += ", last move " + last_move_;
  if (over()) {
    line += "\n  " + ResultText(game_.result()) + "\n";
    if (!game_.replayed_by().empty()) line += "  replayed as game " + game_.replayed_by() + "\n";
    return line;
  }
  line += ", " + Mark(game_.side_to_move()) + " to move";
  if (game_.check()) line += " (check)";
  line += "\n";
  if (!news_.empty()) line += "  " + news_ + "\n";
  return line;
}

std::string LiveBoard::Draw(const BoardStyle& style) const {
  if (!ready()) return "";
  const common_pb::Side top =
      style.from_second_side ? common_pb::SIDE_FIRST : common_pb::SIDE_SECOND;
  return ClockLine(top) + DrawBoard(*position_, last_move_, style) + ClockLine(Other(top)) +
         StatusLine();
}

}  // namespace komadai::cli
