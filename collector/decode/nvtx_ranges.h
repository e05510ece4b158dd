#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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

  // Calls write(row) for every open range that has not been written, so that the trace has the open
  // ranges even if the program is killed. write() must return the rowid, or nothing if it did not
  // write the row.
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

// Keeps the payloads of NVTX ranges and marks until their records come. Each payload was passed to
// CUPTI by a call, whose begin and end times are known. The payload belongs to the record that has
// the same thread and a time between the begin and the end of this call. A record outside all calls
// gets no payload. A record within several calls, of which one interrupted the other, gets none
// either.
//
//   thread     ...[ begin   record   end ]...    usually, a thread is in one call at a time
class PayloadTexts {
 public:
  // The greatest number of payloads of a thread. If there are more, the oldest ones are dropped.
  static constexpr std::size_t most = 65'536;

  // Adds a payload of a thread. The call into CUPTI lasted from `begin` to `end`, in session ns.
  void add(std::int64_t global_tid, std::int64_t begin, std::int64_t end, std::string json);
  // Removes and returns the payload of a thread's range or mark that began at `time`, in session
  // ns. Empty if there is none.
  std::string take(std::int64_t global_tid, std::int64_t time);

  // Returns the number of payloads that were dropped, or that no record has used so far.
  std::int64_t unused() const { return dropped_ + waiting_; }

 private:
  struct Text {
    std::int64_t end;
    std::string json;
  };

  std::map<std::int64_t, std::map<std::int64_t, Text>> by_thread_;  // by thread, then by begin
  std::int64_t waiting_ = 0;
  std::int64_t dropped_ = 0;
};

}  // namespace lapscope::decode
