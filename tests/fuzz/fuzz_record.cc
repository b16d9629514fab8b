// Record files: whatever is read passes the checks, and every format that can hold it writes it so
// that it reads back with the same moves.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libs/base/check.h"
#include "libs/notation/records/record_file.h"

using namespace komadai;  // a program of one function

namespace {

void CheckGame(notation::GameRecord game) {
  KOMADAI_CHECK(notation::CheckRecord(game).has_value());
  using enum notation::RecordFormat;
  for (const auto format : {kUsi, kCsa, kKif, kKi2, kPgn}) {
    const auto written = notation::WriteRecordFile(game, format);
    if (!written) continue;
    notation::ReadOptions options;
    options.format = format;
    const auto again = notation::ReadRecordFile(written->bytes, options);
    if (written->bytes.size() > notation::kMaxRecordBytes) continue;
    KOMADAI_CHECK(again.has_value());
    KOMADAI_CHECK(again->games.size() == 1);
    KOMADAI_CHECK(again->games[0].start == game.start);
    KOMADAI_CHECK(again->games[0].moves.size() == game.moves.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto file = notation::ReadRecordFile(bytes);
  if (!file) return 0;
  KOMADAI_CHECK(!file->games.empty());
  for (const notation::GameRecord& game : file->games) CheckGame(game);
  return 0;
}
