#include "libs/rpc/server/serve.h"
#include "services/kifu/bind.h"

int main(int argc, char** argv) {
  return komadai::rpc::ServeMain({"komadai-kifu", "The archive of finished and imported games."},
                                 {komadai::kifu::KifuComponent()}, argc, argv);
}
