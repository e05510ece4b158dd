#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "collector/schema/tables/host_rows.h"

namespace lapscope::decode {

struct DecodeContext;

// Pairs the two records of an NVTX range by their marker id. Records of different threads come in
// different buffers, so that the end of a range can arrive before its start.
class NvtxRanges {
 public:
  struct End {
    std::int64_t time;
    std::int64_t global_tid;
  };

  struct Closed {
    schema::NvtxRow row;
    std::optional<std::int64_t> written_open;  // rowid under which it was written while it was open
  };

  // Each returns the whole range once both records are known.
  std::optional<Closed> start(schema::NvtxRow range);
  std::optional<Closed> end(std::int64_t marker_id, End end);

  // Calls write(row) for every open range that has not been written, which returns the rowid, or
  // nothing when it did not: a program that is killed shall not lose the ranges that it was in.
  template <class Write>
  void write_open(Write&& write) {
    for (auto& [id, open] : open_) {
      if (!open.written_open) open.written_open = write(open.row);
    }
  }

  // Ends whose ranges were opened before the recording began.
  std::size_t unmatched_ends() const { return early_ends_.size(); }

  // The id of a domain by name; `is_new` at its first appearance. The default domain ("") is 0.
  std::int64_t domain(const std::string& name, bool& is_new);

 private:
  std::unordered_map<std::int64_t, Closed> open_;
  std::unordered_map<std::int64_t, End> early_ends_;
  std::unordered_map<std::string, std::int64_t> domains_;
};

// The id of an NVTX domain ("" is the default one, 0), whose row is written at its first
// appearance, at this session time in ns.
std::int64_t nvtx_domain_id(const std::string& name, std::int64_t time, DecodeContext& context);

// Gives a row the payload that its range or mark came with, unless it has one.
void add_payload(schema::NvtxRow& row, DecodeContext& context);

// Writes a range that is complete, in place of the row it had while it was open, if it overlaps the
// captured interval.
void write_range(NvtxRanges::Closed range, DecodeContext& context);

}  // namespace lapscope::decode
