#include "libs/rpc/server/serve.h"
#include "services/matchmaking/bind.h"

int main(int argc, char** argv) {
  return komadai::rpc::ServeMain({"komadai-matchmaking", "Who plays whom: seeks and challenges."},
                                 {komadai::matchmaking::MatchmakingComponent()}, argc, argv);
}
