#include "collector/decode/payload_texts.h"

#include <iterator>
#include <utility>

namespace lapscope::decode {

void PayloadTexts::add(std::int64_t global_tid, std::int64_t begin, std::int64_t end,
                       std::string json) {
  auto& texts = by_thread_[global_tid];
  if (texts.size() == most) {
    texts.erase(texts.begin());
    --waiting_;
    ++dropped_;
  }
  const bool is_new = texts.try_emplace(begin, Text{end, std::move(json)}).second;
  ++(is_new ? waiting_ : dropped_);
}

std::string PayloadTexts::take(std::int64_t global_tid, std::int64_t time) {
  const auto thread = by_thread_.find(global_tid);
  if (thread == by_thread_.end()) return {};
  auto& texts = thread->second;
  const auto later = texts.upper_bound(time);
  if (later == texts.begin()) return {};
  const auto own = std::prev(later);
  if (own->second.end < time) return {};
  // `time` is within two calls of the thread, because a signal handler made a call in the middle of
  // another call. It is unknown to which of these two calls the record belongs.
  if (own != texts.begin() && std::prev(own)->second.end >= time) return {};
  std::string json = std::move(own->second.json);
  texts.erase(own);
  --waiting_;
  return json;
}

}  // namespace lapscope::decode
