#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "collector/schema/tables/host_rows.h"

namespace lapscope::decode {

struct DecodeContext;

// Matches the start record and the end record of each NVTX range by their marker id. Records of
// different threads come in different buffers, so the end of a range can arrive before its start.
class NvtxRanges {
 public:
  struct End {
    std::int64_t time;
    std::int64_t global_tid;
  };

  struct Closed {
    schema::NvtxRow row;
    std::optional<std::int64_t> written_open;  // rowid of the row written while it was open
  };

  // start() adds the start record of a range, and end() its end record. The later of the two calls
  // returns the whole range, and the earlier one returns nothing.
  std::optional<Closed> start(schema::NvtxRow range);
  std::optional<Closed> end(std::int64_t marker_id, End end);

  // Calls write(row) for every open range that has not been written. So the trace has the open
  // ranges even if the program is killed. write() returns the rowid, or nothing if it has not
  // written the row.
  template <class Write>
  void write_open(Write&& write) {
    for (auto& [id, open] : open_) {
      if (!open.written_open) open.written_open = write(open.row);
    }
  }

  // Returns the number of ends without a start. Their ranges were opened before the recording
  // began.
  std::size_t unmatched_ends() const { return early_ends_.size(); }

  // Returns the id of a domain by its name; 0 for the default domain (""). Sets `is_new` if this is
  // the first call with the name.
  std::int64_t domain(const std::string& name, bool& is_new);

 private:
  std::unordered_map<std::int64_t, Closed> open_;
  std::unordered_map<std::int64_t, End> early_ends_;
  std::unordered_map<std::string, std::int64_t> domains_;
};

// Returns the id of an NVTX domain; 0 for the default domain (""). The first call for a domain
// writes the domain's row. `time` is the start in this row, in session ns.
std::int64_t nvtx_domain_id(const std::string& name, std::int64_t time, DecodeContext& context);

// Stores the name and the payload of a range or mark in its row, if the row does not have them yet.
// Call it only if the range or mark belongs in the trace.
void store_texts(schema::NvtxRow& row, DecodeContext& context);

// Writes a complete range, if it overlaps the captured interval. Removes the row that was written
// while the range was open.
void write_range(NvtxRanges::Closed range, DecodeContext& context);

}  // namespace lapscope::decode
