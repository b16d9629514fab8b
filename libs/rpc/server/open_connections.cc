#include "libs/rpc/server/open_connections.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <iterator>
#include <utility>

namespace komadai::rpc {
namespace {

bool Reaches(std::size_t count, int limit) {
  return limit > 0 && count >= static_cast<std::size_t>(limit);
}

}  // namespace

bool OpenConnections::IsOpen(const Connection& connection) {
  struct stat file {};
  return fstat(connection.descriptor, &file) == 0 && S_ISSOCK(file.st_mode) &&
         file.st_ino == connection.socket;
}

void OpenConnections::Sweep(Connections& connections) {
  size_ -= std::erase_if(connections, [](const auto& entry) { return !IsOpen(entry); });
}

void OpenConnections::Sweep() {
  for (auto entry = by_address_.begin(); entry != by_address_.end();) {
    Sweep(entry->second);
    entry = entry->second.empty() ? by_address_.erase(entry) : std::next(entry);
  }
}

OpenConnections::Room OpenConnections::RoomFor(const std::string& address) {
  if (Reaches(size_, limits_.total)) Sweep();
  if (Reaches(size_, limits_.total)) return Room::kNone;
  const auto found = by_address_.find(address);
  if (address.empty() || found == by_address_.end()) return Room::kFree;
  if (Reaches(found->second.size(), limits_.per_address)) Sweep(found->second);
  return Reaches(found->second.size(), limits_.per_address) ? Room::kNoneForAddress : Room::kFree;
}

bool OpenConnections::Cut(const std::string& address, const std::string& peer) {
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return false;
  for (const Connection& connection : found->second) {
    if (connection.peer != peer || !IsOpen(connection)) continue;
    return shutdown(connection.descriptor, SHUT_RDWR) == 0;
  }
  return false;
}

void OpenConnections::Add(int descriptor, const std::string& address, std::string peer) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return;
  by_address_[address].push_back({descriptor, file.st_ino, std::move(peer)});
  ++size_;
}

}  // namespace komadai::rpc
