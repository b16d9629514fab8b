// Batcher: turns many small idempotent calls to another service into few larger ones.
//
// A call goes out at once while fewer than `max_in_flight` batches are on their way; what arrives
// meanwhile goes together with the next one. Nothing waits for a timer: a quiet server sends
// batches of one, a busy one batches of as many as came during a round trip.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/base/result.h"
#include "libs/base/task.h"

namespace komadai::rpc {

// Thread-safe. Calls that are on their way may outlive the Batcher, but not what `send` uses.
template <typename Item, typename Answer>
class Batcher {
 public:
  // The outcomes in the order of the items, or what failed all of them.
  using Outcomes = Result<std::vector<Result<Answer>>>;
  using Send = std::function<Task<Outcomes>(std::vector<Item> items)>;

  Batcher(std::size_t max_batch, std::size_t max_in_flight, Send send)
      : core_(std::make_shared<Core>(max_batch, max_in_flight, std::move(send))) {}

  // The outcome of `item` alone. The awaiting coroutine goes on in the thread that got the answer,
  // before those of the same batch behind it: it must not block.
  Task<Result<Answer>> Do(Item item) {
    co_return co_await FromCallback<Result<Answer>>([&](auto done) {
      core_->Add({std::move(item), std::move(done)});
    });
  }

 private:
  struct Waiting {
    Item item;
    std::function<void(Result<Answer>)> done;
  };

  class Core : public std::enable_shared_from_this<Core> {
   public:
    Core(std::size_t max_batch, std::size_t max_in_flight, Send send)
        : max_batch_(max_batch), max_in_flight_(max_in_flight), send_(std::move(send)) {}

    void Add(Waiting waiting) {
      {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(waiting));
        if (in_flight_ == max_in_flight_) return;
        ++in_flight_;
      }
      SendNext();
    }

   private:
    // Holds one place in flight: sends what waits, or gives the place back.
    void SendNext() {
      std::vector<Item> items;
      std::vector<std::function<void(Result<Answer>)>> waiters;
      {
        const std::lock_guard lock(mutex_);
        if (queue_.empty()) {
          --in_flight_;
          return;
        }
        const std::size_t count = std::min(queue_.size(), max_batch_);
        items.reserve(count);
        waiters.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
          items.push_back(std::move(queue_.front().item));
          waiters.push_back(std::move(queue_.front().done));
          queue_.pop_front();
        }
      }
      Start(send_(std::move(items)),
            [self = this->shared_from_this(), waiters = std::move(waiters)](Outcomes outcomes) {
              self->SendNext();  // first: the waiters have work of their own to do
              Deliver(waiters, std::move(outcomes));
            });
    }

    static void Deliver(const std::vector<std::function<void(Result<Answer>)>>& waiters,
                        Outcomes outcomes) {
      KOMADAI_CHECK(!outcomes || outcomes->size() == waiters.size());
      for (std::size_t i = 0; i < waiters.size(); ++i) {
        waiters[i](outcomes ? std::move((*outcomes)[i]) : Result<Answer>(outcomes.error()));
      }
    }

    const std::size_t max_batch_;
    const std::size_t max_in_flight_;
    const Send send_;
    std::mutex mutex_;
    std::deque<Waiting> queue_;
    std::size_t in_flight_ = 0;
  };

  std::shared_ptr<Core> core_;
};

}  // namespace komadai::rpc
