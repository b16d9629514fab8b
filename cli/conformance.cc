#include "cli/conformance.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>

#include "cli/connection.h"
#include "komadai/rules/v1/rules.pb.h"
#include "libs/conformance/library_judge.h"
#include "libs/conformance/vector_file.h"
#include "libs/notation/errors.h"
#include "libs/remotejudge/remote_judge.h"

namespace komadai::cli {
namespace {

namespace rules_pb = ::komadai::rules::v1;
using conformance::CheckedRecord;
using conformance::Judge;
using conformance::Outcome;
using conformance::Tally;

constexpr char kConformanceName[] = "conformance";
constexpr Millis kPatience{5000};  // for a server that is about to start

Result<std::unique_ptr<Judge>> JudgeAt(const std::string& target) {
  if (target.empty()) return std::unique_ptr<Judge>(std::make_unique<conformance::LibraryJudge>());
  const Result<Targets> targets = Targets::Parse(target);
  if (!targets) return targets.error();
  // A missing server is reported once, not for every record.
  Connection connection(*targets, kPatience);
  const Result<rules_pb::ListVariantsResponse> answer =
      connection.Call<rules_pb::ListVariantsResponse>(rules_pb::ListVariantsRequest());
  if (!answer) return answer.error();
  return std::unique_ptr<Judge>(std::make_unique<remotejudge::RemoteJudge>(targets->To("rules")));
}

Status CheckReadable(const std::vector<std::string>& files) {
  for (const std::string& path : files) {
    std::error_code ignored;
    if (!std::ifstream(path) || std::filesystem::is_directory(path, ignored)) {
      return notation::TextError(kUnreadableFile, "the file cannot be read", path);
    }
  }
  return {};
}

// Checks the records of a file and adds them to `total`.
Status CheckFile(const std::string& path, Judge& judge, const ConformanceOptions& options,
                 const Streams& streams, Tally& total) {
  std::ifstream file(path);
  const Tally tally = conformance::CheckLines(
      file, judge, {.max_perft_nodes = options.max_perft_nodes},
      [&path, &streams](const CheckedRecord& record) {
        if (record.result.outcome != Outcome::kFailed) return;
        streams.out << path << ":" << record.line << " " << record.id << ": "
                    << record.result.message << std::endl;  // flushed: shown at once
      });
  if (file.bad()) return notation::TextError(kUnreadableFile, "the file cannot be read", path);
  if (tally.records() == 0) {
    streams.err << "komadai conformance: warning: " << path << " holds no record\n";
  }
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.skipped += tally.skipped;
  return {};
}

}  // namespace

CLI::App* AddConformance(CLI::App& app, ConformanceOptions& options) {
  CLI::App* conformance = app.add_subcommand(
      kConformanceName, "check files of conformance vectors (tests/conformance/README.md)");
  conformance->add_option("files", options.files, "JSON Lines, one record a line")->required();
  conformance->add_option(
      "--target", options.target,
      "HOST:PORT of a server: legality, outcomes, notation, games and playouts are asked of its "
      "rules service instead of the library. Perft and repetition tables, for which the service "
      "has no method, are still checked with the library; so are western squares in digits, the "
      "Vietnamese federation's letters, declarations by the side that is not to move, and games "
      "that begin beyond their ply limit");
  conformance
      ->add_option("--max-perft-nodes", options.max_perft_nodes,
                   "skip perft records with more nodes")
      ->check(CLI::NonNegativeNumber);
  return conformance;
}

int RunConformance(const ConformanceOptions& options, const Streams& streams) {
  if (Status readable = CheckReadable(options.files); !readable) {
    return Refuse(streams, kConformanceName, readable.error());
  }
  const Result<std::unique_ptr<Judge>> judge = JudgeAt(options.target);
  if (!judge) return Refuse(streams, kConformanceName, judge.error());
  Tally total;
  for (const std::string& path : options.files) {
    if (Status read = CheckFile(path, **judge, options, streams, total); !read) {
      return Refuse(streams, kConformanceName, read.error());
    }
  }
  streams.out << "conformance: " << total.passed << " passed, " << total.failed << " failed";
  if (total.skipped > 0) streams.out << ", " << total.skipped << " skipped";
  streams.out << std::endl;
  return total.failed > 0 ? kExitNo : kExitOk;
}

}  // namespace komadai::cli
