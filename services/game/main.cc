#include "libs/rpc/server/serve.h"
#include "services/game/bind.h"

int main(int argc, char** argv) {
  return komadai::rpc::ServeMain({"komadai-game", "Live games from creation to result."},
                                 {komadai::game::GameComponent()}, argc, argv);
}
