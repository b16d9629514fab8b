// Settings of the engine service.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/time.h"
#include "libs/config/settings.h"
#include "services/engine/domain/engine_spec.h"

namespace komadai::engine {

struct EngineConfig {
  std::string program = "/usr/games/fairy-stockfish";
  std::vector<std::string> extra;
  // At least two, so that an analysis never keeps a game waiting.
  int processes = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
  int threads = 1;
  int hash_mb = 32;
  int queue = 64;
  Millis max_search{60'000};
  Millis max_player_search{10'000};
  Millis kill_grace{3'000};

  void AddTo(config::Settings& settings) {
    settings.Section("Engines");
    settings.Add("engine-program", &program, "path of Fairy-Stockfish, the default engine",
                 config::NotEmpty());
    settings.Add("engine-extra", &extra,
                 "further engines, each ID:usi|uci:VARIANTS:COMMAND with variants joined by +");
    settings.Add("engine-processes", &processes, "processes of each engine",
                 config::Range<int>(1, 256));
    settings.Add("engine-threads", &threads, "search threads of a process",
                 config::Range<int>(1, 256));
    settings.Add("engine-hash-mb", &hash_mb, "hash table of a process in MiB",
                 config::Range<int>(1, 65'536));
    settings.Add("engine-queue", &queue, "most searches that may wait for a process",
                 config::Range<int>(1, 100'000));
    settings.Add("engine-max-search", &max_search, "longest search for a service",
                 config::Range<Millis>(Millis(1), Millis(60'000)));
    settings.Add("engine-max-player-search", &max_player_search, "longest search for a player",
                 config::Range<Millis>(Millis(1), Millis(60'000)));
    settings.Add("engine-kill-grace", &kill_grace,
                 "kill an engine that takes longer than this to stop",
                 config::Range<Millis>(Millis(1), Millis(60'000)));
    settings.AddRule([this]() -> std::string {
      for (const std::string& text : extra) {
        if (!ParseEngineSpec(text)) return "engine-extra: cannot read \"" + text + "\"";
      }
      return "";
    });
  }

  // The default engine first; a call without an engine id gets the first that plays its variant.
  std::vector<EngineSpec> Specs() const {
    std::vector<EngineSpec> specs{FairyStockfish(program)};
    for (const std::string& text : extra) {
      if (auto spec = ParseEngineSpec(text)) specs.push_back(*std::move(spec));
    }
    for (EngineSpec& spec : specs) {
      spec.options["Threads"] = std::to_string(threads);
      spec.options["Hash"] = std::to_string(hash_mb);
    }
    return specs;
  }
};

}  // namespace komadai::engine
