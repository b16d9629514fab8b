#include "libs/testing/server_process.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

namespace komadai::testing {
namespace {

constexpr char kReadyWord[] = " listening on ";
constexpr const char* kLimits[] = {
    "--player-calls-per-second",        "--anonymous-calls-per-second",
    "--address-calls-per-second",       "--plain-calls-per-second",
    "--address-connections-per-second", "--max-connections-per-address",
    "--max-calls-per-address",          "--max-reads-per-address"};
constexpr std::chrono::milliseconds kPoll{20};
constexpr std::chrono::seconds kPatience{60};  // sanitized builds on busy machines

std::string TextOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace

std::string ServerProcess::BinDir() {
  const char* dir = std::getenv("KOMADAI_BIN_DIR");
  return dir == nullptr ? "build/bin" : dir;
}

Result<std::unique_ptr<ServerProcess>> ServerProcess::Start(Options options) {
  const std::string listen = options.listen;
  std::unique_ptr<ServerProcess> server(new ServerProcess(std::move(options)));
  if (Status launched = server->Launch(listen); !launched) return std::move(launched).error();
  if (Status ready = server->AwaitListening(); !ready) return std::move(ready).error();
  return server;
}

Status ServerProcess::Launch(const std::string& listen) {
  log_before_ = TextOf(options_.log_file).size();
  ChildProcess::Options child;
  child.command = {BinDir() + "/" + options_.program};
  if (options_.program == "komadai") child.command.push_back("serve");
  child.command.insert(child.command.end(), {"--listen", listen});
  if (!options_.limits) {
    for (const char* limit : kLimits) child.command.insert(child.command.end(), {limit, "0"});
    child.command.insert(child.command.end(), {"--max-concurrent-streams", "10000"});
  }
  child.command.insert(child.command.end(), options_.arguments.begin(), options_.arguments.end());
  child.log_file = options_.log_file;
  Result<std::unique_ptr<ChildProcess>> process = ChildProcess::Start(child);
  if (!process) return std::move(process).error();
  process_ = *std::move(process);
  return {};
}

bool ServerProcess::Listening() {
  const std::string text = TextOf(options_.log_file);
  const std::size_t ready = text.find(kReadyWord, log_before_);
  const std::size_t end = ready == std::string::npos ? ready : text.find('\n', ready);
  if (end == std::string::npos) return false;
  const std::size_t from = ready + sizeof(kReadyWord) - 1;
  address_ = text.substr(from, end - from);
  return true;
}

Status ServerProcess::AwaitListening() {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < until && process_->Running()) {
    if (Listening()) return {};
    std::this_thread::sleep_for(kPoll);  // a poll for a condition, with a generous deadline
  }
  return Error(kProcessFailed, options_.program + " did not get ready:\n" +
                                   TextOf(options_.log_file).substr(log_before_));
}

void ServerProcess::Kill() {
  process_->Signal(SIGKILL);
  process_->Wait();
}

int ServerProcess::Stop() {
  process_->Signal(SIGTERM);
  return process_->Wait();
}

Status ServerProcess::Restart() {
  if (Status launched = Relaunch(); !launched) return launched;
  return AwaitListening();
}

Status ServerProcess::Relaunch() { return Launch(address_); }

std::optional<int> ServerProcess::ExitStatus() {
  if (process_->Running()) return std::nullopt;
  return process_->Wait();
}

}  // namespace komadai::testing
