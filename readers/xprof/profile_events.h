#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/intervals/units.h"
#include "collector/schema/tables/target_rows.h"

// What a profile of XProf is made of, in whichever of its two forms: XSpace (*.xplane.pb) or JSON
// (*.trace.json.gz). A plane is a GPU or the host, a line of it a stream or a thread.
namespace lapscope::xprof {

struct Line {
  std::string_view plane;  // "/device:GPU:0"
  std::string_view name;   // "Stream #14(Compute)"
  std::int64_t id = 0;     // of a thread or stream
};

// One event of a line. Texts are valid during the call that hands it on, and empty where there are
// none; times are ns of the session.
struct Event {
  std::string_view name;
  std::optional<analyzer::Ns> start;
  std::optional<analyzer::Ns> end;
  std::optional<std::int64_t> correlation;
  std::optional<std::int64_t> context;
  std::optional<std::int64_t> graph;
  std::optional<std::int64_t> graph_node;
  std::optional<std::int64_t> step;
  std::string_view kernel;  // kernel_details
  std::string_view copy;    // memcpy_details
  std::string_view memset;  // Memset_details
  bool is_allocation = false;
};

// What stands beside the events, as far as the form has it.
struct Session {
  std::string host;
  std::optional<analyzer::Ns> start_utc;  // ns since 1970
  std::string dropped;                    // what XProf reports about events that it has not kept
  std::string error;                      // what it says has failed
  bool has_rest = false;                  // something stands behind the end of the JSON
};

class Taker {
 public:
  virtual ~Taker() = default;
  // A GPU with what is known of it; isDiscrete and the like stay unknown. AMD's are known by their
  // vendor in XSpace alone.
  virtual void gpu(std::int64_t device, const schema::GpuRow& row, bool is_amd) = 0;
  // All events up to the next call belong to this line.
  virtual void line(const Line& line) = 0;
  virtual void event(const Event& event) = 0;
};

// Instants are written in ps. CUPTI's instants are whole ns; others are rounded.
analyzer::Ns nearest_ns(std::int64_t ps);

// The number of "/device:GPU:0"; nothing for other planes.
std::optional<std::int64_t> gpu_of_plane(std::string_view plane);

// The number of "Stream #14(Compute)"; nothing for lines that are no stream of CUDA: those that
// XProf derives from others ("XLA Ops"), and what it makes up for managed memory.
std::optional<std::int64_t> stream_of_line(std::string_view line);

// Stores what XProf calls a stat. For numbers the text is given as well.
void set_stat(std::string_view stat, std::string_view text, Event& event);

}  // namespace lapscope::xprof
