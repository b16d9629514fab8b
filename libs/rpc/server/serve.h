// ServeMain: the main() of every server.
//
//   int main(int argc, char** argv) {
//     return komadai::rpc::ServeMain({"komadai-game", "Live games from creation to result."},
//                                    {komadai::game::GameComponent()}, argc, argv);
//   }
//
// Reads the settings, starts the server, prints one line `komadai-game listening on HOST:PORT` on
// stdout and serves until SIGTERM or SIGINT, then drains; a second signal exits at once. Exit
// status: 0 after a drain, 1 if the server could not start, 2 for bad settings.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "libs/rpc/component.h"
#include "libs/rpc/server/server_settings.h"

namespace komadai::rpc {

struct Program {
  std::string name;         // "komadai-game"
  std::string description;  // one sentence for --help
  ServerSettings defaults = {};
  // Further settings of the program itself, and what to do with them once they are read: may change
  // the server's settings (e.g. make up a token secret). May be empty.
  std::function<void(config::Settings&)> add_settings = {};
  std::function<Status(ServerSettings&)> prepare = {};
};

int ServeMain(Program program, std::vector<ComponentSpec> components, int argc,
              const char* const* argv);

}  // namespace komadai::rpc
