// Attendance: which names at least one handle is held for, e.g. players with an open stream.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"

namespace komadai {

// Thread-safe. Handles may outlive the Attendance.
class Attendance {
 public:
  // Called without a lock: for a name that leaves and comes back at the same time on two threads
  // the two calls may come in either order.
  using Listener = std::function<void(const std::string& name)>;

  // `came` is told of the first handle for a name, `left` of the end of the last one.
  explicit Attendance(Listener came = {}, Listener left = {})
      : state_(std::make_shared<State>(std::move(came), std::move(left))) {}

  // The name is present as long as somebody holds what this returns.
  std::shared_ptr<void> Enter(const std::string& name) {
    state_->Enter(name);
    return {nullptr, [state = state_, name](std::nullptr_t) { state->Leave(name); }};
  }
  std::size_t size() const {
    const MutexLock lock(state_->mutex);
    return state_->handles.size();
  }
  std::vector<std::string> Names() const {
    const MutexLock lock(state_->mutex);
    std::vector<std::string> names;
    names.reserve(state_->handles.size());
    for (const auto& [name, handles] : state_->handles) names.push_back(name);
    return names;
  }

 private:
  struct State {
    State(Listener on_came, Listener on_left)
        : came(std::move(on_came)), left(std::move(on_left)) {}
    void Enter(const std::string& name) {
      {
        const MutexLock lock(mutex);
        if (++handles[name] > 1) return;
      }
      if (came) came(name);
    }
    void Leave(const std::string& name) {
      {
        const MutexLock lock(mutex);
        const auto found = handles.find(name);
        if (--found->second > 0) return;
        handles.erase(found);
      }
      if (left) left(name);
    }

    const Listener came;
    const Listener left;
    Mutex mutex;
    std::unordered_map<std::string, std::size_t> handles KOMADAI_GUARDED_BY(mutex);
  };

  std::shared_ptr<State> state_;
};

}  // namespace komadai
