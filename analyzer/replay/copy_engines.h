#pragma once

#include <array>
#include <deque>

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// The engines of one device that run one task at a time, and how the two directions between host
// and device slow each other down.
class CopyEngines {
 public:
  explicit CopyEngines(const EngineTraits& traits) : traits_(traits) {}

  bool is_exclusive(Engine engine) const { return traits_.exclusive[index(engine)]; }

  // Whether the task may go ahead; otherwise it waits.
  bool take(Engine engine, std::uint32_t task);
  // The next one that waits, which has the engine now; no_index when none does.
  std::uint32_t release(Engine engine);

  struct Finish {
    std::uint32_t task = no_index;
    std::int64_t time = 0;
    std::uint32_t version = 0;  // only the newest of a task counts
  };
  class Finishes {  // of an engine each at most
   public:
    void add(const Finish& finish) { all_[count_++] = finish; }
    std::size_t size() const { return count_; }
    const Finish& operator[](std::size_t index) const { return all_[index]; }
    const Finish* begin() const { return all_.data(); }
    const Finish* end() const { return all_.data() + count_; }

   private:
    std::array<Finish, all_engines.size()> all_;
    std::size_t count_ = 0;
  };
  // A task starts or has ended on its engine: what ends at another time than was known, the task
  // itself and what runs the other way.
  Finishes start(Engine engine, std::uint32_t task, std::int64_t work, std::int64_t now);
  Finishes end(Engine engine, std::int64_t now);
  bool is_current(Engine engine, std::uint32_t task, std::uint32_t version) const;

 private:
  static std::size_t index(Engine engine) { return static_cast<std::size_t>(engine); }
  struct Running {
    std::uint32_t task = no_index;
    double left = 0;  // ns of work at full rate
    std::int64_t since = 0;
    std::int64_t ends = 0;  // as known
    std::uint32_t version = 0;
  };
  double rate(Engine engine) const;
  void advance(std::int64_t now);
  Finishes finishes(std::int64_t now);

  EngineTraits traits_;
  std::array<bool, all_engines.size()> taken_{};
  std::array<std::deque<std::uint32_t>, all_engines.size()> waiting_;
  std::array<Running, all_engines.size()> running_;
};

}  // namespace lapscope::analyzer
