#include "services/kifu/kifu_service.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "libs/convert/notation.h"
#include "libs/convert/record.h"
#include "libs/convert/variant.h"
#include "libs/notation/position_text.h"
#include "libs/notation/records/record_file.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/request_id.h"
#include "services/kifu/errors.h"

namespace komadai::kifu {
namespace {

constexpr int kDefaultPage = 50;
constexpr int kMaxPage = 100;
constexpr std::size_t kMaxFileRequest = notation::kMaxRecordBytes + 4096;
constexpr std::size_t kMaxRecordRequest = 4 * 1024 * 1024;
constexpr std::size_t kMaxIdBytes = 64;
constexpr std::size_t kMinNamePrefix = 2;
constexpr std::size_t kMaxNamePrefixBytes = 160;

TimePoint DeadlineOf(const rpc::Call& call) {
  return std::chrono::time_point_cast<Millis>(call.deadline());
}

template <typename Request>
Result<Key> KeyOf(const Request& request) {
  Key key{request.kifu_id(), request.game_id()};
  const std::size_t size = key.kifu_id.size() + key.game_id.size();
  if (size == 0 || size > kMaxIdBytes) {
    return rpc::InvalidField(kInvalidRequest, "key", "say which game: kifu_id or game_id");
  }
  return key;
}

std::string TokenOf(const Entry& entry) {
  return std::to_string(ToUnixMillis(entry.ended_at)) + ":" + entry.kifu_id;
}

Result<std::optional<Cursor>> ParseToken(const std::string& token) {
  if (token.empty()) return std::optional<Cursor>();
  std::int64_t ended_at = 0;
  const char* end = token.data() + token.size();
  const auto [rest, error] = std::from_chars(token.data(), end, ended_at);
  if (error != std::errc() || rest == end || *rest != ':' || token.size() > 2 * kMaxIdBytes) {
    return Error(kInvalidPageToken, "the page token is not one of ours");
  }
  return std::optional<Cursor>(Cursor{FromUnixMillis(ended_at), std::string(rest + 1, end)});
}

Result<std::int64_t> PositionKey(rules::Variant variant, const std::string& text) {
  Result<rules::Position> position =
      notation::ParsePosition(variant, text, rules::Kings::kOptional);
  if (!position) return std::move(position).error();
  return std::bit_cast<std::int64_t>(position->key());
}

Result<Query> QueryOf(const pb::SearchKifuRequest& request) {
  Query query;
  if (request.variant() != common_pb::VARIANT_UNSPECIFIED) {
    Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
    if (!variant) return std::move(variant).error();
    query.variant = *variant;
  }
  if (request.player_id().size() > kMaxIdBytes) {
    return rpc::InvalidField(kInvalidRequest, "player_id", "is no player's id");
  }
  query.player_id = request.player_id();
  const std::string& name = request.player_name();
  if (!name.empty() && (name.size() < kMinNamePrefix || name.size() > kMaxNamePrefixBytes)) {
    return rpc::InvalidField(kInvalidRequest, "player_name", "must have 2 to 40 characters");
  }
  query.name_prefix = FoldName(name);
  query.outcome = request.outcome();
  query.ending = request.ending();
  if (request.from_ms() != 0) query.from = FromUnixMillis(request.from_ms());
  if (request.until_ms() != 0) query.until = FromUnixMillis(request.until_ms());
  query.rated_only = request.rated_only();
  if (!request.position().empty()) {
    if (!query.variant) {
      return rpc::InvalidField(kInvalidRequest, "variant", "a position needs its variant");
    }
    Result<std::int64_t> key = PositionKey(*query.variant, request.position());
    if (!key) return std::move(key).error();
    query.position_key = *key;
  }
  return query;
}

const char* Extension(notation::RecordFormat format) {
  switch (format) {
    case notation::RecordFormat::kUsi:
      return "usi";
    case notation::RecordFormat::kCsa:
      return "csa";
    case notation::RecordFormat::kKif:
      return "kif";
    case notation::RecordFormat::kKi2:
      return "ki2";
    case notation::RecordFormat::kWestern:
      return "txt";
    case notation::RecordFormat::kJkf:
      return "json";
    case notation::RecordFormat::kPgn:
      return "pgn";
    case notation::RecordFormat::kWxf:
      return "wxf";
    case notation::RecordFormat::kDhtmlxq:
      return "ubb";
  }
  return "txt";
}

}  // namespace

KifuService::KifuService(rpc::Runtime& runtime, KifuStore& store, const TimeSource& time,
                         KifuMetrics& metrics)
    : Service(runtime, "komadai.kifu.v1.KifuService"),
      store_(store),
      time_(time),
      metrics_(metrics) {
  const rpc::MethodOptions read{.max_deadline = Millis(5000), .allow = rpc::kAnyone};
  Unary(&KifuService::StoreKifu, {.max_deadline = Millis(10000),
                                  .allow = rpc::kServices,
                                  .max_request_bytes = kMaxRecordRequest});
  Unary(&KifuService::ImportKifu, {.max_deadline = Millis(10000),
                                   .allow = rpc::kPersons,
                                   .max_request_bytes = kMaxFileRequest,
                                   .cost = 200});
  Unary(&KifuService::GetKifu, read);
  rpc::MethodOptions query = read;
  query.cost = 50;
  Unary(&KifuService::SearchKifu, query);
  Unary(&KifuService::ExplorePosition, query);
  Unary(&KifuService::ExportKifu, query);
}

Task<Result<pb::StoreKifuResponse>> KifuService::StoreKifu(rpc::Call call,
                                                           const pb::StoreKifuRequest& request) {
  if (request.game_id().empty() || request.game_id().size() > kMaxIdBytes) {
    co_return rpc::InvalidField(kInvalidRequest, "game_id", "is no game's id");
  }
  const std::string kifu_id = rpc::IdFromRequest("game", request.game_id());
  Result<Entry> entry = EntryOf(kifu_id, request.game_id(), request.record(), time_.Now());
  if (!entry) co_return std::move(entry).error();
  std::vector<Entry> entries{*std::move(entry)};
  Status stored = co_await store_.Put(std::move(entries), DeadlineOf(call));
  if (!stored) co_return std::move(stored).error();
  metrics_.stored_games.Increment();
  pb::StoreKifuResponse response;
  response.set_kifu_id(kifu_id);
  co_return response;
}

Task<Result<pb::ImportKifuResponse>> KifuService::ImportKifu(rpc::Call call,
                                                             const pb::ImportKifuRequest& request) {
  if (Status id = rpc::CheckRequestId(request.request_id()); !id) co_return std::move(id).error();
  notation::ReadOptions options;
  Result<std::optional<notation::RecordFormat>> format = convert::FormatFromProto(request.format());
  if (!format) co_return std::move(format).error();
  options.format = *format;
  Result<std::optional<notation::TextEncoding>> encoding =
      convert::EncodingFromProto(request.encoding());
  if (!encoding) co_return std::move(encoding).error();
  options.encoding = *encoding;
  Result<notation::RecordFile> file = notation::ReadRecordFile(request.data(), options);
  if (!file) co_return std::move(file).error();
  pb::ImportKifuResponse response;
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < file->games.size(); ++i) {
    const std::string kifu_id =
        rpc::IdFromRequest(call.caller().id, request.request_id() + "/" + std::to_string(i));
    // Imports are about games of others: the names are the file's, nobody's account.
    Result<Entry> entry =
        EntryOf(kifu_id, "", convert::ToProto(file->games[i]), call.received_at());
    if (!entry) co_return std::move(entry).error();
    entries.push_back(*std::move(entry));
    response.add_kifu_ids(kifu_id);
  }
  for (const std::string& warning : file->warnings) response.add_warnings(warning);
  Status stored = co_await store_.Put(std::move(entries), DeadlineOf(call));
  if (!stored) {
    if (stored.error().Is(kStoredDifferently)) {
      co_return Error(kRequestIdReused, "this request id has imported something else");
    }
    co_return std::move(stored).error();
  }
  metrics_.stored_imports.Increment(static_cast<double>(response.kifu_ids_size()));
  co_return response;
}

Task<Result<pb::GetKifuResponse>> KifuService::GetKifu(rpc::Call call,
                                                       const pb::GetKifuRequest& request) {
  Result<Key> key = KeyOf(request);
  if (!key) co_return std::move(key).error();
  Result<Entry> entry = co_await store_.Get(*std::move(key), DeadlineOf(call));
  if (!entry) co_return std::move(entry).error();
  Result<common_pb::GameRecord> record = RecordOf(*entry);
  if (!record) co_return std::move(record).error();
  pb::GetKifuResponse response;
  pb::Kifu& kifu = *response.mutable_kifu();
  kifu.set_kifu_id(entry->kifu_id);
  kifu.set_game_id(entry->game_id);
  *kifu.mutable_record() = *std::move(record);
  kifu.set_stored_at_ms(ToUnixMillis(entry->stored_at));
  co_return response;
}

Task<Result<pb::SearchKifuResponse>> KifuService::SearchKifu(rpc::Call call,
                                                             const pb::SearchKifuRequest& request) {
  Result<Query> query = QueryOf(request);
  if (!query) co_return std::move(query).error();
  Result<std::optional<Cursor>> after = ParseToken(request.page_token());
  if (!after) co_return std::move(after).error();
  if (request.page_size() < 0) {
    co_return rpc::InvalidField(kInvalidRequest, "page_size", "must not be negative");
  }
  const int size =
      request.page_size() == 0 ? kDefaultPage : std::min(request.page_size(), kMaxPage);
  Result<Page> page =
      co_await store_.Search(*std::move(query), *std::move(after), size, DeadlineOf(call));
  if (!page) co_return std::move(page).error();
  pb::SearchKifuResponse response;
  for (const Entry& entry : page->entries) *response.add_kifus() = SummaryOf(entry);
  if (page->more) response.set_next_page_token(TokenOf(page->entries.back()));
  co_return response;
}

Task<Result<pb::ExplorePositionResponse>> KifuService::ExplorePosition(
    rpc::Call call, const pb::ExplorePositionRequest& request) {
  Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
  if (!variant) co_return std::move(variant).error();
  Result<std::int64_t> key = PositionKey(*variant, request.position());
  if (!key) co_return std::move(key).error();
  const ExploredGames which = request.rated_only() ? ExploredGames::kRated : ExploredGames::kAll;
  Result<Exploration> found = co_await store_.Explore(*variant, *key, which, DeadlineOf(call));
  if (!found) co_return std::move(found).error();
  pb::ExplorePositionResponse response;
  response.set_games(found->games);
  for (const Explored& explored : found->moves) {
    pb::ExploredMove& move = *response.add_moves();
    move.set_move(explored.move);
    move.set_games(explored.games);
    move.set_first_wins(explored.first_wins);
    move.set_second_wins(explored.second_wins);
    move.set_draws(explored.draws);
  }
  co_return response;
}

Task<Result<pb::ExportKifuResponse>> KifuService::ExportKifu(rpc::Call call,
                                                             const pb::ExportKifuRequest& request) {
  Result<Key> key = KeyOf(request);
  if (!key) co_return std::move(key).error();
  Result<std::optional<notation::RecordFormat>> format = convert::FormatFromProto(request.format());
  if (!format) co_return std::move(format).error();
  if (!*format) co_return rpc::InvalidField(kInvalidRequest, "format", "say which format");
  Result<std::optional<notation::TextEncoding>> encoding =
      convert::EncodingFromProto(request.encoding());
  if (!encoding) co_return std::move(encoding).error();
  Result<Entry> entry = co_await store_.Get(*std::move(key), DeadlineOf(call));
  if (!entry) co_return std::move(entry).error();
  Result<common_pb::GameRecord> stored = RecordOf(*entry);
  if (!stored) co_return std::move(stored).error();
  Result<notation::GameRecord> record = convert::RecordFromProto(*stored);
  if (!record) co_return std::move(record).error();
  Result<notation::WrittenRecord> file = notation::WriteRecordFile(
      *record, **format, encoding->value_or(notation::TextEncoding::kUtf8));
  if (!file) co_return std::move(file).error();
  pb::ExportKifuResponse response;
  response.set_data(std::move(file->bytes));
  response.set_file_name(entry->kifu_id + "." + Extension(**format));
  co_return response;
}

}  // namespace komadai::kifu
