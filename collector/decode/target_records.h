#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collector/cupti/cupti_api.h"

namespace lapscope::decode {

// The records that describe devices, links, contexts and streams, kept for every trace that a
// process will write: CUPTI delivers each once, when the thing is made, which may be long before a
// capture. For one thread.
class TargetRecords {
 public:
  // A program that makes streams without end must not fill the memory; later ones are not kept.
  static constexpr std::size_t most = 65'536;

  // Copies those records from a buffer of CUPTI's, and from then on owns what they own. Takes
  // nothing of the other records.
  void take(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti);

  struct Record {
    std::vector<std::uint64_t> bytes;  // aligned as in CUPTI's buffers
    std::size_t size = 0;              // of the record, in bytes
    const CUpti_Activity& activity() const {
      return *reinterpret_cast<const CUpti_Activity*>(bytes.data());
    }
  };
  // Whether the program has used a GPU.
  bool has_context() const;
  // In the order in which they came.
  std::span<const Record> all() const { return records_; }

 private:
  std::vector<Record> records_;
};

}  // namespace lapscope::decode
