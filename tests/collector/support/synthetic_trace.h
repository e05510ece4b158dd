#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "collector/decode/decoder.h"
#include "tests/catch.h"
#include "tests/collector/support/header_records.h"
#include "tests/collector/support/real_cupti.h"
#include "tests/collector/support/rows.h"

namespace lapscope::test {

// The session start of a synthetic trace in ns, and the id of its process.
inline constexpr std::int64_t session_start = 1'700'000'000'000'000'000;
inline constexpr std::uint32_t pid = 4711;

// Returns a session time as CUPTI would report it.
constexpr std::uint64_t cupti_time(std::int64_t session_ns) {
  return static_cast<std::uint64_t>(session_start + session_ns);
}

// An activity buffer with synthetic records, in the form in which CUPTI delivers it.
class ActivityBuffer {
 public:
  explicit ActivityBuffer(const cupti::CuptiApi& cupti) : cupti_(cupti) {}

  // Adds a record, in the size that this libcupti uses for the kind. It can be larger than the
  // header's struct.
  template <class Record>
  ActivityBuffer& add(const Record& record) {
    const auto kind = static_cast<CUpti_ActivityKind>(record.kind);
    const std::size_t room = cupti::probe_record_size(cupti_, kind);
    REQUIRE(room >= sizeof record);
    std::vector<std::uint64_t> words((room + 7) / 8);
    std::memcpy(words.data(), &record, sizeof record);
    words_.insert(words_.end(), words.begin(), words.end());
    return *this;
  }

  std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(words_.data()); }
  std::size_t size() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  const cupti::CuptiApi& cupti_;
  std::vector<std::uint64_t> words_;  // 8-aligned, as CUPTI requires
};

// A trace in memory, into which synthetic records are decoded with the real libcupti.
class SyntheticTrace {
 public:
  explicit SyntheticTrace(request::Capture capture = {})
      : writer_(schema::Database::in_memory()),
        decoder_(writer_, cupti_, pid, session_start, std::move(capture)) {}

  // Decodes the records as one buffer.
  template <class... Records>
  void decode(const Records&... records) {
    ActivityBuffer buffer(cupti_);
    (buffer.add(records), ...);
    decode(buffer);
  }
  void decode(ActivityBuffer& buffer) {
    decoder_.decode(buffer.data(), buffer.size());
    writer_.commit();
  }

  // Decodes events that callbacks reported.
  template <class... Events>
  void tell(const Events&... events) {
    decoder_.decode(std::vector<callbacks::Event>{events...});
    writer_.commit();
  }

  decode::Decoder& decoder() { return decoder_; }
  schema::Database& database() { return writer_.database(); }

  template <class Row>
  std::vector<Row> rows() {
    return all_rows<Row>(database());
  }
  // Returns the only row of a table.
  template <class Row>
  Row row() {
    const auto found = rows<Row>();
    REQUIRE(found.size() == 1);
    return found.front();
  }

  std::string text(std::optional<std::int64_t> id) {
    REQUIRE(id.has_value());
    return database()
        .query_text("SELECT value FROM StringIds WHERE id = " + std::to_string(*id))
        .value_or("no such string");
  }

  // Updates the counts. Returns the LAPSCOPE_RECORDS row of this kind.
  schema::RecordsRow counts(CUpti_ActivityKind kind) {
    decoder_.write_counts();
    for (const auto& row : rows<schema::RecordsRow>()) {
      if (row.kind == kind) return row;
    }
    FAIL("no counts of kind " << kind);
    return {};
  }
  // Returns the LAPSCOPE_LOSSES row of a code, or a row with the count 0.
  schema::LossRow loss(const std::string& code) {
    decoder_.write_counts();
    for (const auto& row : rows<schema::LossRow>()) {
      if (row.code == code) return row;
    }
    return {code, 0, std::nullopt};
  }

 private:
  const cupti::CuptiApi& cupti_ = real_cupti();
  trace::TraceWriter writer_;
  decode::Decoder decoder_;
};

}  // namespace lapscope::test
