#pragma once

#include <cstddef>
#include <deque>

#include "workloads/harness/handles.h"

namespace lapscope::workloads {

// A stream for each engine that tiles go through, and the events that keep the stages of a buffer
// in order. Where each buffer has a stream instead, the copy engines go from one stream to another
// after every copy: some 8 us on an H200, against 3 to 6 us within one stream.
//
// Per tile, in this order: begin, copy in, loaded, kernel, computed, copy out, drained.
class EngineStreams {
 public:
  static constexpr int count = 3;

  EngineStreams(int buffers, StreamKind kind)
      : copy_in_(kind),
        compute_(kind),
        copy_out_(kind),
        marks_(static_cast<std::size_t>(buffers)) {}

  cudaStream_t copy_in() const { return copy_in_.get(); }
  cudaStream_t compute() const { return compute_.get(); }
  cudaStream_t copy_out() const { return copy_out_.get(); }

  // The copy in waits until the last tile has left the buffer. The first time there is nothing to
  // wait for: an event that was never recorded holds nobody.
  void begin(std::size_t buffer) const { marks_[buffer].drained.hold(copy_in()); }
  void loaded(std::size_t buffer) { marks_[buffer].loaded.join(copy_in(), compute()); }
  void computed(std::size_t buffer) { marks_[buffer].computed.join(compute(), copy_out()); }
  void drained(std::size_t buffer) { marks_[buffer].drained.record(copy_out()); }

  // What follows in `stream` waits until the tile has left the buffer: after `drained`.
  void hold_until_drained(std::size_t buffer, cudaStream_t stream) const {
    marks_[buffer].drained.hold(stream);
  }

 private:
  struct Marks {
    OrderEvent loaded;
    OrderEvent computed;
    OrderEvent drained;
  };

  Stream copy_in_;
  Stream compute_;
  Stream copy_out_;
  std::deque<Marks> marks_;  // Per buffer.
};

}  // namespace lapscope::workloads
