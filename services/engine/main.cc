#include "libs/rpc/server/serve.h"
#include "services/engine/bind.h"

int main(int argc, char** argv) {
  return komadai::rpc::ServeMain({"komadai-engine", "Computer opponents and analysis."},
                                 {komadai::engine::EngineComponent()}, argc, argv);
}
