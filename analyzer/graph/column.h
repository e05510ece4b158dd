#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

namespace lapscope::analyzer {

// A copy-on-write vector. Copies share the values until one of them is edited. So a graph with a
// fix needs little memory, because a fix edits only a few columns. Several threads may use
// different copies at once, but not the same copy.
template <class T>
class Column {
 public:
  using value_type = T;
  using const_iterator = typename std::vector<T>::const_iterator;

  Column() = default;
  Column(std::vector<T> values) : block_(new Block{{1}, std::move(values)}) {}
  Column(const Column& other) : block_(other.block_) {
    if (block_) block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Column(Column&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Column& operator=(Column other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Column() { release(); }

  const std::vector<T>& values() const { return block_ ? block_->values : none(); }
  std::size_t size() const { return values().size(); }
  bool empty() const { return values().empty(); }
  const T& operator[](std::size_t index) const { return block_->values[index]; }
  const T& back() const { return block_->values.back(); }
  const_iterator begin() const { return values().begin(); }
  const_iterator end() const { return values().end(); }

  // Whether both share one block of values. Columns with separate blocks may have equal values.
  bool is_shared_with(const Column& other) const { return block_ == other.block_; }
  friend bool operator==(const Column& a, const Column& b) {
    return a.is_shared_with(b) || a.values() == b.values();
  }

  // Returns the values for writing. If another column shares the values, copies them first. After
  // such a copy, references from earlier calls of edit() still refer to the shared values.
  std::vector<T>& edit() {
    if (!block_) {
      block_ = new Block{{1}, {}};
    } else if (block_->owners.load(std::memory_order_acquire) != 1) {
      Block* const own = new Block{{1}, block_->values};
      release();
      block_ = own;
    }
    return block_->values;
  }

 private:
  struct Block {
    std::atomic<std::size_t> owners;
    std::vector<T> values;
  };
  static const std::vector<T>& none() {
    static const std::vector<T> empty;
    return empty;
  }
  void release() {
    if (block_ && block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete block_;
  }

  Block* block_ = nullptr;
};

}  // namespace lapscope::analyzer
