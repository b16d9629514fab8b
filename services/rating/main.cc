#include "libs/rpc/server/serve.h"
#include "services/rating/bind.h"

int main(int argc, char** argv) {
  return komadai::rpc::ServeMain({"komadai-rating", "Players, sessions, ratings and leaderboards."},
                                 {komadai::rating::RatingComponent()}, argc, argv);
}
