// komadai: the command line of a person: serve, play, watch, demo, health.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/connection.h"
#include "cli/demo.h"
#include "cli/health.h"
#include "cli/play.h"
#include "cli/serve.h"

namespace {

using komadai::cli::DemoOptions;
using komadai::cli::PlayOptions;
using komadai::cli::WatchOptions;

constexpr char kTargetHelp[] = "server: HOST:PORT, or service=HOST:PORT,... for separate processes";

void AddTarget(CLI::App* command, std::string* target) {
  *target = komadai::cli::kDefaultTarget;
  command->add_option("--target", *target, kTargetHelp)
      ->envname("KOMADAI_TARGET")
      ->capture_default_str();
}

void AddPlay(CLI::App& app, PlayOptions& options) {
  CLI::App* play = app.add_subcommand("play", "play a game at this terminal");
  AddTarget(play, &options.target);
  play->add_option("--variant", options.variant, "game to play")
      ->check(CLI::IsMember({"shogi", "minishogi", "xiangqi"}))
      ->capture_default_str();
  play->add_option("--name", options.name, "nickname");
  play->add_flag("--test-player", options.test_player,
                 "sign in as a verified test player of that name, where the server allows it");
  play->add_option("--against", options.against, "computer, anyone (matchmaking) or friend (link)")
      ->check(CLI::IsMember({"computer", "anyone", "friend"}))
      ->capture_default_str();
  play->add_option("--join", options.join, "code of a friend's link");
  play->add_option("--level", options.level, "of the computer")
      ->check(CLI::IsMember({"easy", "medium", "hard"}))
      ->capture_default_str();
  play->add_option("--side", options.side, "side to play")
      ->check(CLI::IsMember({"first", "second", "any"}))
      ->capture_default_str();
  play->add_option("--handicap", options.handicap, "handicap id, e.g. 2_piece");
  play->add_flag("--no-clock", options.no_clock, "without a clock (moves can be taken back)");
  play->add_option("--main", options.main_seconds, "main time in seconds")
      ->check(CLI::Range(0, 604800))
      ->capture_default_str();
  play->add_option("--byoyomi", options.byoyomi_seconds, "byo-yomi period in seconds")
      ->check(CLI::Range(0, 86400))
      ->capture_default_str();
  play->add_option("--periods", options.byoyomi_periods, "byo-yomi periods")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  play->add_flag("--rated", options.rated, "rated game (needs a verified account)");
  play->add_flag("!--no-colour", options.colour, "without terminal colours");
}

}  // namespace

int main(int argc, char** argv) {
  // Everything behind `serve` belongs to the server's own settings, --help included.
  if (argc > 1 && std::string(argv[1]) == "serve") {
    return komadai::cli::RunServe(std::vector<std::string>(argv + 2, argv + argc));
  }
  CLI::App app{"Komadai: play, watch and serve shogi, minishogi and xiangqi."};
  app.require_subcommand(1);
  app.add_subcommand("serve", "serve everything in one process (komadai serve --help)");

  DemoOptions demo;
  int pause_ms = 0;
  CLI::App* demo_command =
      app.add_subcommand("demo", "play a whole recorded game against a server and check it");
  AddTarget(demo_command, &demo.target);
  demo_command->add_option("--record", demo.record, "file with the game (USI, CSA or KIF)");
  demo_command->add_option("--pause-ms", pause_ms, "pause between moves, in milliseconds")
      ->check(CLI::Range(0, 60000));

  PlayOptions play;
  AddPlay(app, play);

  WatchOptions watch;
  CLI::App* watch_command = app.add_subcommand("watch", "follow a game live");
  AddTarget(watch_command, &watch.target);
  watch_command->add_option("game", watch.game_id, "id of the game")->required();
  watch_command->add_flag("!--no-colour", watch.colour, "without terminal colours");

  komadai::cli::HealthOptions health;
  CLI::App* health_command = app.add_subcommand("health", "ask a server whether it is ready");
  AddTarget(health_command, &health.target);
  health_command->add_option("--service", health.service,
                             "health name: empty for readiness, live for liveness");

  CLI11_PARSE(app, argc, argv);
  if (demo_command->parsed()) {
    demo.pause = komadai::Millis(pause_ms);
    return komadai::cli::RunDemo(demo);
  }
  if (health_command->parsed()) return komadai::cli::RunHealth(health);
  if (watch_command->parsed()) return komadai::cli::RunWatch(watch);
  if (app.get_subcommand("play")->parsed()) return komadai::cli::RunPlay(play);
  return 2;
}
