#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace lapscope::cupti {

// A copy of one activity record, in the layout that lapscope knows. An older libcupti writes
// shorter records. The fields that a shorter record lacks are 0 in the copy. has() returns whether
// the record has a field.
template <class Record>
class RecordView {
 public:
  RecordView(const void* record, std::size_t size) : size_(size) {
    std::memcpy(&record_, record, std::min(size, sizeof(Record)));
  }

  const Record* operator->() const { return &record_; }

  template <class T>
  bool has(T Record::*member) const {
    const auto* field = reinterpret_cast<const std::byte*>(&(record_.*member));
    const auto offset =
        static_cast<std::size_t>(field - reinterpret_cast<const std::byte*>(&record_));
    return offset + sizeof(T) <= size_;
  }

 private:
  Record record_{};
  std::size_t size_;
};

}  // namespace lapscope::cupti
