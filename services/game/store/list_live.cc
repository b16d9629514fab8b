// The pages of live games: the newest of all shards, merged.
#include <algorithm>
#include <charconv>
#include <utility>

#include "libs/base/when_all.h"
#include "services/game/errors.h"
#include "services/game/store/game_store.h"

namespace komadai::game {
namespace {

struct Cursor {
  std::int64_t score = 0;
  std::string game_id;
};

// "score:game"; both are visible to clients anyway, so the token is opaque only by contract.
std::string TokenOf(const livestore::IndexEntry& entry) {
  return std::to_string(entry.score) + ":" + entry.name;
}

Result<std::optional<Cursor>> ParseToken(const std::string& token) {
  if (token.empty()) return std::optional<Cursor>();
  Cursor cursor;
  const char* end = token.data() + token.size();
  const auto [rest, error] = std::from_chars(token.data(), end, cursor.score);
  const bool in_range = cursor.score >= -livestore::kMaxScore && cursor.score <= 0;
  if (error != std::errc() || rest == end || *rest != ':' || !in_range ||
      token.size() > livestore::kMaxNameBytes) {
    return Error{kInvalidPageToken, "the page token is not one of ours"};
  }
  cursor.game_id.assign(rest + 1, end);
  return std::optional<Cursor>(std::move(cursor));
}

bool Before(const livestore::IndexEntry& a, const livestore::IndexEntry& b) {
  return a.score != b.score ? a.score < b.score : a.name < b.name;
}

}  // namespace

Task<Result<LivePage>> GameStore::ListLive(std::optional<Variant> variant, int page_size,
                                           std::string page_token) {
  Result<std::optional<Cursor>> cursor = ParseToken(page_token);
  if (!cursor) co_return std::move(cursor).error();
  std::vector<Task<Result<std::vector<livestore::IndexEntry>>>> reads;
  for (int shard = 0; shard < kShards; ++shard) {
    livestore::IndexQuery query;
    query.partition = "game:" + std::to_string(shard);
    query.index = variant ? "live/" + std::string(rules::VariantName(*variant)) : "live";
    query.limit = page_size + 1;
    if (*cursor) query.after = livestore::IndexEntry{(*cursor)->game_id, (*cursor)->score};
    reads.push_back(store_.ReadIndex(std::move(query)));
  }
  std::vector<livestore::IndexEntry> entries;
  auto shards = co_await WhenAll(std::move(reads));
  for (Result<std::vector<livestore::IndexEntry>>& read : shards) {
    if (!read) co_return std::move(read).error();
    std::move(read->begin(), read->end(), std::back_inserter(entries));
  }
  std::sort(entries.begin(), entries.end(), Before);
  LivePage page;
  const auto size = static_cast<std::size_t>(page_size);
  if (entries.size() > size) {
    entries.resize(size);
    page.next_page_token = TokenOf(entries.back());
  }
  std::vector<Task<Result<std::optional<livestore::Document>>>> loads;
  for (const livestore::IndexEntry& entry : entries) {
    loads.push_back(store_.Load(PartitionOf(entry.name), entry.name));
  }
  auto documents = co_await WhenAll(std::move(loads));
  for (const Result<std::optional<livestore::Document>>& document : documents) {
    if (!document) co_return document.error();
    internal::v1::StoredGame body;
    // A game that ended since the index was read is no longer live: leave it out.
    if (!*document || !body.ParseFromString((*document)->body) || body.has_result()) continue;
    page.games.push_back(std::move(*body.mutable_summary()));
  }
  co_return page;
}

}  // namespace komadai::game
