#include "services/engine/domain/dialect.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "services/engine/domain/coordinates.h"
#include "services/engine/domain/time_budget.h"

namespace komadai::engine {

namespace {

constexpr int kMaxLineMoves = 256;  // of one principal variation; engines search at most 245 plies
constexpr int kMaxRank = 500;

// The words of a line, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  // The next word, empty at the end.
  std::string_view Next() {
    const std::size_t start = std::min(rest_.find_first_not_of(" \t"), rest_.size());
    rest_.remove_prefix(start);
    const std::size_t length = std::min(rest_.find_first_of(" \t"), rest_.size());
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

  template <typename T>
  std::optional<T> NextNumber() {
    std::string_view word = Next();
    if (!word.empty() && word[0] == '+') word.remove_prefix(1);  // "mate +5" in USI
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
  }

  std::string_view Rest() {
    const std::size_t start = std::min(rest_.find_first_not_of(" \t"), rest_.size());
    return rest_.substr(start);
  }

 private:
  std::string_view rest_;
};

// Upper case, spaces as underscores, without the protocol's prefix.
std::string NormalOptionName(std::string_view name) {
  std::string normal;
  for (const char c : name) {
    normal += c == ' ' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  for (const std::string_view prefix : {"USI_", "UCI_"}) {
    if (normal.rfind(prefix, 0) == 0) return normal.substr(prefix.size());
  }
  return normal;
}

// USI counts a mate in plies, UCI in the moves of the side that mates.
int MatePlies(Protocol protocol, int value) {
  constexpr int kFarthest = 10'000;
  value = std::clamp(value, -kFarthest, kFarthest);
  if (protocol == Protocol::kUsi) return value;
  return value > 0 ? 2 * value - 1 : 2 * value;
}

std::optional<Score> ParseScore(Protocol protocol, Words& words) {
  const std::string_view kind = words.Next();
  if (kind == "cp") {
    const std::optional<int> value = words.NextNumber<int>();
    if (!value) return std::nullopt;
    return Score{Score::Kind::kCentipawns, *value};
  }
  if (kind != "mate") return std::nullopt;
  Words ahead = words;
  const std::string_view word = ahead.Next();
  if (word == "+" || word == "-") {  // USI: a mate of unknown length
    words = ahead;
    return Score{Score::Kind::kMatePlies, word == "+" ? 1 : -1};
  }
  const std::optional<int> value = words.NextNumber<int>();
  if (!value) return std::nullopt;
  return Score{Score::Kind::kMatePlies, MatePlies(protocol, *value)};
}

Answer ParseInfo(const Play& play, Words words) {
  Line line;
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    if (word == "string") return NoAnswer{};
    if (word == "depth") {
      line.depth = words.NextNumber<int>().value_or(0);
    } else if (word == "multipv") {
      line.rank = words.NextNumber<int>().value_or(0);
    } else if (word == "nodes") {
      line.nodes = words.NextNumber<std::int64_t>().value_or(0);
    } else if (word == "time") {
      line.time = Millis(words.NextNumber<std::int64_t>().value_or(0));
    } else if (word == "score") {
      line.score = ParseScore(play.protocol, words).value_or(Score{});
    } else if (word == "pv") {
      for (std::string_view text = words.Next(); !text.empty(); text = words.Next()) {
        std::optional<std::string> move = FromEngineMove(play.ranks, text);
        if (!move || line.moves.size() == kMaxLineMoves) break;
        line.moves.push_back(std::move(*move));
      }
      break;  // the moves come last
    }
  }
  if (line.moves.empty() || line.rank < 1 || line.rank > kMaxRank) return NoAnswer{};
  return LineAnswer{std::move(line)};
}

Answer ParseBestMove(const Play& play, Words words) {
  const std::string_view word = words.Next();
  if (word == "resign") return BestMoveAnswer{{BestMove::Kind::kResigns, ""}};
  if (word == "win") return BestMoveAnswer{{BestMove::Kind::kDeclaresWin, ""}};
  const std::optional<std::string> move = FromEngineMove(play.ranks, word);
  // "(none)", "0000" and nonsense alike: the search is over and there is no move.
  if (!move) return BestMoveAnswer{{BestMove::Kind::kNone, ""}};
  return BestMoveAnswer{{BestMove::Kind::kMove, *move}};
}

Answer ParseOption(Words words) {
  if (words.Next() != "name") return NoAnswer{};
  const std::string_view rest = words.Rest();
  const std::size_t end = rest.find(" type ");
  if (end == std::string_view::npos || end == 0) return NoAnswer{};
  return OptionAnswer{std::string(rest.substr(0, end))};
}

// The name goes to clients as it is, so it must be valid UTF-8 whatever the engine prints.
std::string PrintableName(std::string_view text) {
  constexpr std::size_t kMaxNameBytes = 100;
  std::string name(text.substr(0, kMaxNameBytes));
  for (char& c : name) {
    if (c < ' ' || c > '~') c = '?';
  }
  return name;
}

void AppendNumber(std::string& command, std::string_view name, std::int64_t value) {
  command += ' ';
  command += name;
  command += ' ';
  command += std::to_string(value);
}

// USI: btime is Sente's clock (First), wtime Gote's. One byo-yomi for both, so the mover's is sent;
// increments only without byo-yomi, because engines take them for the same thing.
void AppendUsiClocks(std::string& command, const Traits& traits, const Clocks& clocks,
                     const SideTime& own) {
  const bool exchange = traits.ExchangesUsiClocks();
  const SideTime& black = clocks[exchange ? 1 : 0];
  const SideTime& white = clocks[exchange ? 0 : 1];
  AppendNumber(command, "btime", (black.main_left + black.delay).count());
  AppendNumber(command, "wtime", (white.main_left + white.delay).count());
  if (own.byoyomi > Millis(0)) {
    AppendNumber(command, "byoyomi", own.byoyomi.count());
  } else if (black.increment + white.increment + black.delay + white.delay > Millis(0)) {
    AppendNumber(command, "binc", (black.increment + black.delay).count());
    AppendNumber(command, "winc", (white.increment + white.delay).count());
  }
}

// UCI: White moves first, in xiangqi Red. It knows no byo-yomi; a period is time that is there now
// and comes back after the move, which is what an increment is.
void AppendUciClocks(std::string& command, const Clocks& clocks) {
  const auto comes_back = [](const SideTime& side) {
    return side.byoyomi + side.increment + side.delay;
  };
  AppendNumber(command, "wtime", clocks[0].Available().count());
  AppendNumber(command, "btime", clocks[1].Available().count());
  AppendNumber(command, "winc", comes_back(clocks[0]).count());
  AppendNumber(command, "binc", comes_back(clocks[1]).count());
}

}  // namespace

std::optional<std::string> Traits::FindOption(std::string_view wanted) const {
  const auto found = options.find(NormalOptionName(wanted));
  if (found == options.end()) return std::nullopt;
  return found->second;
}

void Traits::AddOption(const std::string& spelling) {
  options[NormalOptionName(spelling)] = spelling;
}

bool Traits::ExchangesUsiClocks() const {
  constexpr std::string_view kFairy = "Fairy-Stockfish ";
  if (name.rfind(kFairy, 0) != 0) return false;
  int major = 0;
  const char* start = name.data() + kFairy.size();
  const auto [end, error] = std::from_chars(start, name.data() + name.size(), major);
  // Development builds carry a date instead ("Fairy-Stockfish 231223"); they are newer.
  return error == std::errc() && end - start <= 2 && major <= 12;
}

std::string_view HandshakeCommand(Protocol protocol) {
  return protocol == Protocol::kUsi ? "usi" : "uci";
}

std::string_view HandshakeReply(Protocol protocol) {
  return protocol == Protocol::kUsi ? "usiok" : "uciok";
}

std::string_view NewGameCommand(Protocol protocol) {
  return protocol == Protocol::kUsi ? "usinewgame" : "ucinewgame";
}

std::string SetOptionCommand(std::string_view name, std::string_view value) {
  return "setoption name " + std::string(name) + " value " + std::string(value);
}

std::string PositionCommand(const Play& play, const GameSoFar& game) {
  std::string command =
      (play.protocol == Protocol::kUsi ? "position sfen " : "position fen ") + game.position;
  if (game.moves.empty()) return command;
  command += " moves";
  for (const std::string& move : game.moves) command += ' ' + ToEngineMove(play.ranks, move);
  return command;
}

std::string GoCommand(const Play& play, const Traits& traits, const SearchRequest& request) {
  std::string command = "go";
  const Limits& limits = request.limits;
  if (LeavesTimeToEngine(limits, request.clocks)) {
    if (play.protocol == Protocol::kUsi) {
      const auto mover = static_cast<std::size_t>(rules::Index(request.game.side_to_move));
      AppendUsiClocks(command, traits, *request.clocks, (*request.clocks)[mover]);
    } else {
      AppendUciClocks(command, *request.clocks);
    }
  } else {
    if (limits.depth) AppendNumber(command, "depth", *limits.depth);
    if (limits.nodes) AppendNumber(command, "nodes", *limits.nodes);
    if (limits.time) AppendNumber(command, "movetime", limits.time->count());
  }
  if (!request.only_moves.empty()) {  // last: engines read the rest of the line as moves
    command += " searchmoves";
    for (const std::string& move : request.only_moves) {
      command += ' ' + ToEngineMove(play.ranks, move);
    }
  }
  return command;
}

Answer ParseAnswer(const Play& play, std::string_view line) {
  Words words(line);
  const std::string_view first = words.Next();
  if (first == "info") return ParseInfo(play, words);
  if (first == "bestmove") return ParseBestMove(play, words);
  if (first == "readyok") return ReadyAnswer{};
  if (first == "option") return ParseOption(words);
  if (first == HandshakeReply(play.protocol)) return HandshakeAnswer{};
  if (first == "id" && words.Next() == "name") {
    return NameAnswer{PrintableName(words.Rest())};
  }
  return NoAnswer{};
}

}  // namespace komadai::engine
