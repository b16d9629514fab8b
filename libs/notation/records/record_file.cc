#include "libs/notation/records/record_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "libs/notation/errors.h"
#include "libs/notation/records/encoding.h"
#include "libs/notation/records/readers.h"
#include "libs/notation/records/record_text.h"
#include "libs/notation/text.h"
#include "libs/rules/illegal.h"

namespace komadai::notation {
namespace {

using rules::Variant;

constexpr std::array<std::string_view, 9> kFormatNames = {"usi", "csa", "kif", "ki2",    "western",
                                                          "jkf", "pgn", "wxf", "dhtmlxq"};
constexpr std::array<std::string_view, 4> kEncodingNames = {"utf-8", "shift_jis", "euc-jp",
                                                            "gb18030"};

Error NotSupported(RecordFormat format) {
  return TextError(kFormatNotSupported, "the record format is not supported", NameOf(format));
}

bool StartsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes,
                             [text](std::string_view prefix) { return text.starts_with(prefix); });
}

// Moves by their Japanese names, as only KI2 has them.
bool HasNames(std::string_view text) {
  return std::ranges::any_of(SplitLines(text), [](const TextLine& line) {
    return StartsWithAny(TrimWide(line.text), {"▲", "△", "☗", "☖", "▼", "▽"});
  });
}

// The board of a SFEN or FEN.
bool IsBoard(std::string_view word) {
  return std::ranges::count(word, '/') >= 4 && std::ranges::all_of(word, [](char c) {
           return IsLetter(c) || IsDigit(static_cast<unsigned char>(c)) || c == '/' || c == '+';
         });
}

// By the first line that says something.
std::optional<RecordFormat> FormatOf(std::string_view text) {
  for (const TextLine& line : SplitLines(text)) {
    const std::string_view start = TrimWide(line.text);
    if (start.empty()) continue;
    if (StartsWithAny(start, {"position ", "sfen ", "fen ", "startpos", "moves "})) {
      return RecordFormat::kUsi;
    }
    if (IsBoard(start.substr(0, start.find(' ')))) return RecordFormat::kUsi;
    const bool version = start.size() > 1 && start[0] == 'V' && start[1] >= '0' && start[1] <= '9';
    const bool csa = version || StartsWithAny(start, {"'", "N+", "N-", "$", "PI", "P1"}) ||
                     start == "+" || start == "-" || start == "/";
    if (csa) return RecordFormat::kCsa;
    if (StartsWithAny(start, {"[DhtmlXQ"})) return RecordFormat::kDhtmlxq;
    if (StartsWithAny(start, {"[", "%PGN"})) return RecordFormat::kPgn;
    if (StartsWithAny(start, {"{"})) return RecordFormat::kJkf;
    if (StartsWithAny(start, {"FORMAT"})) return RecordFormat::kWxf;
    if (StartsWithAny(start, {"<", "MZ", "PK", "XQ"})) return std::nullopt;
    return HasNames(text) ? RecordFormat::kKi2 : RecordFormat::kKif;
  }
  return std::nullopt;
}

// What the first line of a KIF file says may be wrong.
void CheckDeclaredEncoding(const DecodedText& text, Warnings& warnings) {
  const std::string_view first = std::string_view(text.utf8).substr(0, 80);
  const bool says_utf8 =
      first.starts_with("#KIF") && first.find("encoding=UTF-8") != std::string_view::npos;
  const bool says_sjis =
      first.starts_with("#KIF") && first.find("encoding=Shift_JIS") != std::string_view::npos;
  if (says_utf8 && text.encoding != TextEncoding::kUtf8) {
    warnings.Add("the file says UTF-8 but is not", 1);
  }
  if (says_sjis && text.encoding != TextEncoding::kShiftJis) {
    warnings.Add("the file says Shift_JIS but is not", 1);
  }
}

Status ReadAs(RecordFormat format, std::string_view text, Reading& reading) {
  switch (format) {
    case RecordFormat::kUsi:
      return ReadUsi(text, reading);
    case RecordFormat::kCsa:
      return ReadCsa(text, reading);
    case RecordFormat::kKif:
    case RecordFormat::kKi2:
      return ReadKif(text, reading);
    case RecordFormat::kPgn:
      return ReadPgn(text, reading);
    default:
      return NotSupported(format);
  }
}

}  // namespace

std::string_view NameOf(RecordFormat format) {
  return kFormatNames[static_cast<std::size_t>(format)];
}

std::optional<RecordFormat> FindRecordFormat(std::string_view name) {
  const auto* const found = std::ranges::find(kFormatNames, name);
  if (found == kFormatNames.end()) return std::nullopt;
  return static_cast<RecordFormat>(found - kFormatNames.begin());
}

std::string_view NameOf(TextEncoding encoding) {
  return kEncodingNames[static_cast<std::size_t>(encoding)];
}

std::optional<TextEncoding> FindTextEncoding(std::string_view name) {
  const auto* const found = std::ranges::find(kEncodingNames, name);
  if (found == kEncodingNames.end()) return std::nullopt;
  return static_cast<TextEncoding>(found - kEncodingNames.begin());
}

Result<RecordFile> ReadRecordFile(std::string_view bytes, const ReadOptions& options) {
  if (bytes.size() > kMaxRecordBytes) {
    return Error(kRecordTooLarge, "the record file is larger than 1 MiB");
  }
  Result<DecodedText> text = DecodeText(bytes, options.encoding);
  if (!text) return text.error();
  const std::optional<RecordFormat> format = options.format ? options.format : FormatOf(text->utf8);
  if (!format)
    return AtLine(Error(kUnknownFormat, "this is not a game record in a known format"), 1);

  Reading reading;
  reading.variant = options.variant;
  if (text->damaged) reading.warnings.Add("broken characters were replaced");
  CheckDeclaredEncoding(*text, reading.warnings);
  if (Status read = ReadAs(*format, text->utf8, reading); !read) return read.error();
  return RecordFile{std::move(reading.games), *format, text->encoding, reading.warnings.Take()};
}

namespace {

bool CanHold(RecordFormat format, Variant variant) {
  if (format == RecordFormat::kUsi) return true;
  const bool for_xiangqi = format == RecordFormat::kPgn || format == RecordFormat::kWxf ||
                           format == RecordFormat::kDhtmlxq;
  return for_xiangqi == (variant == Variant::kXiangqi);
}

// One line without anything that could end it.
std::string OneLine(std::string_view text) {
  bool dropped = false;
  return std::string(CutText(CleanText(text, dropped), kMaxHeaderBytes));
}

// Lines of comments, each clean.
std::string CommentLines(std::string_view text) {
  std::string out;
  for (const TextLine& line : SplitLines(CutText(text, kMaxCommentBytes))) {
    bool dropped = false;
    if (line.number > 1) out += '\n';
    out += CleanText(line.text, dropped);
  }
  return out;
}

Status CheckLine(std::vector<RecordedMove>& moves, std::vector<Variation>& variations,
                 rules::Position position, int from_ply, int depth, int& nodes_left) {
  if (depth > kMaxVariationDepth)
    return Error(kRecordTooLarge, "the variations are nested too deeply");
  nodes_left -= static_cast<int>(moves.size());
  if (nodes_left < 0 || moves.size() > kMaxRecordPlies) {
    return Error(kRecordTooLarge, "the record has too many moves");
  }
  std::vector<rules::Position> positions = {position};
  for (RecordedMove& move : moves) {
    const int ply = from_ply + static_cast<int>(positions.size()) - 1;
    if (const auto illegal = position.WhyIllegal(move.move)) {
      return Error(rules::ReasonOf(*illegal),
                   "move " + std::to_string(ply) + ": " + std::string(rules::Explain(*illegal)),
                   {{"ply", std::to_string(ply)}});
    }
    position.PlayUnchecked(move.move);
    positions.push_back(position);
    move.comment = CommentLines(move.comment);
  }
  for (Variation& variation : variations) {
    const int index = variation.from_ply - from_ply;
    if (index < 0 || index >= static_cast<int>(positions.size())) {
      return Error(kBadRecord, "a variation begins outside the line it branches from",
                   {{"ply", std::to_string(variation.from_ply)}});
    }
    if (Status inner = CheckLine(variation.moves, variation.variations,
                                 positions[static_cast<std::size_t>(index)], variation.from_ply,
                                 depth + 1, nodes_left);
        !inner) {
      return inner;
    }
  }
  return {};
}

}  // namespace

Status CheckRecord(GameRecord& record) {
  int nodes_left = kMaxRecordNodes;
  if (Status line = CheckLine(record.moves, record.variations, record.start, 1, 0, nodes_left);
      !line) {
    return line;
  }
  record.first_name = OneLine(record.first_name);
  record.second_name = OneLine(record.second_name);
  record.comment = CommentLines(record.comment);
  std::map<std::string, std::string> headers;
  for (const auto& [key, value] : record.headers) {
    std::string clean = OneLine(key);
    if (clean.empty() || headers.size() >= kMaxHeaders) continue;
    headers[std::move(clean)] = OneLine(value);
  }
  record.headers = std::move(headers);
  return {};
}

Result<WrittenRecord> WriteRecordFile(const GameRecord& record, RecordFormat format,
                                      TextEncoding encoding) {
  if (!CanHold(format, record.variant())) {
    return TextError(kWrongNotation, "the format cannot hold this game", NameOf(format));
  }
  GameRecord clean = record;
  if (Status checked = CheckRecord(clean); !checked) return checked.error();
  Warnings warnings;
  std::string text;
  switch (format) {
    case RecordFormat::kUsi:
      text = WriteUsi(clean, warnings);
      break;
    case RecordFormat::kCsa:
      text = WriteCsa(clean, warnings);
      break;
    case RecordFormat::kKif:
      text = WriteKif(clean, encoding, warnings);
      break;
    case RecordFormat::kKi2:
      text = WriteKi2(clean, warnings);
      break;
    case RecordFormat::kPgn:
      text = WritePgn(clean, warnings);
      break;
    default:
      return NotSupported(format);
  }
  Result<EncodedText> encoded = EncodeText(text, encoding);
  if (!encoded) return encoded.error();
  if (encoded->lost > 0) warnings.Add("characters the encoding does not have were lost");
  return WrittenRecord{std::move(encoded->bytes), warnings.Take()};
}

}  // namespace komadai::notation
