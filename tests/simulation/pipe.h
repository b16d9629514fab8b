// Pipe: a server stream over the simulated network: in order, delayed, and cut at times.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "libs/base/result.h"
#include "tests/simulation/network.h"
#include "tests/simulation/process.h"

namespace komadai::simulation {

template <typename Message>
class Pipe : public std::enable_shared_from_this<Pipe<Message>> {
 public:
  struct Client {
    std::function<void(const Message&)> on_message;
    std::function<void(const Status&)> on_end;  // once: the stream is over, well or not
  };

  // The client's functions are called as long as `reader` is alive.
  static std::shared_ptr<Pipe> To(Process& reader, Client client) {
    return std::make_shared<Pipe>(reader, std::move(client));
  }
  Pipe(Process& reader, Client client)
      : environment_(reader.environment()), pulse_(reader.pulse()), client_(std::move(client)) {}

  Environment& environment() { return environment_; }

  // ---- the server's end ----

  // The stream breaks when this process dies.
  void ServedBy(Process& server) {
    server.AtDeath([weak = this->weak_from_this()] {
      if (auto pipe = weak.lock()) pipe->Cut();
    });
  }
  // False: it has ended.
  bool Push(Message message) {
    if (!open_) return false;
    if (environment_.dice.Chance(environment_.weather.stream_cut)) {
      Cut();
      return false;
    }
    queue_.push_back(std::move(message));
    environment_.scheduler.After(environment_.Delay(),
                                 [self = this->shared_from_this()] { self->DeliverOne(); });
    return true;
  }
  // After what was pushed.
  void End(Status status) {
    if (!open_) return;
    last_words_ = std::move(status);
    environment_.scheduler.After(environment_.Delay(),
                                 [self = this->shared_from_this()] { self->DeliverEnd(); });
    Close();
  }
  // Once, when the stream ends for whatever reason; at once if it has.
  void OnEnd(std::function<void()> fn) {
    if (!open_) return fn();
    on_server_end_ = std::move(fn);
  }

  // ---- the network, or the client going away ----

  // What is under way is lost.
  void Cut() {
    if (cut_ || told_) return;
    cut_ = true;
    queue_.clear();
    environment_.scheduler.After(environment_.Delay(), [self = this->shared_from_this()] {
      self->TellEnd(ConnectionLost());
    });
    Close();
  }

 private:
  void Close() {
    open_ = false;
    if (on_server_end_) std::exchange(on_server_end_, nullptr)();
  }
  void DeliverOne() {
    if (cut_ || queue_.empty()) return;
    const Message message = std::move(queue_.front());
    queue_.pop_front();
    if (environment_.sabotage == Sabotage::kLossyWatch && environment_.dice.Chance(kAlways / 50)) {
      return;
    }
    if (*pulse_) client_.on_message(message);
  }
  void DeliverEnd() {
    while (!cut_ && !queue_.empty()) DeliverOne();
    if (!cut_) TellEnd(*last_words_);
  }
  void TellEnd(const Status& status) {
    if (told_) return;
    told_ = true;
    if (*pulse_) client_.on_end(status);
  }

  Environment& environment_;
  const std::shared_ptr<const bool> pulse_;  // the reader's
  const Client client_;
  bool open_ = true;   // for the server
  bool cut_ = false;   // for the network
  bool told_ = false;  // the client knows of the end
  std::deque<Message> queue_;
  std::optional<Status> last_words_;
  std::function<void()> on_server_end_;
};

}  // namespace komadai::simulation
