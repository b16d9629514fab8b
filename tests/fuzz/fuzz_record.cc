// Record files: a game that is read is sound, and every format that can hold it writes it so that
// it reads back as the same game; everything else is refused with a reason.
//
// Input: choices (format, encoding and variant to assume), what to write it as, then the file.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libs/base/check.h"
#include "libs/notation/records/record_file.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/record_same.h"

using namespace komadai;  // a program of one function

namespace {

using notation::GameRecord;
using notation::ReadOptions;
using notation::RecordFile;
using notation::RecordFormat;
using notation::TextEncoding;
using notation::WrittenRecord;

constexpr std::size_t kGamesWritten = 4;
constexpr int kFormats = static_cast<int>(RecordFormat::kDhtmlxq) + 1;
constexpr std::array kWritable = {RecordFormat::kUsi, RecordFormat::kCsa, RecordFormat::kKif,
                                  RecordFormat::kKi2, RecordFormat::kPgn};

// Mostly nothing is given, so that everything is recognised.
ReadOptions TakeOptions(fuzz::Bytes& bytes) {
  ReadOptions options;
  const int choices = bytes.Byte();
  options.variant = rules::kVariants[static_cast<std::size_t>(choices) % 3];
  if ((choices & 0x80) != 0) options.format = static_cast<RecordFormat>(bytes.Byte() % kFormats);
  if ((choices & 0x40) != 0) options.encoding = static_cast<TextEncoding>(bytes.Byte() % 4);
  return options;
}

void CheckFile(const RecordFile& file) {
  KOMADAI_CHECK(!file.games.empty() && file.games.size() <= notation::kMaxRecordGames);
  for (const std::string& warning : file.warnings) fuzz::CheckCleanText(warning);
  for (const GameRecord& game : file.games) {
    fuzz::CheckTexts(game);
    GameRecord checked = game;
    KOMADAI_CHECK(notation::CheckRecord(checked).has_value());
    KOMADAI_CHECK(checked.moves.size() == game.moves.size());
  }
}

// A file that we wrote, read by somebody who was told everything about it.
GameRecord ReadBack(const WrittenRecord& written, const ReadOptions& options) {
  const auto file = notation::ReadRecordFile(written.bytes, options);
  KOMADAI_CHECK(file.has_value());
  KOMADAI_CHECK(file->games.size() == 1);
  CheckFile(*file);
  return file->games[0];
}

void CheckWritten(const GameRecord& game, RecordFormat format, TextEncoding encoding) {
  const auto written = notation::WriteRecordFile(game, format, encoding);
  if (!written) {
    fuzz::CheckRefusal(written.error());
    KOMADAI_CHECK(written.error().reason() == "WRONG_NOTATION");
    return;
  }
  for (const std::string& warning : written->warnings) fuzz::CheckCleanText(warning);
  if (written->bytes.size() > notation::kMaxRecordBytes) return;
  const bool lost = !written->warnings.empty() && encoding != TextEncoding::kUtf8;
  if (lost) return;  // moves may be among what the encoding does not have
  ReadOptions options;
  options.format = format;
  options.encoding = encoding;
  const GameRecord again = ReadBack(*written, options);
  fuzz::CheckSameGame(game, *written, format, again);
  if (encoding != TextEncoding::kUtf8) return;

  // Told nothing, a reader finds the same game.
  fuzz::CheckSameGame(game, *written, format, ReadBack(*written, ReadOptions()));
  // Writing is stable: what was once written and read is written the same for ever.
  const auto second = notation::WriteRecordFile(again, format);
  KOMADAI_CHECK(second.has_value());
  const auto third = notation::WriteRecordFile(ReadBack(*second, options), format);
  KOMADAI_CHECK(third.has_value() && third->bytes == second->bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(std::string_view(reinterpret_cast<const char*>(data), size));
  const ReadOptions options = TakeOptions(bytes);
  const int writing = bytes.Byte();
  const auto file = notation::ReadRecordFile(bytes.Rest(), options);
  if (!file) {
    fuzz::CheckRefusal(file.error());
    return 0;
  }
  CheckFile(*file);
  // One way of writing each time: all of them would cost more than finding new inputs.
  for (std::size_t i = 0; i < std::min(file->games.size(), kGamesWritten); ++i) {
    CheckWritten(file->games[i], kWritable[static_cast<std::size_t>(writing) % kWritable.size()],
                 static_cast<TextEncoding>(writing / 16 % 4));
  }
  return 0;
}
