// Cluster: the replicas of one service, which crash and come back with empty memories.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulation/process.h"

namespace komadai::simulation {

// `Node` has the method process(), and is destroyed after its process was killed.
template <typename Node>
class Cluster {
 public:
  using Make = std::function<std::unique_ptr<Node>(Process&)>;

  Cluster(Environment& environment, std::string name, std::size_t size, Make make)
      : environment_(environment), name_(std::move(name)), make_(std::move(make)), slots_(size) {}
  ~Cluster() { ShutDown(); }

  void Start() {
    for (std::size_t i = 0; i < slots_.size(); ++i) Start(i);
  }
  void ShutDown() {
    for (Slot& slot : slots_) {
      if (slot.process) slot.process->Kill();
      slot.node.reset();
      slot.process.reset();
    }
  }

  std::size_t size() const { return slots_.size(); }
  // Null while it is down.
  Node* Up(std::size_t index) { return slots_[index].node.get(); }
  std::string NameOf(std::size_t index) const { return name_ + std::to_string(index + 1); }
  int crashes() const { return crashes_; }

 private:
  struct Slot {
    std::unique_ptr<Process> process;
    std::unique_ptr<Node> node;
  };

  void Start(std::size_t index) {
    Slot& slot = slots_[index];
    slot.process =
        std::make_unique<Process>(environment_, NameOf(index), [this, index] { Crash(index); });
    slot.node = make_(*slot.process);
  }

  void Crash(std::size_t index) {
    Slot& slot = slots_[index];
    const Millis down = environment_.dice.Chance(kAlways / 2)
                            ? environment_.dice.MillisBetween(0, 50)
                            : environment_.dice.MillisBetween(50, 1500);
    environment_.Say(slot.process->name(),
                     [&] { return "CRASHES, back in " + std::to_string(down.count()) + " ms"; });
    ++crashes_;
    slot.process->Kill();
    slot.node.reset();
    slot.process.reset();
    environment_.scheduler.After(down, [this, index] {
      environment_.Say(NameOf(index), [] { return std::string("starts"); });
      Start(index);
    });
  }

  Environment& environment_;
  const std::string name_;
  const Make make_;
  std::vector<Slot> slots_;
  int crashes_ = 0;
};

}  // namespace komadai::simulation
