// komadai-bench-perft [--runs N]: perft beside Fairy-Stockfish, each as a whole process, single
// threaded, by CPU time (which a busy machine does not spoil). JSON lines, median of N runs.
// komadai-bench-perft --run VARIANT DEPTH POSITION: one count, for the runs and for people.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "libs/notation/shogi/sfen.h"
#include "libs/notation/xiangqi/fen.h"
#include "libs/rules/perft.h"

namespace komadai::rules {
namespace {

struct Case {
  const char* name;
  Variant variant;
  const char* position;
  int depth;
};

constexpr Case kCases[] = {
    {"shogi-start", Variant::kShogi, "startpos", 5},
    {"shogi-middle-quiet", Variant::kShogi,
     "lnsgk1snl/1r4g2/p1ppppb1p/6pP1/7R1/2P6/P2PPPP1P/1SG6/LN2KGSNL b BP2p 21", 4},
    {"shogi-middle-sharp", Variant::kShogi,
     "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3},
    {"minishogi-start", Variant::kMinishogi, "startpos", 6},
    {"minishogi-middle-1", Variant::kMinishogi, "1rsg1/P1bk1/4p/3SB/KGR2 w - 14", 6},
    {"minishogi-middle-2", Variant::kMinishogi, "4k/bRKP1/G4/P4/2+s2 b Rbgs 39", 5},
    {"xiangqi-start", Variant::kXiangqi, "startpos", 5},
    {"xiangqi-middle-cannons", Variant::kXiangqi,
     "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", 5},
    {"xiangqi-middle-crowded", Variant::kXiangqi,
     "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1", 4},
};

Position Read(Variant variant, std::string_view text) {
  if (variant == Variant::kXiangqi && text == "startpos") text = notation::kXiangqiStart;
  const auto setup =
      variant == Variant::kXiangqi ? notation::ParseFen(text) : notation::ParseSfen(variant, text);
  if (!setup) {
    std::fprintf(stderr, "%s\n", setup.error().ToString().c_str());
    std::exit(2);
  }
  auto position = Position::From(*setup, Kings::kOptional);
  if (!position) {
    std::fprintf(stderr, "%s\n", position.error().ToString().c_str());
    std::exit(2);
  }
  return *position;
}

// SFEN as Fairy-Stockfish's UCI side reads it: hands in brackets and one by one, w for who is
// below.
std::string PeerFen(Variant variant, std::string_view text) {
  if (variant == Variant::kXiangqi) return std::string(text);
  const auto space = [&text](std::size_t from) { return text.find(' ', from); };
  const std::size_t board_end = space(0);
  const std::string_view hands = text.substr(board_end + 3, space(board_end + 3) - board_end - 3);
  std::string fen = std::string(text.substr(0, board_end)) + "[";
  int count = 0;
  for (const char c : hands) {
    if (c == '-') continue;
    if (c >= '0' && c <= '9') {
      count = 10 * count + (c - '0');
      continue;
    }
    fen.append(static_cast<std::size_t>(std::max(count, 1)), c);
    count = 0;
  }
  return fen + (text[board_end + 1] == 'b' ? "] w - - 0 1" : "] b - - 0 1");
}

struct Run {
  std::uint64_t nodes = 0;
  double seconds = 0;
  double speed() const { return static_cast<double>(nodes) / seconds; }
};

// Runs a program to its end; the nodes are the number after the last `marker` in its output.
Run RunProgram(const std::vector<std::string>& command, const std::string& input,
               const std::string& marker) {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  if (pipe(to.data()) != 0 || pipe(from.data()) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    for (const int fd : {to[0], to[1], from[0], from[1]}) close(fd);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  const bool sent = write(to[1], input.data(), input.size()) == static_cast<ssize_t>(input.size());
  close(to[1]);
  std::string output;
  std::array<char, 4096> buffer{};
  for (ssize_t got; (got = read(from[0], buffer.data(), buffer.size())) > 0;) {
    output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(from[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  Run run;
  const std::size_t at = output.rfind(marker);
  if (!sent || status != 0 || at == std::string::npos) return run;
  run.nodes = std::strtoull(output.c_str() + at + marker.size(), nullptr, 10);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  run.seconds = std::max(seconds(usage.ru_utime) + seconds(usage.ru_stime), 1e-4);
  return run;
}

Run RunOwn(const Case& c) {
  return RunProgram({"/proc/self/exe", "--run", std::string(VariantName(c.variant)),
                     std::to_string(c.depth), c.position},
                    "", "nodes ");
}

Run RunPeer(const Case& c) {
  const std::string position = std::string_view(c.position) == "startpos"
                                   ? "startpos"
                                   : "fen " + PeerFen(c.variant, c.position);
  return RunProgram({"fairy-stockfish"},
                    "setoption name UCI_Variant value " + std::string(VariantName(c.variant)) +
                        "\nposition " + position + "\ngo perft " + std::to_string(c.depth) +
                        "\nquit\n",
                    "Nodes searched: ");
}

template <class RunOnce>
Run Median(int runs, RunOnce run_once) {
  std::vector<Run> all;
  for (int i = 0; i < runs; ++i) {
    all.push_back(run_once());
    if (all.back().nodes == 0) return {};
  }
  std::sort(all.begin(), all.end(),
            [](const Run& a, const Run& b) { return a.seconds < b.seconds; });
  return all[all.size() / 2];
}

int BenchAll(int runs) {
  // Debian keeps games off root's path.
  const char* const path = std::getenv("PATH");
  setenv("PATH", (std::string(path != nullptr ? path : "/usr/bin") + ":/usr/games").c_str(), 1);
  for (const Case& c : kCases) {
    const Run own = Median(runs, [&c] { return RunOwn(c); });
    if (own.nodes == 0) return 1;
    std::printf(R"({"bench":"perft","case":"%s","value":%.4g,"unit":"nodes/s")", c.name,
                own.speed());
    if (const Run peer = Median(runs, [&c] { return RunPeer(c); }); peer.nodes != 0) {
      std::printf(R"(,"peer":"fairy-stockfish","peer_value":%.4g,"ratio":%.3g)", peer.speed(),
                  own.speed() / peer.speed());
    }
    std::printf("}\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace komadai::rules

int main(int argc, char** argv) {
  using namespace komadai::rules;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 4 && arguments[0] == "--run") {
    const auto variant = FindVariant(arguments[1]);
    const int depth = std::atoi(arguments[2].c_str());
    if (!variant || depth < 0) return 2;
    std::printf("nodes %llu\n",
                static_cast<unsigned long long>(Perft(Read(*variant, arguments[3]), depth)));
    return 0;
  }
  if (arguments.empty()) return BenchAll(5);
  if (arguments.size() == 2 && arguments[0] == "--runs") {
    return BenchAll(std::max(1, std::atoi(arguments[1].c_str())));
  }
  std::fprintf(stderr, "usage: komadai-bench-perft [--runs N]\n");
  return 2;
}
