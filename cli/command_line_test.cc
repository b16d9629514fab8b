// The program as it is typed: exit status, standard output and standard error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "libs/testing/server_process.h"
#include "libs/testing/temp_dir.h"

namespace komadai {
namespace {

using testing::ChildProcess;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::ServerProcess;
using ::testing::StartsWith;
using testing::TempDir;

struct Ran {
  int status = 0;
  std::string text;  // both streams
};

std::string TextOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

class CommandLineTest : public ::testing::Test {
 protected:
  Ran Run(std::vector<std::string> arguments) {
    ChildProcess::Options options;
    options.command = std::move(arguments);
    options.command.insert(options.command.begin(), ServerProcess::BinDir() + "/komadai");
    options.log_file = dir_.File("log" + std::to_string(++runs_));
    Result<std::unique_ptr<ChildProcess>> process = ChildProcess::Start(options);
    if (!process) return {-1, process.error().ToString()};
    const int status = (*process)->Wait();
    return {status, TextOf(options.log_file)};
  }
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(dir_.File(name), std::ios::binary) << text;
    return dir_.File(name);
  }

  TempDir dir_;
  int runs_ = 0;
};

TEST_F(CommandLineTest, HelpNamesEveryCommand) {
  const Ran ran = Run({"--help"});
  EXPECT_EQ(ran.status, 0);
  for (const char* command : {"serve", "play", "watch", "demo", "health", "legal", "judge",
                              "convert", "perft", "conformance", "rating"}) {
    EXPECT_THAT(ran.text, HasSubstr("\n  " + std::string(command) + " "));
  }
  EXPECT_THAT(Run({"conformance", "--help"}).text, HasSubstr("--max-perft-nodes"));
}

TEST_F(CommandLineTest, Perft) {
  EXPECT_EQ(Run({"perft", "shogi", "startpos", "2"}).text, "nodes: 900\n");
  EXPECT_THAT(Run({"perft", "xiangqi", "startpos", "1", "--divide", "--json"}).text,
              HasSubstr("\"h2e2\": 1"));
}

TEST_F(CommandLineTest, Legal) {
  const Ran ran = Run({"legal", "shogi", "2_piece", "--notation", "western", "--notation", "csa"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.text, HasSubstr("3c3d  P-3d  -3334FU\n"));
  EXPECT_EQ(Run({"legal", "shogi", "2_piece", "--", "-3334FU"}).text, "legal: 3c3d\n");
  EXPECT_EQ(Run({"legal", "xiangqi", "startpos", "b0d1"}).status, 1);
}

TEST_F(CommandLineTest, Judge) {
  const Ran ran = Run({"judge", "minishogi", "startpos", "--json", "--ruleset", "standard"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.text, HasSubstr("\"verdict\": \"ONGOING\""));
  EXPECT_THAT(
      Run({"judge", "shogi", "startpos", "7g7f", "3c3d", "--declare", "--by", "first"}).text,
      HasSubstr("not met: KING_NOT_IN_ZONE\n"));
}

TEST_F(CommandLineTest, Convert) {
  const std::string usi = Write("game.usi", "position startpos moves 7g7f\n");
  EXPECT_THAT(Run({"convert", usi, "--to", "kif"}).text, HasSubstr("７六歩(77)"));
  EXPECT_THAT(Run({"convert", usi, "--json"}).text, HasSubstr("\"move\": \"7g7f\""));
}

TEST_F(CommandLineTest, WrongUseIsTwo) {
  const std::vector<std::vector<std::string>> kWrong = {
      {},
      {"fly"},
      {"perft", "shogi", "startpos"},
      {"perft", "shogi", "startpos", "31"},
      {"perft", "shogi", "startpos", "-1"},
      {"perft", "shogi", "startpos", "two"},
      {"legal", "chess", "startpos"},
      {"legal", "shogi", "nonsense"},
      {"legal", "shogi", "startpos", "--notation"},
      {"judge", "shogi", "startpos", "--declare", "--agree"},
      {"judge", "shogi", "startpos", "--by", "first"},
      {"judge", "shogi", "startpos", "--declare", "--by", "white"},
      {"convert", "no such file", "--to", "kif"},
      {"convert", "-"},
      {"conformance"},
      {"conformance", "no such file"},
      {"conformance", "LICENSE", "--max-perft-nodes", "-1"},
      {"conformance", "LICENSE", "--target", "nowhere"},
  };
  for (const std::vector<std::string>& arguments : kWrong) {
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.status, 2) << ran.text;
    EXPECT_NE(ran.text, "");
  }
}

TEST_F(CommandLineTest, Conformance) {
  const std::string vectors = "tests/conformance/vectors/shogi/repetition_table.jsonl";
  const Ran passed = Run({"conformance", vectors});
  EXPECT_EQ(passed.status, 0);
  EXPECT_EQ(passed.text, "conformance: 16 passed, 0 failed\n");
  const Ran failed = Run({"conformance", vectors, Write("bad.jsonl", "{\"id\": \"a\"}\n")});
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.text, EndsWith("bad.jsonl:1 a: the record is of no known kind\n"
                                    "conformance: 16 passed, 1 failed\n"));
}

TEST_F(CommandLineTest, ConformanceOfAServer) {
  Result<std::unique_ptr<ServerProcess>> server =
      ServerProcess::Start({"komadai",
                            {"--data", dir_.File("data"), "--log-level", "warning"},
                            dir_.File("server.log")});
  ASSERT_TRUE(server) << server.error().ToString();
  const std::string vectors = "tests/conformance/vectors/";
  const Ran passed =
      Run({"conformance", vectors + "shogi/outcomes.jsonl", vectors + "xiangqi/notation.jsonl",
           vectors + "shogi/repetition_table.jsonl", "--target", (*server)->address()});
  EXPECT_EQ(passed.status, 0);
  EXPECT_EQ(passed.text, "conformance: 325 passed, 0 failed\n");

  // The server answers: without it the command fails.
  EXPECT_EQ((*server)->Stop(), 0);
  const Ran gone =
      Run({"conformance", vectors + "shogi/outcomes.jsonl", "--target", (*server)->address()});
  EXPECT_EQ(gone.status, 2);
  EXPECT_THAT(gone.text, StartsWith("komadai conformance: RPC_UNAVAILABLE: "));
}

}  // namespace
}  // namespace komadai
