#include "collector/inject/kept_records.h"

#include <algorithm>
#include <utility>

namespace lapscope::inject {

void KeptRecords::add(Batch batch) {
  buffers_ += batch.buffers.size();
  events_ += batch.events.size();
  batch.begin = std::exchange(end_, batch.end);
  batches_.push_back(std::move(batch));
}

bool KeptRecords::has_old() const {
  if (batches_.empty()) return false;
  return batches_.front().end < end_ - length_ || buffers_ > most_buffers || events_ > most_events;
}

std::vector<KeptRecords::Batch> KeptRecords::take_old() {
  std::vector<Batch> old;
  while (has_old()) {
    old.push_back(std::move(batches_.front()));
    batches_.pop_front();
    buffers_ -= old.back().buffers.size();
    events_ -= old.back().events.size();
    gone_ = old.back().end;
  }
  return old;
}

std::deque<KeptRecords::Batch> KeptRecords::take_all() {
  buffers_ = events_ = 0;
  return std::exchange(batches_, {});
}

std::int64_t KeptRecords::begin() const { return std::max(end_ - length_, gone_); }

}  // namespace lapscope::inject
