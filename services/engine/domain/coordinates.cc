#include "services/engine/domain/coordinates.h"

namespace komadai::engine {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads "h10" at the front of `text` and appends "h9"; false if there is no such square.
bool TakeSquareFromOne(std::string_view& text, std::string& move) {
  if (text.size() < 2 || text[0] < 'a' || text[0] > 'i' || !IsDigit(text[1])) return false;
  int rank = text[1] - '0';
  std::size_t length = 2;
  if (text.size() > 2 && IsDigit(text[2])) {
    rank = rank * 10 + (text[2] - '0');
    length = 3;
  }
  if (rank < 1 || rank > 10) return false;
  move += text[0];
  move += static_cast<char>('0' + rank - 1);
  text.remove_prefix(length);
  return true;
}

bool LooksLikePlainMove(std::string_view text) {
  if (text.size() < 4 || text.size() > 5) return false;
  for (const char c : text) {
    const bool known =
        IsDigit(c) || (c >= 'a' && c <= 'i') || (c >= 'A' && c <= 'Z') || c == '*' || c == '+';
    if (!known) return false;
  }
  return true;
}

}  // namespace

std::string ToEngineMove(RankNumbers ranks, std::string_view move) {
  if (ranks == RankNumbers::kPlain || move.size() != 4) return std::string(move);
  const auto rank = [](char c) { return std::to_string(c - '0' + 1); };
  return move[0] + rank(move[1]) + move[2] + rank(move[3]);
}

std::optional<std::string> FromEngineMove(RankNumbers ranks, std::string_view text) {
  if (ranks == RankNumbers::kPlain) {
    if (!LooksLikePlainMove(text)) return std::nullopt;
    return std::string(text);
  }
  std::string move;
  if (!TakeSquareFromOne(text, move) || !TakeSquareFromOne(text, move) || !text.empty()) {
    return std::nullopt;
  }
  return move;
}

}  // namespace komadai::engine
