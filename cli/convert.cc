#include "cli/convert.h"

#include <google/protobuf/util/json_util.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <utility>
#include <vector>

#include "libs/convert/record.h"
#include "libs/notation/errors.h"
#include "libs/notation/records/record_file.h"

namespace komadai::cli {
namespace {

using nlohmann::json;
using notation::GameRecord;
using notation::RecordFile;
using notation::RecordFormat;
using notation::TextEncoding;

constexpr char kConvertName[] = "convert";
constexpr Reason kNoSuchGame{Code::kInvalidArgument, "NO_SUCH_GAME"};
constexpr Reason kManyGames{Code::kInvalidArgument, "MANY_GAMES"};
constexpr Reason kNothingToWrite{Code::kInvalidArgument, "NOTHING_TO_WRITE"};

// At most a byte more than a record file may have, so that a larger one is refused as such.
Result<std::string> ReadAll(std::istream& in) {
  std::string bytes(notation::kMaxRecordBytes + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (in.bad()) return Error(kUnreadableFile, "the input cannot be read");
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

Result<std::string> ReadInput(const std::string& path, const Streams& streams) {
  if (path == "-") return ReadAll(streams.in);
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    return notation::TextError(kUnreadableFile, "the file cannot be read", path);
  }
  return ReadAll(file);
}

Result<std::optional<RecordFormat>> ReadFormat(const std::string& name) {
  if (name.empty()) return std::optional<RecordFormat>();
  const std::optional<RecordFormat> format = notation::FindRecordFormat(name);
  if (!format) return notation::TextError(notation::kUnknownFormat, "unknown record format", name);
  return format;
}

Result<std::optional<TextEncoding>> ReadEncoding(const std::string& name) {
  if (name.empty()) return std::optional<TextEncoding>();
  const std::optional<TextEncoding> encoding = notation::FindTextEncoding(name);
  if (!encoding) return notation::TextError(notation::kBadEncoding, "unknown encoding", name);
  return encoding;
}

Result<notation::ReadOptions> ReadingOptions(const ConvertOptions& options) {
  notation::ReadOptions reading;
  const auto format = ReadFormat(options.from);
  if (!format) return format.error();
  reading.format = *format;
  const auto encoding = ReadEncoding(options.encoding);
  if (!encoding) return encoding.error();
  reading.encoding = *encoding;
  if (!options.variant.empty()) {
    const Result<rules::Variant> variant = ReadVariant(options.variant);
    if (!variant) return variant.error();
    reading.variant = *variant;
  }
  return reading;
}

Result<RecordFile> ReadGames(const ConvertOptions& options, const Streams& streams) {
  const Result<notation::ReadOptions> reading = ReadingOptions(options);
  if (!reading) return reading.error();
  const Result<std::string> bytes = ReadInput(options.input, streams);
  if (!bytes) return bytes.error();
  Result<RecordFile> file = notation::ReadRecordFile(*bytes, *reading);
  if (!file || options.game == 0) return file;
  const auto wanted = static_cast<std::size_t>(options.game);
  if (wanted > file->games.size()) {
    return Error(kNoSuchGame, "the file contains " + std::to_string(file->games.size()) + " games");
  }
  GameRecord game = std::move(file->games[wanted - 1]);
  file->games.clear();
  file->games.push_back(std::move(game));
  return file;
}

// What stands between the games of a file; nothing if a file of the format holds one game.
std::optional<std::string_view> Separator(RecordFormat format) {
  switch (format) {
    case RecordFormat::kUsi:
      return "";
    case RecordFormat::kCsa:
      return "/\n";
    case RecordFormat::kPgn:
      return "\n";
    default:
      return std::nullopt;
  }
}

Result<notation::WrittenRecord> WriteGames(const RecordFile& file, RecordFormat format,
                                           TextEncoding encoding) {
  notation::WrittenRecord all;
  const std::optional<std::string_view> separator = Separator(format);
  if (!separator && file.games.size() > 1) {
    return Error(kManyGames, "the file contains " + std::to_string(file.games.size()) +
                                 " games, and one of this format holds one: choose it with --game");
  }
  for (const GameRecord& game : file.games) {
    if (!all.bytes.empty()) all.bytes += *separator;
    Result<notation::WrittenRecord> one = notation::WriteRecordFile(game, format, encoding);
    if (!one) return one.error();
    all.bytes += one->bytes;
    std::ranges::move(one->warnings, std::back_inserter(all.warnings));
  }
  return all;
}

void Warn(const std::vector<std::string>& warnings, const Streams& streams) {
  for (const std::string& warning : warnings) {
    streams.err << "komadai convert: warning: " << warning << "\n";
  }
}

// A game as the API has it (komadai.common.v1.GameRecord).
Result<json> ToJson(const GameRecord& game) {
  google::protobuf::util::JsonPrintOptions style;
  style.preserve_proto_field_names = true;
  std::string text;
  const auto printed =
      google::protobuf::util::MessageToJsonString(convert::ToProto(game), &text, style);
  json parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!printed.ok() || parsed.is_discarded()) {
    return Error(kInternal, "the game cannot be written as JSON");
  }
  return parsed;
}

int PrintJson(const RecordFile& file, const Streams& streams) {
  json games = json::array();
  for (const GameRecord& game : file.games) {
    Result<json> one = ToJson(game);
    if (!one) return Refuse(streams, kConvertName, one.error());
    games.push_back(*std::move(one));
  }
  WriteJson(streams, {{"format", notation::NameOf(file.format)},
                      {"encoding", notation::NameOf(file.encoding)},
                      {"warnings", file.warnings},
                      {"games", games}});
  return kExitOk;
}

}  // namespace

CLI::App* AddConvert(CLI::App& app, ConvertOptions& options) {
  CLI::App* convert =
      app.add_subcommand(kConvertName, "rewrite a record file in another format or encoding");
  convert->add_option("input", options.input, "a file, or - for standard input")->required();
  convert->add_option("--from", options.from,
                      "its format: usi (also UCCI), csa, kif, ki2 or pgn; default: recognised");
  convert->add_option("--encoding", options.encoding,
                      "its encoding: utf-8, shift_jis, euc-jp or gb18030; default: recognised");
  convert->add_option("--variant", options.variant,
                      "the game of a file that does not say; default: shogi");
  convert->add_option("--game", options.game, "only this game of the file, from 1")
      ->check(CLI::Range(1, notation::kMaxRecordGames));
  CLI::Option* to = convert->add_option("--to", options.to, "the format to write");
  convert->add_option("--to-encoding", options.to_encoding, "default: utf-8")->needs(to);
  convert->add_flag("--json", options.json, "write the games as JSON, as the API has them")
      ->excludes(to);
  return convert;
}

int RunConvert(const ConvertOptions& options, const Streams& streams) {
  const auto format = ReadFormat(options.to);
  if (!format) return Refuse(streams, kConvertName, format.error());
  const auto encoding = ReadEncoding(options.to_encoding);
  if (!encoding) return Refuse(streams, kConvertName, encoding.error());
  if (!*format && !options.json) {
    return Refuse(streams, kConvertName,
                  Error(kNothingToWrite, "--to FORMAT or --json is required"));
  }
  const Result<RecordFile> file = ReadGames(options, streams);
  if (!file) return Refuse(streams, kConvertName, file.error());
  if (options.json) return PrintJson(*file, streams);
  const auto written = WriteGames(*file, **format, encoding->value_or(TextEncoding::kUtf8));
  if (!written) return Refuse(streams, kConvertName, written.error());
  Warn(file->warnings, streams);
  Warn(written->warnings, streams);
  streams.out.write(written->bytes.data(), static_cast<std::streamsize>(written->bytes.size()));
  return kExitOk;
}

}  // namespace komadai::cli
