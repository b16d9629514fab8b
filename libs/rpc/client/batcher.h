// Batcher: turns many small idempotent calls to another service into few larger ones.
//
// A call goes out at once while fewer than `max_in_flight` batches are on their way; what arrives
// meanwhile goes together with the next one. Nothing waits for a timer: a quiet server sends
// batches of one, a busy one batches of as many as came during a round trip. A call that finds
// `max_waiting` others in the queue is refused at once (OVERLOADED); one whose deadline passes in
// the queue is not sent (DEADLINE_PASSED).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"

namespace komadai::rpc {

struct BatchLimits {
  std::size_t max_batch;
  std::size_t max_in_flight;
  std::size_t max_waiting;
};

// Thread-safe. Calls that are on their way may outlive the Batcher, but not what `send` uses.
template <typename Item, typename Answer>
class Batcher {
 public:
  // The outcomes in the order of the items, or what failed all of them.
  using Outcomes = Result<std::vector<Result<Answer>>>;
  // `latest` is the latest deadline of the items: nobody waits for an answer after it.
  using Send = std::function<Task<Outcomes>(std::vector<Item> items, Deadline latest)>;

  Batcher(BatchLimits limits, Send send) : core_(std::make_shared<Core>(limits, std::move(send))) {}

  // The outcome of `item` alone. The awaiting coroutine resumes in the thread that got the answer,
  // before those of the same batch behind it: it must not block.
  Task<Result<Answer>> Do(Item item, Deadline deadline) {
    co_return co_await FromCallback<Result<Answer>>([&](auto done) {
      core_->Add({std::move(item), deadline, std::move(done)});
    });
  }

 private:
  struct Waiting {
    Item item;
    Deadline deadline;
    std::function<void(Result<Answer>)> done;
  };
  using Waiters = std::vector<std::function<void(Result<Answer>)>>;

  class Core : public std::enable_shared_from_this<Core> {
   public:
    Core(BatchLimits limits, Send send) : limits_(limits), send_(std::move(send)) {}

    void Add(Waiting waiting) {
      bool full = false;
      {
        const MutexLock lock(mutex_);
        full = queue_.size() >= limits_.max_waiting;
        if (!full) {
          queue_.push_back(std::move(waiting));
          if (in_flight_ == limits_.max_in_flight) return;
          ++in_flight_;
        }
      }
      if (full) {
        waiting.done(Error(kOverloaded, "too many calls wait for another service; retry later"));
      } else {
        SendNext();
      }
    }

   private:
    struct Batch {
      std::vector<Item> items;
      Waiters waiters;
      Deadline latest = Deadline::min();
      Waiters late;
    };

    // Holds one place in flight: sends what waits, or gives the place back.
    void SendNext() {
      Batch batch = Take();
      if (!batch.items.empty()) {
        StartCatching(send_(std::move(batch.items), batch.latest),
                      [self = this->shared_from_this(),
                       waiters = std::move(batch.waiters)](Caught<Outcomes> caught) {
                        self->SendNext();  // first: the waiters have work of their own to do
                        Deliver(waiters, OutcomesOf(std::move(caught)));
                      });
      }
      for (const auto& done : batch.late) {
        done(Error(kDeadlinePassed, "the deadline passed before another service was asked"));
      }
    }

    // The next batch; without items if nothing is left to send, and the place in flight is free.
    Batch Take() {
      Batch batch;
      const Deadline now = std::chrono::system_clock::now();
      const MutexLock lock(mutex_);
      while (!queue_.empty() && batch.items.size() < limits_.max_batch) {
        Waiting& next = queue_.front();
        if (next.deadline <= now) {
          batch.late.push_back(std::move(next.done));
        } else {
          batch.items.push_back(std::move(next.item));
          batch.waiters.push_back(std::move(next.done));
          batch.latest = std::max(batch.latest, next.deadline);
        }
        queue_.pop_front();
      }
      if (batch.items.empty()) --in_flight_;
      return batch;
    }

    static Outcomes OutcomesOf(Caught<Outcomes> caught) {
      if (!caught.exception) return *std::move(caught.value);
      ReportEscaped(caught.exception);
      return Error(kInternal, "a batch of calls to another service failed");
    }

    static void Deliver(const Waiters& waiters, Outcomes outcomes) {
      KOMADAI_CHECK(!outcomes || outcomes->size() == waiters.size());
      for (std::size_t i = 0; i < waiters.size(); ++i) {
        waiters[i](outcomes ? std::move((*outcomes)[i]) : Result<Answer>(outcomes.error()));
      }
    }

    const BatchLimits limits_;
    const Send send_;
    Mutex mutex_;
    std::deque<Waiting> queue_ KOMADAI_GUARDED_BY(mutex_);
    std::size_t in_flight_ KOMADAI_GUARDED_BY(mutex_) = 0;
  };

  std::shared_ptr<Core> core_;
};

}  // namespace komadai::rpc
