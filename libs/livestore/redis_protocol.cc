#include "libs/livestore/redis_protocol.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "libs/livestore/topics.h"

namespace komadai::livestore {
namespace {

using redis::Reply;

Error OddReply() { return Error{kInternal, "an odd reply from Redis"}; }

std::optional<std::int64_t> ParseInt(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Redis writes scores as doubles, big ones perhaps with an exponent.
std::optional<std::int64_t> ParseScore(const std::string& text) {
  if (const auto value = ParseInt(text)) return value;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(std::abs(value) <= double{kMaxScore})) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

void AppendChange(redis::Arguments& arguments, Change change) {
  arguments.push_back(std::move(change.name));
  arguments.push_back(std::to_string(change.expected_version));
  arguments.push_back(change.put_body ? "b" : "");
  arguments.push_back(change.put_body ? *std::move(change.put_body) : "");
  arguments.push_back(change.delete_document ? "d" : "");
  arguments.push_back(change.time_to_live ? std::to_string(change.time_to_live->count()) : "");
  arguments.push_back(change.keep_last_events ? std::to_string(*change.keep_last_events) : "");
  arguments.push_back(std::to_string(change.events.size()));
  for (std::string& event : change.events) arguments.push_back(std::move(event));
  arguments.push_back(std::to_string(change.indexes.size()));
  for (IndexChange& index : change.indexes) {
    arguments.push_back(std::move(index.index));
    arguments.push_back(index.score ? std::to_string(*index.score) : "");
  }
}

bool AreIntegers(const Reply& reply) {
  for (const Reply& element : reply.elements) {
    if (!element.IsInteger()) return false;
  }
  return reply.IsArray() && !reply.elements.empty();
}

}  // namespace

redis::Arguments CommitArguments(const std::string& channel_prefix, Transaction transaction) {
  redis::Arguments arguments;
  arguments.reserve(2 + 12 * transaction.changes.size() + 2 * transaction.announcements.size());
  arguments.push_back(channel_prefix);
  arguments.push_back(std::to_string(transaction.changes.size()));
  for (Change& change : transaction.changes) AppendChange(arguments, std::move(change));
  for (Announcement& announcement : transaction.announcements) {
    arguments.push_back(channel_prefix + ChannelTopic(announcement.channel));
    arguments.push_back(std::move(announcement.payload));
  }
  return arguments;
}

Result<CommitOutcome> ParseCommitReply(const std::vector<std::string>& names,
                                       const std::vector<Version>& expected, const Reply& reply) {
  if (!AreIntegers(reply)) return OddReply();
  const std::vector<Reply>& elements = reply.elements;
  CommitOutcome outcome;
  if (elements[0].integer == 1) {
    if (elements.size() != 1 + 2 * names.size()) return OddReply();
    for (std::size_t i = 1; i < elements.size(); i += 2) {
      outcome.documents.push_back({elements[i].integer, elements[i + 1].integer});
    }
    return outcome;
  }
  if (elements.size() < 2 || elements[1].integer < 1) return OddReply();
  const auto position = static_cast<std::size_t>(elements[1].integer) - 1;
  if (position >= names.size()) return OddReply();
  if (elements[0].integer == -1) {
    return Error{kInvalidTransaction,
                 "a document with a time to live cannot be in an index",
                 {{"document", names[position]}}};
  }
  if (elements[0].integer != 0 || elements.size() != 3) return OddReply();
  outcome.conflict = Conflict{names[position], expected[position], elements[2].integer};
  return outcome;
}

Result<std::optional<Document>> ParseDocument(std::string name, Reply& reply) {
  if (!reply.IsArray() || reply.elements.size() < 3) return OddReply();
  std::vector<Reply>& elements = reply.elements;
  if (elements[0].IsNil()) return std::optional<Document>();
  const auto version = ParseInt(elements[0].text);
  const auto sequence = ParseInt(elements[1].text);
  if (!version || !sequence || !elements[2].IsString()) return OddReply();
  return std::optional(Document{std::move(name), *version, *sequence, std::move(elements[2].text)});
}

Result<std::vector<Event>> ParseEvents(Reply& reply) {
  if (!reply.IsArray()) return OddReply();
  std::vector<Event> events;
  events.reserve(reply.elements.size());
  for (Reply& entry : reply.elements) {
    if (entry.elements.size() != 2 || entry.elements[1].elements.size() != 2) return OddReply();
    const std::string_view id = entry.elements[0].text;
    const auto sequence = ParseInt(id.substr(0, id.find('-')));
    if (!sequence) return OddReply();
    events.push_back({*sequence, std::move(entry.elements[1].elements[1].text)});
  }
  return events;
}

Result<std::vector<IndexEntry>> ParseIndex(Reply& reply, std::int64_t max_score) {
  if (!reply.IsArray() || reply.elements.size() % 2 != 0) return OddReply();
  std::vector<IndexEntry> entries;
  entries.reserve(reply.elements.size() / 2);
  for (std::size_t i = 0; i < reply.elements.size(); i += 2) {
    const auto score = ParseScore(reply.elements[i + 1].text);
    if (!score) return OddReply();
    if (*score > max_score) break;
    entries.push_back({std::move(reply.elements[i].text), *score});
  }
  return entries;
}

std::optional<Notification> ParseDocumentMessage(const std::string& payload) {
  if (payload == "d") return Notification{};
  const std::size_t colon = payload.find(':');
  if (payload.empty() || payload[0] != 'e' || colon == std::string::npos) return std::nullopt;
  const auto sequence = ParseInt(std::string_view(payload).substr(1, colon - 1));
  if (!sequence) return std::nullopt;
  return Notification{Notification::Kind::kEvent, *sequence, payload.substr(colon + 1)};
}

Error CommitError(Error error) {
  if (!error.Is(redis::kErrorReply)) return error;
  return Error{kInternal, "Redis: " + error.message()};
}

Error ReadError(Error error) {
  if (!error.Is(redis::kInDoubt)) return CommitError(std::move(error));
  return Error{kUnavailable, error.message()};
}

}  // namespace komadai::livestore
