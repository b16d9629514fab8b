#include "cli/demo.h"

#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "cli/connection.h"
#include "cli/demo_record.h"
#include "komadai/game/v1/game.pb.h"
#include "komadai/kifu/v1/kifu.pb.h"
#include "komadai/matchmaking/v1/matchmaking.pb.h"
#include "komadai/rating/v1/rating.pb.h"
#include "komadai/rules/v1/rules.pb.h"

namespace komadai::cli {
namespace {

namespace common_pb = ::komadai::common::v1;
namespace game_pb = ::komadai::game::v1;
namespace kifu_pb = ::komadai::kifu::v1;
namespace match_pb = ::komadai::matchmaking::v1;
namespace rating_pb = ::komadai::rating::v1;
namespace rules_pb = ::komadai::rules::v1;

constexpr Reason kDemoFailed{Code::kInternal, "DEMO_FAILED"};
constexpr Reason kBadRecord{Code::kInvalidArgument, "BAD_RECORD"};
constexpr int kArchiveAttempts = 150;  // of 100 ms: what a restart of a store may take
constexpr Millis kArchivePause{100};

// Somebody who plays in the demo.
struct DemoPlayer {
  std::unique_ptr<Connection> connection;
  common_pb::Player player;
  std::string seek_id;
  common_pb::Side side = common_pb::SIDE_UNSPECIFIED;
};

Result<common_pb::GameRecord> ReadGame(Connection& connection, const std::string& text) {
  rules_pb::ReadRecordRequest request;
  request.set_data(text);
  Result<rules_pb::ReadRecordResponse> read =
      connection.Call<rules_pb::ReadRecordResponse>(request);
  if (!read) return std::move(read).error();
  if (read->records_size() != 1 || read->records(0).moves_size() == 0) {
    return Error(kBadRecord, "the record contains no game");
  }
  return read->records(0);
}

Result<std::string> RecordText(const std::string& path) {
  if (path.empty()) return std::string(kDemoRecord);
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error(kBadRecord, "cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// A test player if the server allows them (ratings move), else a guest.
Result<bool> SignIn(DemoPlayer& who, const std::string& name) {
  Connection& connection = *who.connection;
  rating_pb::CreateTestSessionRequest test;
  test.set_name(name);
  Result<rating_pb::CreateTestSessionResponse> tested =
      connection.Call<rating_pb::CreateTestSessionResponse>(test);
  if (tested) {
    connection.SetToken(tested->session().token());
    who.player = tested->session().player();
    return true;
  }
  if (tested.error().reason() != "TEST_PLAYERS_DISABLED") return std::move(tested).error();
  rating_pb::CreateGuestSessionRequest guest;
  guest.set_nickname(name);
  Result<rating_pb::CreateGuestSessionResponse> session =
      connection.Call<rating_pb::CreateGuestSessionResponse>(guest);
  if (!session) return std::move(session).error();
  connection.SetToken(session->session().token());
  who.player = session->session().player();
  return false;
}

match_pb::GameTerms Terms(const common_pb::GameSetup& setup, bool rated) {
  match_pb::GameTerms terms;
  *terms.mutable_setup() = setup;
  terms.mutable_setup()->clear_start();
  terms.set_rated(rated);
  common_pb::SideTime& time = *terms.mutable_time_control()->mutable_first();
  time.set_main_ms(300000);
  time.set_byoyomi_ms(30000);
  time.set_byoyomi_periods(3);
  return terms;
}

Status Seek(DemoPlayer& who, const match_pb::GameTerms& terms, match_pb::SideWish wish) {
  match_pb::CreateSeekRequest request;
  request.set_request_id(NewRequestId());
  *request.mutable_terms() = terms;
  request.set_side(wish);
  Result<match_pb::CreateSeekResponse> seek =
      who.connection->Call<match_pb::CreateSeekResponse>(request);
  if (!seek) return std::move(seek).error();
  who.seek_id = seek->seek().seek_id();
  return {};
}

Result<std::string> AwaitMatch(DemoPlayer& who) {
  match_pb::WatchSeekRequest request;
  request.set_seek_id(who.seek_id);
  const std::unique_ptr<grpc::ClientContext> context = who.connection->StreamContext();
  const auto stream = who.connection->Open(*context, request);
  match_pb::WatchSeekResponse news;
  while (stream->Read(news)) {
    if (news.seek().state() != match_pb::SEEK_STATE_MATCHED) continue;
    who.side = news.seek().side();
    const std::string game_id = news.seek().game_id();
    context->TryCancel();
    (void)stream->Finish();
    return game_id;
  }
  const grpc::Status status = stream->Finish();
  if (!status.ok()) return Connection::ErrorOf(status);
  return Error(kDemoFailed, "the seek ended without a match");
}

// Watches the game from the side, reconnecting where it broke, and checks that no event is missing.
class Spectator {
 public:
  Spectator(Connection& connection, std::string game_id)
      : connection_(connection), game_id_(std::move(game_id)), thread_([this] { Watch(); }) {}

  // Waits for the last event. The number of moves seen, or what was wrong.
  Result<int> Finish() {
    thread_.join();
    if (!problem_.empty()) return Error(kDemoFailed, problem_);
    return moves_;
  }

 private:
  void Watch() {
    for (int attempt = 0; attempt < 60 && !over_ && problem_.empty(); ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(Millis(500));
      game_pb::WatchGameRequest request;
      request.set_game_id(game_id_);
      request.set_after_sequence(last_);
      const std::unique_ptr<grpc::ClientContext> context = connection_.StreamContext();
      const auto stream = connection_.Open(*context, request);
      game_pb::WatchGameResponse message;
      while (stream->Read(message)) See(message);
      (void)stream->Finish();
    }
    if (!over_ && problem_.empty()) problem_ = "the spectator never saw the end of the game";
  }

  void See(const game_pb::WatchGameResponse& message) {
    if (message.has_snapshot()) {
      last_ = message.snapshot().sequence();
      moves_ = message.snapshot().ply();
      over_ = message.snapshot().phase() == game_pb::GAME_PHASE_ENDED;
    }
    if (!message.has_event()) return;
    if (message.event().sequence() != last_ + 1) {
      problem_ = "the spectator missed an event after number " + std::to_string(last_);
    }
    last_ = message.event().sequence();
    if (message.event().has_move_played()) moves_ = message.event().move_played().move().ply();
    over_ = over_ || message.event().has_ended();
  }

  Connection& connection_;
  const std::string game_id_;
  std::int64_t last_ = 0;
  int moves_ = 0;
  bool over_ = false;
  std::string problem_;
  std::thread thread_;
};

Status PlayMoves(const std::string& game_id, const common_pb::GameRecord& record, DemoPlayer& first,
                 DemoPlayer& second, Millis pause) {
  bool first_to_move = true;
  for (int ply = 0; ply < record.moves_size(); ++ply) {
    DemoPlayer& mover = first_to_move ? first : second;
    game_pb::PlayMoveRequest request;
    request.set_game_id(game_id);
    request.set_expected_ply(ply);
    request.set_move(record.moves(ply).move());
    Result<game_pb::PlayMoveResponse> played =
        mover.connection->Call<game_pb::PlayMoveResponse>(request);
    if (!played) return std::move(played).error();
    if (played->ply() != ply + 1)
      return Error(kDemoFailed, "the server counts a different number of plies");
    first_to_move = !first_to_move;
    if (pause > Millis(0)) std::this_thread::sleep_for(pause);
  }
  return {};
}

// The side that gives up: the loser of the record, else the side to move.
DemoPlayer& Resigner(const common_pb::GameRecord& record, DemoPlayer& first, DemoPlayer& second) {
  if (record.result().outcome() == common_pb::OUTCOME_FIRST_WINS) return second;
  if (record.result().outcome() == common_pb::OUTCOME_SECOND_WINS) return first;
  return record.moves_size() % 2 == 0 ? first : second;
}

Result<kifu_pb::Kifu> AwaitKifu(Connection& connection, const std::string& game_id) {
  kifu_pb::GetKifuRequest request;
  request.set_game_id(game_id);
  for (int attempt = 0;; ++attempt) {
    Result<kifu_pb::GetKifuResponse> found = connection.Call<kifu_pb::GetKifuResponse>(request);
    if (found) return found->kifu();
    if (found.error().code() != Code::kNotFound || attempt >= kArchiveAttempts) {
      return std::move(found).error();
    }
    std::this_thread::sleep_for(kArchivePause);
  }
}

Result<rating_pb::Rating> AwaitRating(DemoPlayer& who, common_pb::Variant variant) {
  rating_pb::GetRatingRequest request;
  request.set_variant(variant);
  request.set_player_id(who.player.player_id());
  for (int attempt = 0;; ++attempt) {
    Result<rating_pb::GetRatingResponse> found =
        who.connection->Call<rating_pb::GetRatingResponse>(request);
    if (!found) return std::move(found).error();
    if (found->rating().games() > 0) return found->rating();
    if (attempt >= kArchiveAttempts) return Error(kDemoFailed, "the game was not rated");
    std::this_thread::sleep_for(kArchivePause);
  }
}

// Exports the game in `format` and checks that its moves are those of `record`.
Status CheckExport(Connection& connection, const std::string& kifu_id,
                   common_pb::RecordFormat format, const common_pb::GameRecord& record) {
  kifu_pb::ExportKifuRequest request;
  request.set_kifu_id(kifu_id);
  request.set_format(format);
  Result<kifu_pb::ExportKifuResponse> file = connection.Call<kifu_pb::ExportKifuResponse>(request);
  if (!file) return std::move(file).error();
  Result<common_pb::GameRecord> read = ReadGame(connection, file->data());
  if (!read) return std::move(read).error();
  bool same = read->moves_size() == record.moves_size();
  for (int i = 0; same && i < record.moves_size(); ++i) {
    same = read->moves(i).move() == record.moves(i).move();
  }
  if (!same)
    return Error(kDemoFailed, file->file_name() + " does not contain the moves that were played");
  std::printf("  %s: %zu bytes, %d moves, as played\n", file->file_name().c_str(),
              file->data().size(), read->moves_size());
  return {};
}

Status ShowRatings(DemoPlayer& first, DemoPlayer& second, common_pb::Variant variant) {
  double sum = 0;
  for (DemoPlayer* who : {&first, &second}) {
    Result<rating_pb::Rating> rating = AwaitRating(*who, variant);
    if (!rating) return std::move(rating).error();
    std::printf("  %s: 1200 -> %.2f\n", who->player.name().c_str(), rating->elo());
    if (rating->elo() == 1200) return Error(kDemoFailed, "a rating did not change");
    sum += rating->elo();
  }
  if (sum < 2399.99 || sum > 2400.01) return Error(kDemoFailed, "the ratings do not balance");
  return {};
}

std::string ResultText(const common_pb::GameResult& result) {
  std::string outcome = common_pb::Outcome_Name(result.outcome());
  std::string ending = common_pb::Ending_Name(result.ending());
  return outcome.substr(std::string("OUTCOME_").size()) + "/" +
         ending.substr(std::string("ENDING_").size());
}

Result<std::string> Play(const DemoOptions& options) {
  Result<Targets> targets = Targets::Parse(options.target);
  if (!targets) return std::move(targets).error();
  Result<std::string> text = RecordText(options.record);
  if (!text) return std::move(text).error();

  DemoPlayer first{std::make_unique<Connection>(*targets), {}, {}, {}};
  DemoPlayer second{std::make_unique<Connection>(*targets), {}, {}, {}};
  Result<common_pb::GameRecord> record = ReadGame(*first.connection, *text);
  if (!record) return std::move(record).error();
  std::printf("record: %d plies\n", record->moves_size());

  const std::string run = NewRequestId().substr(0, 6);
  Result<bool> verified = SignIn(first, "sente-" + run);
  if (!verified) return std::move(verified).error();
  Result<bool> also = SignIn(second, "gote-" + run);
  if (!also) return std::move(also).error();
  const bool rated = *verified && *also;
  std::printf("signed in: %s and %s%s\n", first.player.name().c_str(), second.player.name().c_str(),
              rated ? "" : " (guests: the game is casual)");

  const match_pb::GameTerms terms = Terms(record->setup(), rated);
  if (Status seek = Seek(first, terms, match_pb::SIDE_WISH_FIRST); !seek) {
    return std::move(seek).error();
  }
  if (Status seek = Seek(second, terms, match_pb::SIDE_WISH_SECOND); !seek) {
    return std::move(seek).error();
  }
  Result<std::string> game_id = AwaitMatch(first);
  if (!game_id) return std::move(game_id).error();
  Result<std::string> other_id = AwaitMatch(second);
  if (!other_id) return std::move(other_id).error();
  if (*game_id != *other_id || first.side != common_pb::SIDE_FIRST) {
    return Error(kDemoFailed, "the players were matched with somebody else");
  }
  std::printf("matched: game %s, 5 min + 3 x 30 s\n", game_id->c_str());
  std::fflush(stdout);

  Connection watching(*targets);
  Spectator spectator(watching, *game_id);
  Status played = PlayMoves(*game_id, *record, first, second, options.pause);
  DemoPlayer& loser = Resigner(*record, first, second);
  game_pb::ResignRequest resign;
  resign.set_game_id(*game_id);
  Result<game_pb::ResignResponse> resigned =
      loser.connection->Call<game_pb::ResignResponse>(resign);
  Result<int> seen = spectator.Finish();
  if (!played) return std::move(played).error();
  if (!resigned) return std::move(resigned).error();
  if (!seen) return std::move(seen).error();
  if (*seen != record->moves_size()) return Error(kDemoFailed, "the spectator missed moves");
  std::printf("played %d plies; %s resigned; the spectator saw every event\n", *seen,
              loser.player.name().c_str());

  Result<kifu_pb::Kifu> kifu = AwaitKifu(*first.connection, *game_id);
  if (!kifu) return std::move(kifu).error();
  std::printf("archived as %s\n", kifu->kifu_id().c_str());
  for (const common_pb::RecordFormat format :
       {common_pb::RECORD_FORMAT_USI, common_pb::RECORD_FORMAT_CSA, common_pb::RECORD_FORMAT_KIF}) {
    Status same = CheckExport(*first.connection, kifu->kifu_id(), format, *record);
    if (!same) return std::move(same).error();
  }
  if (rated) {
    std::printf("ratings:\n");
    if (Status moved = ShowRatings(first, second, record->setup().variant()); !moved) {
      return std::move(moved).error();
    }
  }
  return "demo: ok plies=" + std::to_string(*seen) + " result=" + ResultText(resigned->result()) +
         " kifu=" + kifu->kifu_id();
}

}  // namespace

int RunDemo(const DemoOptions& options) {
  Result<std::string> last_line = Play(options);
  if (!last_line) return Fail("demo", last_line.error());
  std::printf("%s\n", last_line->c_str());
  return 0;
}

}  // namespace komadai::cli
