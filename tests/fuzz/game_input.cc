#include "tests/fuzz/game_input.h"

#include <string>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/notation/position_text.h"
#include "libs/rules/handicap.h"
#include "tests/fuzz/checks.h"

namespace komadai::fuzz {
namespace {

using rules::Kind;
using rules::Kings;
using rules::Move;
using rules::Piece;
using rules::Position;
using rules::Ruleset;
using rules::Setup;
using rules::Side;
using rules::Square;
using rules::Variant;

// Ordinary values, and those around the limits of counters.
int TakeCounter(Bytes& bytes) {
  constexpr int kBases[] = {0, 100, 65'400, 999'800};
  const int base = kBases[bytes.Byte() % 4];
  return base + bytes.Byte();
}

// Piece by piece, also such as no text can say.
Setup TakePieces(Bytes& bytes, Variant variant) {
  Setup setup;
  setup.variant = variant;
  setup.side_to_move = static_cast<Side>(bytes.Byte() % 2);
  setup.quiet_plies = TakeCounter(bytes);
  setup.move_number = TakeCounter(bytes);
  for (int left = bytes.Byte() % 48; left > 0; --left) {
    const int where = bytes.Byte();
    const int what = bytes.Byte();
    const auto kind = static_cast<Kind>(what & 15);
    const auto side = static_cast<Side>(what >> 4 & 1);
    if (where < Setup::kMaxFiles * Setup::kMaxRanks) {
      setup.Put(Square(where / Setup::kMaxRanks, where % Setup::kMaxRanks), Piece{kind, side});
    } else {
      setup.hands[static_cast<std::size_t>(side)][static_cast<std::size_t>(kind)] =
          static_cast<std::uint8_t>(where % 20);
    }
  }
  return setup;
}

}  // namespace

Variant TakeVariant(Bytes& bytes) {
  return rules::kVariants[static_cast<std::size_t>(bytes.Byte()) % std::size(rules::kVariants)];
}

Ruleset TakeRuleset(Bytes& bytes, Variant variant) {
  const auto rulesets = rules::RulesetsOf(variant);
  const Ruleset& base = rulesets[static_cast<std::size_t>(bytes.Byte()) % rulesets.size()];
  const int choices = bytes.Byte();
  std::vector<std::pair<std::string, std::string>> options;
  if ((choices & 1) != 0) options.emplace_back("repetition_count", "2");
  if ((choices & 2) != 0) options.emplace_back("ply_limit", "30");
  if ((choices & 4) != 0) options.emplace_back("quiet_ply_limit", "20");
  if ((choices & 8) != 0) options.emplace_back("perpetual_chase_loses", "true");
  if ((choices & 16) != 0) options.emplace_back("perpetual_check_loses", "false");
  if ((choices & 32) != 0) options.emplace_back("ply_limit_counts_points", "true");
  if ((choices & 64) != 0) options.emplace_back("impasse", "points27");
  const auto custom = rules::Customize(base, options);
  KOMADAI_CHECK(custom.has_value());
  return *custom;
}

std::optional<Position> TakeStart(Bytes& bytes, Variant variant) {
  switch (static_cast<StartKind>(bytes.Byte() % kStartKinds)) {
    case StartKind::kHandicap: {
      const auto handicaps = rules::HandicapsOf(variant);
      const auto index = static_cast<std::size_t>(bytes.Byte()) % handicaps.size();
      return *rules::StartPosition(variant, handicaps[index].id);
    }
    case StartKind::kText: {
      const auto position = notation::ParsePosition(variant, bytes.Line(), Kings::kOptional);
      if (position) return *position;
      CheckRefusal(position.error());
      return std::nullopt;
    }
    case StartKind::kPieces: {
      const auto position = Position::From(TakePieces(bytes, variant), Kings::kOptional);
      if (position) return *position;
      CheckRefusal(position.error());
      return std::nullopt;
    }
  }
  return std::nullopt;
}

Move TakeMove(Bytes& bytes) {
  const int from = bytes.Byte();
  const int to = bytes.Byte();
  const int how = bytes.Byte();
  Move move;
  if (from != 0xFF) move.from = Square(from >> 4, from & 15);
  if (to != 0xFF) move.to = Square(to >> 4, to & 15);
  move.dropped = static_cast<Kind>(how & 15);
  move.promotes = (how & 16) != 0;
  return move;
}

}  // namespace komadai::fuzz
