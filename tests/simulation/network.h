// Network: calls between simulated processes, with delays, losses, duplicates and reordering.
//
// A call goes to any replica, as a client-side balanced channel would send it. An idempotent one is
// repeated after UNAVAILABLE, as libs/rpc/client/client.h does it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "tests/simulation/cluster.h"
#include "tests/simulation/process.h"

namespace komadai::simulation {

inline constexpr Reason kConnectionLost{Code::kUnavailable, "CONNECTION_LOST"};

struct CallShape {
  std::string what;  // for the trace
  Millis timeout{2000};
  bool idempotent = true;
};

// What the node that gets the request does. Copied for each delivery.
template <typename Reply, typename Node>
using Handler = std::function<Task<Result<Reply>>(Node&)>;

template <typename Reply>
using ReplyWait = std::shared_ptr<Wait<Result<Reply>>>;

inline Error ConnectionLost() { return Error(kConnectionLost, "simulated: the connection broke"); }
inline Error TimedOut() { return Error(kDeadlinePassed, "simulated: no answer in time"); }

// "ok", or why not.
template <typename T>
std::string Say(const Result<T>& result) {
  return result ? std::string("ok") : result.error().ToString();
}

// Serves one delivery; `wait` is null for a duplicate, whose answer nobody hears.
template <typename Reply, typename Node>
Task<void> Serve(Environment& environment, Node& node, Handler<Reply, Node> handler,
                 ReplyWait<Reply> wait, std::string what) {
  Process& process = node.process();
  const std::shared_ptr<const bool> pulse = process.pulse();
  Result<Reply> reply = co_await handler(node);
  if (*pulse) {
    environment.Say(process.name(), [&] { return "answers " + what + ": " + Say(reply); });
    if (process.MayCrash() && environment.dice.Chance(kAlways / 2)) reply = ConnectionLost();
  } else {
    reply = ConnectionLost();
  }
  if (!wait) co_return;
  if (environment.dice.Chance(environment.weather.answer_lost)) {
    // Either the caller sees the connection break, or nothing until its patience ends.
    if (environment.dice.Chance(kAlways / 2)) co_return;
    reply = ConnectionLost();
  }
  environment.scheduler.After(environment.Delay(), [wait, reply] { wait->Answer(reply); });
}

template <typename Reply, typename Node>
void Deliver(Environment& environment, Cluster<Node>& to, Handler<Reply, Node> handler,
             ReplyWait<Reply> wait, std::string what, Millis delay) {
  const std::size_t index = environment.dice.Index(to.size());
  environment.scheduler.After(delay, [&environment, &to, handler, wait, what, index] {
    Node* node = to.Up(index);
    if (node != nullptr) {
      Detach(Serve<Reply, Node>(environment, *node, handler, wait, what));
    } else if (wait) {
      environment.scheduler.After(environment.Delay(), [wait] { wait->Answer(ConnectionLost()); });
    }
  });
}

// `to` must outlive the simulation's steps. The handler is copied, so it must not own anything that
// counts its owners.
template <typename Reply, typename Node>
Task<Result<Reply>> Call(Process& from, Cluster<Node>& to, Handler<Reply, Node> handler,
                         CallShape shape) {
  constexpr int kMaxAttempts = 3;
  Environment& environment = from.environment();
  Dice& dice = environment.dice;
  for (int attempt = 1;; ++attempt) {
    const ReplyWait<Reply> wait = Wait<Result<Reply>>::In(from, ConnectionLost());
    const bool dies = from.MayCrash();
    if (from.alive() && !(dies && dice.Chance(kAlways / 2))) {
      environment.Say(from.name(), [&] { return "calls " + shape.what; });
      const Millis delay = environment.Delay();
      environment.scheduler.After(shape.timeout, [wait] { wait->Answer(TimedOut()); });
      if (dice.Chance(environment.weather.request_lost)) {
        environment.Say(from.name(), [&] { return "loses the request " + shape.what; });
        if (dice.Chance(kAlways / 2)) {
          environment.scheduler.After(delay, [wait] { wait->Answer(ConnectionLost()); });
        }
      } else {
        Deliver<Reply, Node>(environment, to, handler, wait, shape.what, delay);
      }
      if (dice.Chance(environment.weather.duplicated)) {
        Deliver<Reply, Node>(environment, to, handler, nullptr, shape.what + " (again)",
                             delay + environment.Delay());
      }
    }
    Result<Reply> reply = co_await wait->Over();
    if (reply || !shape.idempotent || reply.error().code() != Code::kUnavailable ||
        attempt >= kMaxAttempts) {
      co_return reply;
    }
    const bool alive = co_await from.Sleep(dice.MillisBetween(10, 40));
    if (!alive) co_return reply;
  }
}

}  // namespace komadai::simulation
