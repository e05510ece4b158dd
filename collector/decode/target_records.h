#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collector/cupti/cupti_api.h"

namespace lapscope::decode {

// Stores the records of devices, links, contexts and streams, for every trace that a process
// writes. CUPTI delivers each of these records only once, when the object is made. An object can be
// made long before a capture. Only one thread may use this class.
class TargetRecords {
 public:
  // The maximum number of stored records. Without this limit, the records of a program that makes
  // streams without end would fill the memory.
  static constexpr std::size_t most = 65'536;

  // Copies the records of devices, links, contexts and streams from a buffer of CUPTI. Also takes
  // over the memory that these records own. Leaves all other records to the caller.
  void take(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti);

  struct Record {
    std::vector<std::uint64_t> bytes;  // aligned as in CUPTI's buffers
    std::size_t size = 0;              // of the record, in bytes
    const CUpti_Activity& activity() const {
      return *reinterpret_cast<const CUpti_Activity*>(bytes.data());
    }
  };
  // Returns whether the program has used a GPU, that is, made a context.
  bool has_context() const;
  std::span<const Record> all() const { return records_; }

 private:
  std::vector<Record> records_;
};

}  // namespace lapscope::decode
