// SharedLog: a list that grows at its end and is cheap to copy: copies share their elements.
//
// A game is copied with every move; with its moves in a vector that would cost more the longer it
// lasts. Whoever is first to append to a shared list does so in place, behind what the other copies
// see; everybody else gets elements of their own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "libs/base/check.h"

namespace komadai::game {

// A value: different copies may be used in different threads at once. T is default-constructible.
template <typename T>
class SharedLog {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t i) const { return block_->items[i]; }
  const T& back() const { return (*this)[size_ - 1]; }
  const T* begin() const { return block_ ? block_->items.get() : nullptr; }
  const T* end() const { return begin() + size_; }

  void push_back(T value) {
    if (!block_ || size_ == block_->capacity || !Claim()) Separate();
    block_->items[size_++] = std::move(value);
  }
  // Forgets all but the first `size`.
  void Shorten(std::size_t size) {
    KOMADAI_CHECK(size <= size_);
    size_ = size;
  }

 private:
  static constexpr std::size_t kFirstCapacity = 8;

  struct Block {
    explicit Block(std::size_t places) : capacity(places), items(new T[places]) {}
    const std::size_t capacity;
    const std::unique_ptr<T[]> items;
    std::atomic<std::size_t> used{0};  // places that some copy sees
  };

  // Takes the place behind the last element, unless another copy has it.
  bool Claim() {
    std::size_t expected = size_;
    return block_->used.compare_exchange_strong(expected, size_ + 1, std::memory_order_acq_rel);
  }
  // Own elements, with room for one more, which is claimed.
  void Separate() {
    auto own = std::make_shared<Block>(std::max(kFirstCapacity, 2 * size_));
    std::copy(begin(), end(), own->items.get());
    own->used.store(size_ + 1, std::memory_order_release);
    block_ = std::move(own);
  }

  std::shared_ptr<Block> block_;
  std::size_t size_ = 0;
};

}  // namespace komadai::game
