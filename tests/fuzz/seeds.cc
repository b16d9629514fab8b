#include "tests/fuzz/seeds.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/notation/records/record_file.h"
#include "tests/fuzz/game_input.h"

namespace komadai::fuzz {
namespace {

using nlohmann::json;
using rules::Move;
using rules::Position;
using rules::Variant;

constexpr const char* kFiles[] = {
    "shogi/games.jsonl",
    "shogi/outcomes.jsonl",
    "shogi/legality.jsonl",
    "shogi/notation.jsonl",
    "shogi/random_playouts_shogi.jsonl",
    "shogi/random_playouts_minishogi.jsonl",
    "xiangqi/games.jsonl",
    "xiangqi/outcomes.jsonl",
    "xiangqi/legality.jsonl",
    "xiangqi/notation.jsonl",
    "xiangqi/random_playouts.jsonl",
};
// Of one file; they repeat themselves.
constexpr int kMaxRecords = 120;
constexpr int kMaxGames = 40;  // these are long
constexpr std::size_t kMaxPlies = 150;

void ForEachRecord(const std::string& vectors, int most,
                   const std::function<void(const json&)>& use) {
  for (const char* name : kFiles) {
    std::ifstream file(vectors + "/" + name);
    int count = 0;
    for (std::string line; count < most && std::getline(file, line); ++count) {
      const json record = json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (record.is_object()) use(record);
    }
  }
}

std::string TextOf(const json& record, const char* field) {
  const auto found = record.find(field);
  return found != record.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> MovesOf(const json& record) {
  const auto found = record.find("moves");
  if (found == record.end()) return {};
  if (found->is_array()) return found->get<std::vector<std::string>>();
  std::vector<std::string> moves;
  std::istringstream words(found->get<std::string>());
  for (std::string word; words >> word;) moves.push_back(word);
  return moves;
}

// A game of the vectors as far as it is legal.
struct Game {
  Position start;
  std::vector<Move> moves;
};

std::optional<Game> GameOf(const json& record) {
  const auto variant = rules::FindVariant(TextOf(record, "variant"));
  if (!variant) return std::nullopt;
  const auto start =
      notation::ParsePosition(*variant, TextOf(record, "position"), rules::Kings::kOptional);
  if (!start) return std::nullopt;
  Game game{*start, {}};
  Position position = *start;
  for (const std::string& text : MovesOf(record)) {
    const auto move = notation::ParsePlainMove(*variant, text);
    if (!move || !position.IsLegal(*move) || game.moves.size() >= kMaxPlies) break;
    position.PlayUnchecked(*move);
    game.moves.push_back(*move);
  }
  return game;
}

void Append(std::string& bytes, std::initializer_list<int> values) {
  for (const int value : values) bytes += static_cast<char>(value);
}

// Plays the game, and now and then does one of the other things.
std::string GameSeed(const Game& game, int choices) {
  std::string bytes;
  Append(bytes, {static_cast<int>(game.start.variant()), choices, choices * 7 & 127,
                 static_cast<int>(StartKind::kText)});
  bytes += notation::FormatPosition(game.start) + "\n";
  Position position = game.start;
  for (const Move move : game.moves) {
    rules::MoveList legal;
    position.LegalMoves(legal);
    const auto index =
        static_cast<int>(std::find(legal.begin(), legal.end(), move) - legal.begin());
    Append(bytes, {index >> 8, index & 255});
    position.PlayUnchecked(move);
    const int now = static_cast<int>(bytes.size()) + choices;
    if (now % 24 == 0) {
      const int first = kOtherSteps + kSteps - kOtherSteps % kSteps;
      Append(bytes, {first + now / 24 % kSteps, now & 255, now * 13 & 255, now * 5 & 255});
    }
  }
  return bytes;
}

std::vector<std::string> GameSeeds(const std::string& vectors) {
  std::vector<std::string> seeds;
  ForEachRecord(vectors, kMaxGames, [&seeds](const json& record) {
    const auto game = GameOf(record);
    if (game && !game->moves.empty()) {
      seeds.push_back(GameSeed(*game, static_cast<int>(seeds.size())));
    }
  });
  return seeds;
}

std::vector<std::string> PositionSeeds(const std::string& vectors) {
  std::set<std::string> seeds;
  ForEachRecord(vectors, kMaxRecords, [&seeds](const json& record) {
    for (const char* field : {"position", "final_sfen", "final_fen"}) {
      const std::string text = TextOf(record, field);
      if (!text.empty()) seeds.insert(text);
    }
  });
  return {seeds.begin(), seeds.end()};
}

// Every text of the record that may be a move, legal or not.
std::vector<std::string> MoveSeeds(const std::string& vectors) {
  std::vector<std::string> seeds;
  ForEachRecord(vectors, kMaxRecords, [&seeds](const json& record) {
    const auto variant = rules::FindVariant(TextOf(record, "variant"));
    if (!variant || !record.contains("move")) return;
    std::string bytes;
    const int number = static_cast<int>(seeds.size());
    Append(bytes, {static_cast<int>(*variant), number & 255, 0, number & 255});
    bytes += TextOf(record, "position");
    for (const auto& [key, value] : record.items()) {
      const bool about = key == "id" || key == "variant" || key == "position" || key == "source";
      if (!about && value.is_string()) bytes += "\n" + value.get<std::string>();
    }
    seeds.push_back(bytes);
  });
  return seeds;
}

// With everything a record may hold besides its moves.
notation::GameRecord RecordOf(const Game& game, std::size_t number) {
  notation::GameRecord record;
  record.start = game.start;
  record.first_name = "先手";
  record.second_name = "Player 2";
  record.comment = "opening\nsecond line";
  record.headers = {{"EVENT", "event"}, {"Event", "event"}, {"棋戦", "名人戦"}};
  Position position = game.start;
  for (const Move move : game.moves) {
    const int ply = static_cast<int>(record.moves.size()) + 1;
    if (ply % 16 == 8) {
      rules::MoveList legal;
      position.LegalMoves(legal);
      notation::Variation other;
      other.from_ply = ply;
      other.moves = {{.move = legal[number % legal.size()], .used = {}, .comment = "instead"}};
      record.variations.push_back(other);
    }
    position.PlayUnchecked(move);
    record.moves.push_back({.move = move, .used = std::chrono::seconds(ply)});
    if (ply % 10 == 0) record.moves.back().comment = "comment";
  }
  record.result = {notation::RecordEnding::kResignation,
                   notation::WonBy(rules::Opponent(position.side_to_move())), ""};
  return record;
}

std::vector<std::string> RecordSeeds(const std::string& vectors) {
  using enum notation::RecordFormat;
  std::vector<std::string> seeds;
  std::size_t number = 0;
  ForEachRecord(vectors, kMaxRecords, [&](const json& record) {
    auto game = GameOf(record);
    if (!game || game->moves.empty() || ++number % 4 != 0) return;
    game->moves.resize(std::min(game->moves.size(), 10 + number % 30), Move());
    const notation::GameRecord full = RecordOf(*game, number);
    for (const auto format : {kUsi, kCsa, kKif, kKi2, kPgn}) {
      const auto encoding = static_cast<notation::TextEncoding>(number / 4 % 4);
      const auto written = notation::WriteRecordFile(full, format, encoding);
      if (!written) continue;
      std::string bytes;
      Append(bytes, {0, static_cast<int>(seeds.size())});
      seeds.push_back(bytes + written->bytes);
    }
  });
  return seeds;
}

}  // namespace

std::vector<std::string> SeedsOf(std::string_view target, const std::string& vectors) {
  if (target == "fuzz_game") return GameSeeds(vectors);
  if (target == "fuzz_position") return PositionSeeds(vectors);
  if (target == "fuzz_move") return MoveSeeds(vectors);
  if (target == "fuzz_record") return RecordSeeds(vectors);
  return {};
}

}  // namespace komadai::fuzz
