#include "libs/notation/records/record_file.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"

namespace komadai::notation {
namespace {

using rules::Variant;

std::string Moves(const std::vector<RecordedMove>& moves, Variant variant = Variant::kShogi) {
  std::string out;
  for (const RecordedMove& move : moves) {
    if (!out.empty()) out += ' ';
    out += FormatPlainMove(variant, move.move);
  }
  return out;
}

GameRecord ReadOne(std::string_view text, const ReadOptions& options = {}) {
  const Result<RecordFile> file = ReadRecordFile(text, options);
  if (!file) {
    ADD_FAILURE() << file.error().ToString();
    return {};
  }
  EXPECT_EQ(file->games.size(), 1U);
  return file->games.front();
}

std::string ReasonOf(std::string_view text, std::string line = "") {
  const Result<RecordFile> file = ReadRecordFile(text);
  if (file) return "read";
  const auto& metadata = file.error().metadata();
  const auto found = metadata.find("line");
  if (!line.empty()) {
    EXPECT_EQ(found == metadata.end() ? "" : found->second, line) << text;
  }
  return file.error().reason();
}

TEST(UsiRecordTest, LinesInAllTheirForms) {
  EXPECT_EQ(Moves(ReadOne("position startpos moves 7g7f 3c3d\n").moves), "7g7f 3c3d");
  EXPECT_EQ(Moves(ReadOne("startpos moves 7g7f").moves), "7g7f");
  EXPECT_EQ(Moves(ReadOne("moves 7g7f").moves), "7g7f");
  const GameRecord mini = ReadOne("position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 5d5c");
  EXPECT_EQ(mini.variant(), Variant::kMinishogi);
  const GameRecord xiangqi =
      ReadOne("position fen " + FormatPosition(rules::StartPosition(Variant::kXiangqi)) +
              " moves h2e2 h9g7");
  EXPECT_EQ(Moves(xiangqi.moves, Variant::kXiangqi), "h2e2 h9g7");
}

TEST(UsiRecordTest, ResultWordsAreUnderstood) {
  const GameRecord record = ReadOne("position startpos moves 7g7f 3c3d resign");
  EXPECT_EQ(record.result.ending, RecordEnding::kResignation);
  EXPECT_EQ(record.result.outcome, RecordOutcome::kSecondWins);
}

TEST(UsiRecordTest, FaultsNameTheirLineAndRule) {
  EXPECT_EQ(ReasonOf("position startpos moves 7g7f\nposition startpos moves 7g7e", "2"),
            "BAD_GEOMETRY");
  EXPECT_EQ(ReasonOf("position startpos 7g7f", "1"), "BAD_RECORD");
  EXPECT_EQ(ReasonOf("position startpos moves 7g7f hello", "1"), "INVALID_MOVE");
  EXPECT_EQ(ReasonOf("position sfen 9/9 b - 1 moves", "1"), "INVALID_POSITION");
}

TEST(CsaRecordTest, InitialPositionWithRemovals) {
  const GameRecord record = ReadOne("V2.2\nPI82HI22KA\n-\n-5142OU\n");
  EXPECT_EQ(FormatPosition(record.start),
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
  EXPECT_EQ(Moves(record.moves), "5a4b");
}

TEST(CsaRecordTest, AllHandPiecesOfALineAreKept) {
  const GameRecord record = ReadOne("V2.2\nP-51OU\nP+59OU\nP+00HI00KA00FU00FU\nP-00AL\n+\n");
  EXPECT_EQ(FormatPosition(record.start), "4k4/9/9/9/9/9/9/9/4K4 b RB2Prb4g4s4n4l16p 1");
}

TEST(CsaRecordTest, TimesCommentsNamesAndTheEnd) {
  const GameRecord record = ReadOne(
      "V2.2\nN+先手\nN-後手\n$EVENT:試合\nPI\n+\n'*opening\n+7776FU\nT12\n'*good\n'plain\n"
      "-3334FU,T6.5\n%TORYO\n");
  EXPECT_EQ(record.first_name, "先手");
  EXPECT_EQ(record.headers.at("EVENT"), "試合");
  EXPECT_EQ(record.comment, "opening");
  EXPECT_EQ(record.moves[0].comment, "good");
  EXPECT_EQ(record.moves[0].used, std::chrono::seconds(12));
  EXPECT_EQ(record.moves[1].used, std::chrono::milliseconds(6500));
  EXPECT_EQ(record.result.ending, RecordEnding::kResignation);
  EXPECT_EQ(record.result.outcome, RecordOutcome::kSecondWins);
}

TEST(CsaRecordTest, SlashesSeparateGames) {
  const Result<RecordFile> file =
      ReadRecordFile("V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%CHUDAN\n");
  ASSERT_TRUE(file) << file.error().ToString();
  ASSERT_EQ(file->games.size(), 2U);
  EXPECT_EQ(Moves(file->games[1].moves), "2g2f");
}

TEST(CsaRecordTest, FaultsNameTheirLineAndRule) {
  EXPECT_EQ(ReasonOf("V2.2\nPI82KA\n+\n", "2"), "BAD_RECORD");
  EXPECT_EQ(ReasonOf("V2.2\nPI\n+7776FU\n", "3"), "BAD_RECORD");
  EXPECT_EQ(ReasonOf("V2.2\nPI\n+\n+7776FU\n+3334FU\n", "5"), "WRONG_SIDE");
  EXPECT_EQ(ReasonOf("V2.2\nPI\n+\n+7776fu\n", "4"), "INVALID_MOVE");
  EXPECT_EQ(ReasonOf("V2.2\nP1-KY-KE-GI-KI-OU-KI-GI-KE\n+\n", "2"), "BAD_RECORD");
  EXPECT_EQ(ReasonOf("V2.2\nN+a\nN-b\n", "3"), "BAD_RECORD");
}

constexpr std::string_view kNested =
    "手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n"
    "   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:02/00:00:02)+\n"
    "   3 ２六歩(27)   ( 0:03/00:00:04)\n   4 ４四歩(43)\n   5 投了\n"
    "\n変化：2手\n   2 ８四歩(83)\n   3 ２六歩(27)+\n   4 ８五歩(84)\n"
    "\n変化：3手\n   3 ６八銀(79)\n*by silver\n";

TEST(KifRecordTest, VariationsNest) {
  const GameRecord record = ReadOne(kNested);
  EXPECT_EQ(Moves(record.moves), "7g7f 3c3d 2g2f 4c4d");
  EXPECT_EQ(record.result.outcome, RecordOutcome::kSecondWins);
  EXPECT_EQ(record.moves[2].used, std::chrono::seconds(3));
  ASSERT_EQ(record.variations.size(), 1U);
  EXPECT_EQ(record.variations[0].from_ply, 2);
  EXPECT_EQ(Moves(record.variations[0].moves), "8c8d 2g2f 8d8e");
  ASSERT_EQ(record.variations[0].variations.size(), 1U);
  EXPECT_EQ(Moves(record.variations[0].variations[0].moves), "7i6h");
  EXPECT_EQ(record.variations[0].variations[0].moves[0].comment, "by silver");
}

TEST(KifRecordTest, BranchAtTheLastMove) {
  const GameRecord record = ReadOne(
      "手合割：平手\n   1 ２六歩(27)\n   2 ８四歩(83)\n   3 ２五歩(26)+\n   4 中断\n"
      "\n変化：3手\n   3 ７六歩(77)\n");
  EXPECT_EQ(record.result.ending, RecordEnding::kInterrupted);
  ASSERT_EQ(record.variations.size(), 1U);
  EXPECT_EQ(Moves(record.variations[0].moves), "7g7f");
}

TEST(KifRecordTest, SameSquareAtTheHeadOfAVariation) {
  const GameRecord record = ReadOne(
      "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n"
      "   5 ２六歩(27)\n\n変化：4手\n   4 同　飛(82)\n   5 ４五角打\n");
  ASSERT_EQ(record.variations.size(), 1U);
  EXPECT_EQ(Moves(record.variations[0].moves), "8b2b B*4e");
}

TEST(KifRecordTest, TsumeProblemsAndOldHeadersAreRead) {
  const GameRecord record = ReadOne(
      "#KIFUS\n手合割：詰将棋\n盤面反転\n後手の持駒：飛二　角　歩十八　\n"
      "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
      "| ・ ・ ・ ・ ・ ・ ・ ・v王|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
      "| ・ ・ ・ ・ ・ ・ ・ 金 ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
      "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
      "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
      "| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n+---------------------------+\n"
      "先手の持駒：金\n手数----指手--\n   1 １二金打\n");
  EXPECT_EQ(FormatPosition(record.start), "8k/9/7G1/9/9/9/9/9/9 b G2rb18p 1");
  EXPECT_EQ(Moves(record.moves), "G*1b");
}

TEST(KifRecordTest, FaultsNameTheirLineAndRule) {
  EXPECT_EQ(ReasonOf("手合割：平手\n   1 ５五歩(56)\n", "2"), "NO_SUCH_PIECE");
  EXPECT_EQ(ReasonOf("手合割：平手\n   1 同　歩(77)\n", "2"), "INVALID_MOVE");
  EXPECT_EQ(ReasonOf("手合割：天馬落ち\n   1 ７六歩(77)\n"), "BAD_RECORD");
  EXPECT_EQ(ReasonOf("手合割：平手\n   1 ７六歩(77)\n変化：9手\n   9 ７五歩(76)\n", "3"),
            "BAD_RECORD");
  EXPECT_EQ(ReasonOf("\n\n\n"), "UNKNOWN_FORMAT");
  EXPECT_EQ(ReasonOf("<html><body>404</body></html>"), "UNKNOWN_FORMAT");
}

TEST(Ki2RecordTest, MovesByNameWithVariations) {
  const GameRecord record = ReadOne(
      "手合割：平手\n\n▲７六歩    △３四歩    ▲２二角成    △同　銀\n*comment\n▲４五角\n"
      "まで5手で先手の勝ち\n\n変化：4手\n△同　飛\n");
  ASSERT_EQ(Moves(record.moves), "7g7f 3c3d 8h2b+ 3a2b B*4e");
  EXPECT_EQ(record.moves[3].comment, "comment");
  EXPECT_EQ(record.result.ending, RecordEnding::kResignation);
  EXPECT_EQ(record.result.outcome, RecordOutcome::kFirstWins);
  ASSERT_EQ(record.variations.size(), 1U);
  EXPECT_EQ(Moves(record.variations[0].moves), "8b2b");
  const Result<WrittenRecord> written = WriteRecordFile(record, RecordFormat::kKi2);
  ASSERT_TRUE(written);
  const GameRecord again = ReadOne(written->bytes);
  EXPECT_EQ(Moves(again.moves), Moves(record.moves));
  EXPECT_EQ(again.variations.size(), 1U);
  EXPECT_EQ(ReasonOf("手合割：平手\n▲５八金\n", "2"), "AMBIGUOUS_MOVE");
}

TEST(Ki2RecordTest, AGameCanBeResignedBeforeItsFirstMove) {
  GameRecord record;
  record.result = {RecordEnding::kResignation, RecordOutcome::kSecondWins, "投了"};
  const Result<WrittenRecord> written = WriteRecordFile(record, RecordFormat::kKi2);
  ASSERT_TRUE(written);
  const GameRecord again = ReadOne(written->bytes);
  EXPECT_EQ(again.result.ending, RecordEnding::kResignation);
  EXPECT_EQ(again.result.outcome, RecordOutcome::kSecondWins);
}

TEST(Ki2RecordTest, HeadersCannotMakeItAnotherFormat) {
  for (const char* key : {"'comment", "$EVENT", "N+name", "[Event", "position startpos", "<html"}) {
    GameRecord record;
    record.headers[key] = "value";
    record.moves = {{.move = rules::Move::Board(rules::Square(6, 6), rules::Square(6, 5))}};
    const Result<WrittenRecord> written = WriteRecordFile(record, RecordFormat::kKi2);
    ASSERT_TRUE(written);
    const GameRecord again = ReadOne(written->bytes);
    EXPECT_EQ(Moves(again.moves), "7g7f") << key;
    EXPECT_EQ(again.headers.at(key), "value");
  }
}

TEST(PgnRecordTest, ChineseMovesCommentsAndVariations) {
  const GameRecord record = ReadOne(
      "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n[Event \"x\"]\n[Result \"0-1\"]\n\n"
      "1. 炮二平五 {好}\n1. ... 馬8進7 (1... 炮8平5 {順手炮} 2. 馬二進三) 2. 馬二進三 0-1\n"
      "visit us\n");
  ASSERT_EQ(Moves(record.moves, Variant::kXiangqi), "h2e2 h9g7 h0g2");
  EXPECT_EQ(record.moves[0].comment, "好");
  EXPECT_EQ(record.first_name, "甲");
  EXPECT_EQ(record.result.outcome, RecordOutcome::kSecondWins);
  ASSERT_EQ(record.variations.size(), 1U);
  EXPECT_EQ(Moves(record.variations[0].moves, Variant::kXiangqi), "h7e7 h0g2");
  const Result<WrittenRecord> written = WriteRecordFile(record, RecordFormat::kPgn);
  ASSERT_TRUE(written);
  const GameRecord again = ReadOne(written->bytes);
  EXPECT_EQ(Moves(again.moves, Variant::kXiangqi), "h2e2 h9g7 h0g2");
  ASSERT_EQ(again.variations.size(), 1U);
  EXPECT_EQ(again.headers.at("Event"), "x");
  EXPECT_EQ(ReasonOf("[Game \"x\"]\n\n1. 炮二平五 {open", "3"), "BAD_RECORD");
}

TEST(EncodingTest, ShiftJisIsRecognisedAndWrittenBack) {
  const GameRecord record = ReadOne(kNested);
  const Result<WrittenRecord> written =
      WriteRecordFile(record, RecordFormat::kKif, TextEncoding::kShiftJis);
  ASSERT_TRUE(written);
  const Result<RecordFile> read = ReadRecordFile(written->bytes);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->encoding, TextEncoding::kShiftJis);
  EXPECT_EQ(read->games[0].first_name, "甲");
}

TEST(EncodingTest, MarkAndLineEndsDoNotMatter) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : kNested) text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(Moves(ReadOne(text).moves), "7g7f 3c3d 2g2f 4c4d");
}

TEST(EncodingTest, CharactersWithoutPlaceAreReported) {
  GameRecord record = ReadOne(kNested);
  record.first_name = "Nguyễn";
  const Result<WrittenRecord> written =
      WriteRecordFile(record, RecordFormat::kCsa, TextEncoding::kShiftJis);
  ASSERT_TRUE(written);
  EXPECT_FALSE(written->warnings.empty());
  EXPECT_EQ(ReadOne(WriteRecordFile(record, RecordFormat::kCsa)->bytes).first_name, "Nguyễn");
}

TEST(WriterTest, WritingWhatWasReadIsStable) {
  const GameRecord record = ReadOne(kNested);
  for (const RecordFormat format : {RecordFormat::kUsi, RecordFormat::kCsa, RecordFormat::kKif}) {
    const Result<WrittenRecord> first = WriteRecordFile(record, format);
    ASSERT_TRUE(first);
    const GameRecord again = ReadOne(first->bytes);
    EXPECT_EQ(Moves(again.moves), Moves(record.moves));
    EXPECT_EQ(FormatPosition(again.start), FormatPosition(record.start));
    const Result<WrittenRecord> second = WriteRecordFile(again, format);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->bytes, first->bytes);
  }
  EXPECT_FALSE(WriteRecordFile(record, RecordFormat::kCsa)->warnings.empty());  // variations
}

TEST(WriterTest, KifKeepsVariationsCommentsAndTimes) {
  const GameRecord record = ReadOne(kNested);
  const GameRecord again = ReadOne(WriteRecordFile(record, RecordFormat::kKif)->bytes);
  EXPECT_EQ(again.moves[2].used, record.moves[2].used);
  ASSERT_EQ(again.variations.size(), 1U);
  EXPECT_EQ(Moves(again.variations[0].moves), "8c8d 2g2f 8d8e");
  ASSERT_EQ(again.variations[0].variations.size(), 1U);
  EXPECT_EQ(again.variations[0].variations[0].moves[0].comment, "by silver");
}

TEST(WriterTest, EveryHandicapComesBack) {
  for (const Variant variant : {Variant::kShogi, Variant::kMinishogi}) {
    for (const rules::Handicap& handicap : rules::HandicapsOf(variant)) {
      GameRecord record;
      record.start = *rules::StartPosition(variant, handicap.id);
      for (const RecordFormat format :
           {RecordFormat::kUsi, RecordFormat::kCsa, RecordFormat::kKif}) {
        const Result<WrittenRecord> written = WriteRecordFile(record, format);
        ASSERT_TRUE(written);
        EXPECT_EQ(FormatPosition(ReadOne(written->bytes).start), FormatPosition(record.start))
            << written->bytes;
      }
    }
  }
}

TEST(WriterTest, TextCannotBreakOutOfItsLine) {
  GameRecord record = ReadOne(kNested);
  record.first_name = "a\n%TORYO\r\n+7776FU";
  record.comment = "x\r\n   1 ５六歩(57)\n変化：1手";
  record.headers["k\ne：y"] = "v\nPI";
  for (const RecordFormat format : {RecordFormat::kCsa, RecordFormat::kKif}) {
    const GameRecord again = ReadOne(WriteRecordFile(record, format)->bytes);
    EXPECT_EQ(Moves(again.moves), Moves(record.moves));
  }
}

TEST(WriterTest, HeadersCannotChangeTheGame) {
  GameRecord record = ReadOne(kNested);
  for (const char* key :
       {"手合割", "先手の持駒", "変化", "まで", "*", "#x", "1 ", "|", "+-", "FEN"}) {
    record.headers[key] = "二枚落ち";
  }
  for (const RecordFormat format : {RecordFormat::kCsa, RecordFormat::kKif, RecordFormat::kKi2}) {
    const GameRecord again = ReadOne(WriteRecordFile(record, format)->bytes);
    EXPECT_EQ(FormatPosition(again.start), FormatPosition(record.start));
    EXPECT_EQ(Moves(again.moves), Moves(record.moves));
  }
  GameRecord xiangqi;
  xiangqi.start = rules::StartPosition(Variant::kXiangqi);
  xiangqi.headers["FEN"] = "4k4/9/9/9/9/9/9/9/4A4/4K4 w";
  xiangqi.headers["Site"] = "a \"b\" ]";
  const GameRecord again = ReadOne(WriteRecordFile(xiangqi, RecordFormat::kPgn)->bytes);
  EXPECT_TRUE(again.start == xiangqi.start);
  EXPECT_EQ(again.headers.at("Site"), "a 'b' ]");
}

TEST(WriterTest, UnsupportedFormatsSaySo) {
  const GameRecord record = ReadOne(kNested);
  EXPECT_TRUE(WriteRecordFile(record, RecordFormat::kJkf).error().Is(kFormatNotSupported));
  EXPECT_EQ(ReasonOf("{\"header\":{}}"), "FORMAT_NOT_SUPPORTED");
  EXPECT_EQ(ReasonOf("FORMAT WXF"), "FORMAT_NOT_SUPPORTED");
}

TEST(LimitsTest, TooMuchIsRefusedOrCutNeverEndless) {
  EXPECT_EQ(ReasonOf(std::string(kMaxRecordBytes + 1, 'x')), "RECORD_TOO_LARGE");
  std::string comments = "手合割：平手\n   1 ７六歩(77)\n";
  for (int i = 0; i < 20'000; ++i) comments += "*line\n";
  EXPECT_LE(ReadOne(comments).moves[0].comment.size(), kMaxCommentBytes);
  std::string headers;
  for (int i = 0; i < 5'000; ++i) headers += "key" + std::to_string(i) + "：v\n";
  EXPECT_LE(ReadOne(headers + "   1 ７六歩(77)\n").headers.size(), kMaxHeaders);
}

TEST(LimitsTest, DeepVariationsAreLeftOut) {
  std::string text = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
  const char* moves[] = {"５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"};
  for (int ply = 2; ply < 3'000; ++ply) {
    text += "変化：" + std::to_string(ply) + "手\n";
    text += std::to_string(ply) + " " + (ply % 2 == 0 ? "９四歩(93)" : "５八玉(59)") + "\n";
    text += std::to_string(ply + 1) + " " + moves[ply % 4] + "\n";
  }
  EXPECT_NE(ReasonOf(text), "INTERNAL");  // any answer, but a quick one
}

}  // namespace
}  // namespace komadai::notation
