#include "tests/simulation/weather.h"

namespace komadai::simulation {

Weather Weather::Draw(Dice& dice) {
  if (dice.Chance(kAlways / 20)) return Calm();
  Weather weather;
  weather.crash = dice.OneOf<int>({0, 20, 60, 200, 500});
  weather.crashes_left = static_cast<int>(dice.Between(1, 8));
  weather.request_lost = dice.OneOf<int>({0, 0, 100, 500});
  weather.answer_lost = dice.OneOf<int>({0, 0, 100, 500});
  weather.duplicated = dice.OneOf<int>({0, 0, 200, 1500});
  weather.store_refuses = dice.OneOf<int>({0, 0, 50, 400});
  weather.store_in_doubt = dice.OneOf<int>({0, 0, 100, 800});
  weather.store_outage = dice.OneOf<int>({0, 0, 0, 30});
  weather.stream_cut = dice.OneOf<int>({0, 0, 100, 800});
  weather.breeze_ms = dice.OneOf<int>({1, 3, 10});
  weather.gust = dice.OneOf<int>({0, 50, 300, 1000});
  weather.gust_ms = dice.OneOf<int>({30, 150, 700, 2500});
  return weather;
}

bool Weather::IsCalm() const {
  return crash + request_lost + answer_lost + duplicated + store_refuses + store_in_doubt +
                 store_outage + stream_cut + gust ==
             0 &&
         breeze_ms <= 3;
}

Millis Weather::Delay(Dice& dice) const {
  if (dice.Chance(gust)) return dice.MillisBetween(breeze_ms, gust_ms);
  return dice.MillisBetween(0, breeze_ms);
}

}  // namespace komadai::simulation
