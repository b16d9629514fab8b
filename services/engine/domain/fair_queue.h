// FairQueue: bounded waiting room that serves callers in turn, so that one caller with many
// requests does not keep the others waiting.
//
// Two classes: everything urgent (a move of the computer in a game) goes before everything patient
// (what players ask for themselves).
// Within a class callers take turns; one caller's items keep their order. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <utility>

namespace komadai::engine {

enum class Urgency { kUrgent, kPatient };

template <typename T>
class FairQueue {
 public:
  explicit FairQueue(std::size_t capacity) : capacity_(capacity) {}

  std::size_t size() const { return size_; }

  // Gives the item back when there is no room for it.
  std::optional<T> Push(const std::string& caller, Urgency urgency, T item) {
    if (size_ >= capacity_) return item;
    std::list<Turn>& turns = turns_[static_cast<int>(urgency)];
    for (Turn& turn : turns) {
      if (turn.caller == caller) {
        turn.items.push_back(std::move(item));
        ++size_;
        return std::nullopt;
      }
    }
    turns.push_back({caller, {}});
    turns.back().items.push_back(std::move(item));
    ++size_;
    return std::nullopt;
  }

  // The next item that `accept` agrees to. Skipped items keep their place.
  std::optional<T> PopIf(const std::function<bool(const T&)>& accept) {
    for (std::list<Turn>& turns : turns_) {
      for (auto turn = turns.begin(); turn != turns.end(); ++turn) {
        if (!accept(turn->items.front())) continue;
        T item = std::move(turn->items.front());
        turn->items.pop_front();
        --size_;
        if (turn->items.empty()) {
          turns.erase(turn);
        } else {
          turns.splice(turns.end(), turns, turn);  // this caller had its turn
        }
        return item;
      }
    }
    return std::nullopt;
  }

  // Takes out the first item that matches, wherever it waits.
  std::optional<T> Remove(const std::function<bool(const T&)>& matches) {
    for (std::list<Turn>& turns : turns_) {
      for (auto turn = turns.begin(); turn != turns.end(); ++turn) {
        for (auto item = turn->items.begin(); item != turn->items.end(); ++item) {
          if (!matches(*item)) continue;
          T taken = std::move(*item);
          turn->items.erase(item);
          --size_;
          if (turn->items.empty()) turns.erase(turn);
          return taken;
        }
      }
    }
    return std::nullopt;
  }

 private:
  struct Turn {
    std::string caller;
    std::deque<T> items;
  };

  const std::size_t capacity_;
  std::size_t size_ = 0;
  std::list<Turn> turns_[2];
};

}  // namespace komadai::engine
