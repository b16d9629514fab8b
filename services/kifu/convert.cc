#include "services/kifu/convert.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <bit>
#include <utility>

#include "libs/convert/game_setup.h"
#include "libs/convert/variant.h"
#include "libs/notation/plain_move.h"
#include "services/kifu/errors.h"

namespace komadai::kifu {
namespace {

constexpr int kMaxMoves = 10000;

std::int64_t VisitKeyOf(const rules::Position& position) {
  return std::bit_cast<std::int64_t>(position.key());
}

// The same bytes for the same record: protobuf's maps have no defined order.
std::string Serialise(const common_pb::GameRecord& record) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    record.SerializeToCodedStream(&out);
  }
  return bytes;
}

Error AtPly(const Error& error, int ply) {
  std::map<std::string, std::string> metadata = error.metadata();
  metadata["ply"] = std::to_string(ply);
  return Error::FromWire(error.code(), error.reason(), error.message(), std::move(metadata));
}

}  // namespace

Result<Entry> EntryOf(std::string kifu_id, std::string game_id, const common_pb::GameRecord& record,
                      TimePoint now) {
  if (record.moves_size() > kMaxMoves) {
    return Error(kInvalidRecord, "a record has at most 10000 moves");
  }
  // Records of tsume problems may lack a king.
  Result<convert::GameStart> start =
      convert::StartFromProto(record.setup(), rules::Kings::kOptional);
  if (!start) return std::move(start).error();
  Entry entry;
  entry.kifu_id = std::move(kifu_id);
  entry.game_id = std::move(game_id);
  entry.variant = start->variant();
  entry.first_id = record.first().player_id();
  entry.second_id = record.second().player_id();
  entry.first_name = record.first().name();
  entry.second_name = record.second().name();
  entry.outcome = record.result().outcome();
  entry.ending = record.result().ending();
  entry.plies = record.moves_size();
  entry.rated = record.rated();
  entry.ended_at = record.ended_at_ms() != 0 ? FromUnixMillis(record.ended_at_ms()) : now;
  entry.stored_at = now;
  entry.record = Serialise(record);

  rules::Position position = start->position;
  for (int ply = 0; ply < record.moves_size(); ++ply) {
    const std::string& text = record.moves(ply).move();
    Result<rules::Move> move = notation::ParsePlainMove(entry.variant, text);
    if (!move) return AtPly(move.error(), ply + 1);
    if (const std::optional<rules::Illegal> why = position.WhyIllegal(*move)) {
      const Error illegal(rules::ReasonOf(*why), std::string(rules::Explain(*why)),
                          {{"move", text}});
      return AtPly(illegal, ply + 1);
    }
    entry.visits.push_back(
        {VisitKeyOf(position), ply, notation::FormatPlainMove(entry.variant, *move)});
    position.PlayUnchecked(*move);
  }
  entry.visits.push_back({VisitKeyOf(position), record.moves_size(), ""});
  return entry;
}

pb::KifuSummary SummaryOf(const Entry& entry) {
  pb::KifuSummary out;
  out.set_kifu_id(entry.kifu_id);
  out.set_game_id(entry.game_id);
  out.set_variant(convert::ToProto(entry.variant));
  out.set_first_name(entry.first_name);
  out.set_second_name(entry.second_name);
  out.mutable_result()->set_outcome(static_cast<common_pb::Outcome>(entry.outcome));
  out.mutable_result()->set_ending(static_cast<common_pb::Ending>(entry.ending));
  out.mutable_result()->set_plies(entry.plies);
  out.set_rated(entry.rated);
  out.set_ended_at_ms(ToUnixMillis(entry.ended_at));
  return out;
}

Result<common_pb::GameRecord> RecordOf(const Entry& entry) {
  common_pb::GameRecord record;
  if (!record.ParseFromString(entry.record)) {
    return Error(kInvalidRecord, "the stored record cannot be read", {{"kifu", entry.kifu_id}});
  }
  return record;
}

}  // namespace komadai::kifu
