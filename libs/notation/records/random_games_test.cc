// Random games, written to files and read back.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "libs/base/random.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/notation/records/record_file.h"

namespace komadai::notation {
namespace {

using rules::Variant;
using std::chrono::seconds;

constexpr int kGames = 1000;
constexpr int kLongestGame = 60;
constexpr seconds kThirtyHours{std::int64_t{30} * 3600};

std::string Moves(const GameRecord& record) {
  std::string out;
  for (const RecordedMove& move : record.moves) {
    out += FormatPlainMove(record.variant(), move.move) + " ";
  }
  return out;
}

// With names of all scripts, and times of a correspondence game.
GameRecord RandomRecord(Variant variant, SeededRandom& random) {
  const auto handicaps = rules::HandicapsOf(variant);
  GameRecord record;
  record.start = *rules::StartPosition(variant, handicaps[random.Below(handicaps.size())].id);
  record.first_name = "Nguyễn Văn Ánh";
  record.second_name = "羽生 善治";
  rules::Position position = record.start;
  const std::size_t plies = 1 + random.Below(kLongestGame);
  while (record.moves.size() < plies) {
    rules::MoveList moves;
    position.LegalMoves(moves);
    if (moves.empty()) break;
    RecordedMove played{moves[random.Below(moves.size())]};
    played.used = seconds(random.Below(static_cast<std::uint64_t>(kThirtyHours.count())));
    position.PlayUnchecked(played.move);
    record.moves.push_back(std::move(played));
  }
  record.result = {RecordEnding::kResignation, WonBy(rules::Opponent(position.side_to_move()))};
  return record;
}

struct Format {
  RecordFormat format;
  bool has_names_and_result;
  bool has_times;
};

std::vector<Format> FormatsOf(Variant variant) {
  if (variant == Variant::kXiangqi) {
    return {{RecordFormat::kUsi, false, false}, {RecordFormat::kPgn, true, false}};
  }
  return {{RecordFormat::kUsi, false, false},
          {RecordFormat::kCsa, true, true},
          {RecordFormat::kKif, true, true},
          {RecordFormat::kKi2, true, false}};
}

void ExpectTheSame(const GameRecord& read, const GameRecord& written, const Format& format) {
  EXPECT_EQ(FormatPosition(read.start), FormatPosition(written.start));
  EXPECT_EQ(Moves(read), Moves(written));
  if (format.has_names_and_result) {
    EXPECT_EQ(read.result.outcome, written.result.outcome);
    EXPECT_EQ(read.first_name, written.first_name);
    EXPECT_EQ(read.second_name, written.second_name);
  }
  if (!format.has_times || read.moves.size() != written.moves.size()) return;
  for (std::size_t i = 0; i < read.moves.size(); ++i) {
    EXPECT_EQ(read.moves[i].used, written.moves[i].used) << "ply " << i + 1;
  }
}

TEST(RandomGamesTest, ComeBackFromEveryFormat) {
  for (int game = 0; game < kGames && !testing::Test::HasFailure(); ++game) {
    SCOPED_TRACE("seed " + std::to_string(game));
    SeededRandom random(static_cast<std::uint64_t>(game));
    const Variant variant = rules::kVariants[game % std::size(rules::kVariants)];
    const GameRecord record = RandomRecord(variant, random);
    for (const Format& format : FormatsOf(variant)) {
      const Result<WrittenRecord> written = WriteRecordFile(record, format.format);
      ASSERT_TRUE(written) << written.error().ToString();
      ReadOptions options;
      options.variant = variant;
      const Result<RecordFile> file = ReadRecordFile(written->bytes, options);
      ASSERT_TRUE(file) << file.error().ToString() << "\n" << written->bytes;
      ASSERT_EQ(file->games.size(), 1U);
      EXPECT_EQ(file->format, format.format);
      ExpectTheSame(file->games.front(), record, format);
      if (testing::Test::HasFailure()) FAIL() << written->bytes;
    }
  }
}

}  // namespace
}  // namespace komadai::notation
