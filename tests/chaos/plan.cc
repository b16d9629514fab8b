#include "tests/chaos/plan.h"

namespace komadai::chaos {
namespace {

constexpr int kMaxPlies = 220;
constexpr std::int64_t kFlagByoyomiMs = 1500;

Style StyleOf(std::uint64_t lot) {  // of 100
  if (lot < 40) return Style::kPlayOut;
  if (lot < 62) return Style::kResign;
  if (lot < 78) return Style::kAgreeDraw;
  if (lot < 92) return Style::kLetFlagFall;
  return Style::kBrink;
}

rules::Variant VariantOf(std::uint64_t lot) {  // of 10
  if (lot < 4) return rules::Variant::kMinishogi;
  return lot < 7 ? rules::Variant::kShogi : rules::Variant::kXiangqi;
}

common_pb::TimeControl ControlOf(Style style, Random& random) {
  common_pb::TimeControl control;
  common_pb::SideTime& time = *control.mutable_first();
  if (style == Style::kLetFlagFall || style == Style::kBrink) {
    // Short enough to wait for. An outage makes such games end on time too, as it should.
    time.set_byoyomi_ms(kFlagByoyomiMs);
    time.set_byoyomi_periods(1);
    if (random.Below(2) == 0) time.set_main_ms(1000);
    return control;
  }
  // Long enough for outages not to decide games.
  time.set_main_ms(120000);
  if (random.Below(3) == 0) {
    time.set_increment_ms(2000);
  } else {
    time.set_byoyomi_ms(30000);
    time.set_byoyomi_periods(2);
  }
  return control;
}

}  // namespace

GamePlan MakePlan(std::uint64_t seed, int number, std::size_t pool) {
  // The engine's first numbers of near seeds are alike; a large odd factor spreads them.
  SeededRandom random((seed + static_cast<std::uint64_t>(number) + 1) * 0x9E3779B97F4A7C15U);
  GamePlan plan;
  plan.number = number;
  plan.style = StyleOf(random.Below(100));
  plan.variant = VariantOf(random.Below(10));
  plan.rated = random.Below(10) < 7;
  plan.by_challenge = random.Below(3) == 0;
  plan.control = ControlOf(plan.style, random);
  plan.finisher = random.Below(2) == 0 ? Side::kFirst : Side::kSecond;
  plan.finish_ply = static_cast<int>(6 + random.Below(plan.style == Style::kResign ? 60 : 30));
  plan.max_plies = plan.style == Style::kBrink ? 20 : kMaxPlies;
  plan.seed = random.Next();
  if (random.Below(20) == 0) {
    plan.against_computer = true;
    plan.rated = false;
    plan.by_challenge = false;
    plan.style = Style::kResign;
    plan.finish_ply = static_cast<int>(6 + random.Below(8));
    plan.control = ControlOf(plan.style, random);
  }
  plan.players[0] = random.Below(pool);
  plan.players[1] = (plan.players[0] + 1 + random.Below(pool - 1)) % pool;
  return plan;
}

Whims::Whims(const GamePlan& plan, Side side)
    : random_(plan.seed * 2 + (side == Side::kFirst ? 0 : 1)) {}

Millis Whims::Between(Millis low, Millis high) {
  const auto width = static_cast<std::uint64_t>((high - low).count() + 1);
  return low + Millis(static_cast<std::int64_t>(random_.Below(width)));
}

}  // namespace komadai::chaos
