#include "cli/perft.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <ostream>
#include <utility>
#include <vector>

#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/perft.h"

namespace komadai::cli {
namespace {

constexpr int kMaxDepth = 30;

struct Branch {
  std::string move;
  std::uint64_t nodes = 0;
};

// By first move, in the order of their texts.
std::vector<Branch> Divide(const rules::Position& position, int depth) {
  rules::MoveList moves;
  position.LegalMoves(moves);
  std::vector<Branch> branches;
  for (const rules::Move& move : moves) {
    rules::Position next = position;
    next.PlayUnchecked(move);
    branches.push_back(
        {notation::FormatPlainMove(position.variant(), move), rules::Perft(next, depth - 1)});
  }
  std::ranges::sort(branches, {}, &Branch::move);
  return branches;
}

}  // namespace

CLI::App* AddPerft(CLI::App& app, PerftOptions& options) {
  CLI::App* perft = app.add_subcommand("perft", "count the move sequences of a length");
  AddPositionArguments(*perft, options.position);
  perft->add_option("depth", options.depth, "plies")->required()->check(CLI::Range(0, kMaxDepth));
  perft->add_flag("--divide", options.divide, "also for each first move");
  perft->add_flag("--json", options.json, "for programs");
  return perft;
}

int RunPerft(const PerftOptions& options, const Streams& streams) {
  const Result<rules::Position> position = ReadPosition(options.position);
  if (!position) return Refuse(streams, "perft", position.error());
  std::vector<Branch> branches;
  if (options.divide && options.depth > 0) branches = Divide(*position, options.depth);
  std::uint64_t nodes = 0;
  for (const Branch& branch : branches) nodes += branch.nodes;
  if (!options.divide || options.depth == 0) nodes = rules::Perft(*position, options.depth);

  if (options.json) {
    nlohmann::json answer = {{"variant", options.position.variant},
                             {"position", notation::FormatPosition(*position)},
                             {"depth", options.depth},
                             {"nodes", nodes}};
    if (options.divide) answer["moves"] = nlohmann::json::object();
    for (const Branch& branch : branches) answer["moves"][branch.move] = branch.nodes;
    WriteJson(streams, answer);
    return kExitOk;
  }
  for (const Branch& branch : branches) streams.out << branch.move << ": " << branch.nodes << "\n";
  streams.out << "nodes: " << nodes << "\n";
  return kExitOk;
}

}  // namespace komadai::cli
