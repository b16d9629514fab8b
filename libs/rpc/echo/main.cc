#include "libs/rpc/echo/echo.h"
#include "libs/rpc/server/serve.h"

int main(int argc, char** argv) {
  return komadai::rpc::ServeMain(
      {"komadai-echo", "Echoes what it is sent: the baseline of benchmarks."},
      {komadai::rpc::EchoComponent()}, argc, argv);
}
