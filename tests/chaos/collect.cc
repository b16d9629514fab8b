#include "tests/chaos/collect.h"

#include <utility>

#include "libs/base/sync_wait.h"
#include "tests/chaos/audit.h"

namespace komadai::chaos {
namespace {

namespace kifu_pb = ::komadai::kifu::v1;

constexpr Millis kTimeout{10000};
constexpr play::Patience kPatience{.total = Millis(20000), .timeout = Millis(10000)};

}  // namespace

Collector::Collector(testing::LocalStack& stack, World& world)
    : world_(world), kifu_(stack.Addresses("kifu")) {}

Result<std::unique_ptr<Collector>> Collector::Open(testing::LocalStack& stack, World& world) {
  std::unique_ptr<Collector> collector(new Collector(stack, world));
  postgres::Options options;
  options.url = stack.postgres().url();
  Result<std::unique_ptr<postgres::Database>> database =
      postgres::Database::Open(std::move(options), collector->time_, collector->random_);
  if (!database) return std::move(database).error();
  collector->database_ = *std::move(database);
  return collector;
}

template <typename Response, typename Service, typename Method, typename Request>
Result<Response> Collector::Ask(play::Replicas<Service>& service, Method method,
                                const Request& request) {
  const std::atomic<bool> never{false};
  play::Attempts attempts(kPatience, never, world_.errors, random_);
  return service.Call(method, request, "", attempts);
}

Result<sql::Rows> Collector::Query(std::string statement, sql::Params params) {
  return SyncWait(sql::Transact(
      *database_, sql::Access::kRead, time_.Now() + kTimeout,
      [statement = std::move(statement), params = std::move(params)](sql::Transaction& tx) {
        return tx.Execute(statement, params);
      }));
}

void Collector::ReadGames(std::vector<GameEvidence>& games) {
  for (GameEvidence& evidence : games) {
    game_pb::GetGameRequest request;
    request.set_game_id(evidence.game_id);
    Result<game_pb::GetGameResponse> found = Ask<game_pb::GetGameResponse>(
        world_.game, &game_pb::GameService::StubInterface::GetGame, request);
    if (found) evidence.game = std::move(*found->mutable_game());
  }
}

bool Collector::CaughtUp(const std::vector<GameEvidence>& games) {
  std::int64_t archived = 0;
  std::int64_t rated = 0;
  for (const GameEvidence& evidence : games) {
    if (!evidence.game) continue;
    archived += audit::BelongsInArchive(*evidence.game) ? 1 : 0;
    rated += audit::ChangesRatings(*evidence.game) ? 1 : 0;
  }
  const Result<sql::Rows> in_archive = Query("SELECT COUNT(*) FROM kifus");
  const Result<sql::Rows> in_ratings = Query("SELECT COUNT(*) FROM rated_games");
  return in_archive && in_ratings && (*in_archive)[0].Int(0) >= archived &&
         (*in_ratings)[0].Int(0) >= rated;
}

void Collector::Complete(GameEvidence& evidence) {
  ReadJournal(evidence);
  ReadArchive(evidence);
}

void Collector::ReadJournal(GameEvidence& evidence) {
  for (int replica = 0; replica < 4; ++replica) {
    evidence.journal.clear();
    grpc::ClientContext context;
    play::Prepare(context, "", kTimeout);
    game_pb::WatchGameRequest request;
    request.set_game_id(evidence.game_id);
    request.set_after_sequence(1);
    const auto stream =
        world_.game.at(static_cast<std::size_t>(replica)).WatchGame(&context, request);
    game_pb::WatchGameResponse message;
    while (stream->Read(&message)) {
      if (message.has_event()) evidence.journal.push_back(std::move(*message.mutable_event()));
    }
    if (stream->Finish().ok()) return;
  }
}

void Collector::ReadArchive(GameEvidence& evidence) {
  const Result<sql::Rows> rows =
      Query("SELECT record FROM kifus WHERE game_id = $1", {evidence.game_id});
  evidence.archive.clear();
  if (rows) {
    for (const sql::Row& row : *rows) evidence.archive.emplace_back().ParseFromString(row.Blob(0));
  }
  kifu_pb::GetKifuRequest request;
  request.set_game_id(evidence.game_id);
  Result<kifu_pb::GetKifuResponse> served =
      Ask<kifu_pb::GetKifuResponse>(kifu_, &kifu_pb::KifuService::StubInterface::GetKifu, request);
  if (served) evidence.served = std::move(*served->mutable_kifu()->mutable_record());
}

Result<RunEvidence> Collector::ReadRun() {
  RunEvidence run;
  const Result<sql::Rows> archived = Query("SELECT game_id FROM kifus WHERE game_id IS NOT NULL");
  if (!archived) return archived.error();
  for (const sql::Row& row : *archived) run.archived_ids.push_back(row.Text(0));
  if (Status read = ReadRatings(run); !read) return std::move(read).error();
  if (Status read = ReadLiveGames(run); !read) return std::move(read).error();
  run.errors = world_.errors.Get();
  return run;
}

Status Collector::ReadRatings(RunEvidence& run) {
  const Result<sql::Rows> changes = Query(
      "SELECT player_id, variant, number, game_id, before_rating, after_rating, score "
      "FROM rating_changes ORDER BY player_id, variant, number");
  if (!changes) return changes.error();
  for (const sql::Row& row : *changes) {
    run.rating_rows.push_back(
        {row.Text(0), row.Text(1), row.Int(2), row.Text(3), row.Int(4), row.Int(5), row.Int(6)});
  }
  const Result<sql::Rows> ratings =
      Query("SELECT player_id, variant, rating, wins + losses + draws FROM ratings");
  if (!ratings) return ratings.error();
  for (const sql::Row& row : *ratings) {
    run.standings[{row.Text(0), row.Text(1)}] = {row.Int(2), row.Int(3)};
  }
  return {};
}

Status Collector::ReadLiveGames(RunEvidence& run) {
  game_pb::ListLiveGamesRequest request;
  request.set_page_size(100);
  do {
    Result<game_pb::ListLiveGamesResponse> page = Ask<game_pb::ListLiveGamesResponse>(
        world_.game, &game_pb::GameService::StubInterface::ListLiveGames, request);
    if (!page) return std::move(page).error();
    for (const game_pb::GameSummary& game : page->games()) run.live_ids.push_back(game.game_id());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return {};
}

}  // namespace komadai::chaos
