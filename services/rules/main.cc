#include "libs/rpc/server/serve.h"
#include "services/rules/bind.h"

int main(int argc, char** argv) {
  return komadai::rpc::ServeMain(
      {"komadai-rules", "What is legal, who has won, and how it is written down."},
      {komadai::rules_service::RulesComponent()}, argc, argv);
}
