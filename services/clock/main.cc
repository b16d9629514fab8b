#include "libs/rpc/server/serve.h"
#include "services/clock/bind.h"

int main(int argc, char** argv) {
  return komadai::rpc::ServeMain({"komadai-clock", "Clocks of live games and their deadlines."},
                                 {komadai::clock::ClockComponent()}, argc, argv);
}
