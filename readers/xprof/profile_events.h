#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/intervals/units.h"
#include "collector/schema/tables/target_rows.h"

// The contents of an XProf profile: XSpace (*.xplane.pb) or JSON (*.trace.json.gz). A plane is a
// GPU or the host. A line is a stream of the GPU or a thread of the host.
namespace lapscope::xprof {

// kernel_shape(), transfer(), copy_kind(), function_of_call() and python_function() parse XProf's
// texts about an event, and convert them to the codes of a trace. A member has no value if the text
// does not contain it.
struct KernelShape {
  std::optional<std::int64_t> registers, static_shared, dynamic_shared;
  std::optional<std::int64_t> grid[3];
  std::optional<std::int64_t> block[3];
};
// Parses a text such as "regs:32 static_shared:0 dynamic_shared:1024 grid:64,2,1 block:128,1,1
// occ_pct:100".
KernelShape kernel_shape(std::string_view details);

struct Transfer {
  std::optional<std::int64_t> bytes;
  std::optional<std::int64_t> target_device;
  std::optional<std::int64_t> source_kind, target_kind;  // ENUM_CUDA_MEM_KIND
  std::optional<bool> is_async;
};
// Parses the text about a copy or a memset: "kind_src:pageable kind_dst:device size:4096 dest:0
// async:1" or "kind:device num_bytes:4096 async:1".
Transfer transfer(std::string_view details);

// Returns ENUM_CUDA_MEMCPY_OPER for a name such as "MemcpyH2D".
std::int64_t copy_kind(std::string_view name);

// Returns the CUDA function of a call. XProf names a call by its effect: "MemcpyH2D", or the kernel
// that it launches. For copies, this is a driver function, because XProf records only driver calls.
std::string function_of_call(std::string_view name, const Transfer& transfer);

// Converts "$train.py:12 step" to the form of PyTorch's profiler, "train.py(12): step". If there is
// no file, returns the text after "$".
std::string python_function(std::string_view name);

struct Line {
  std::string_view plane;  // "/device:GPU:0"
  std::string_view name;   // "Stream #14(Compute)"
  std::int64_t id = 0;     // id of the thread or stream
};

// One event of a line. Each string_view is valid only during the call that passes the event. It is
// empty if the event does not have the text. Times are ns of the session.
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

// The contents of a profile apart from its events. The JSON form lacks some of these members.
struct Session {
  std::string host;
  std::optional<analyzer::Ns> start_utc;  // ns since 1970
  std::string dropped;                    // XProf's message about dropped events
  std::string error;                      // XProf's message about an error
  bool has_rest = false;                  // JSON only: data follows the end of the JSON
};

class Taker {
 public:
  virtual ~Taker() = default;
  // Passes a GPU with the properties that XProf writes; isDiscrete, for example, is unknown.
  // `is_amd` follows from the vendor, which only XSpace names.
  virtual void gpu(std::int64_t device, const schema::GpuRow& row, bool is_amd) = 0;
  // All following events belong to this line, until the next call of line().
  virtual void line(const Line& line) = 0;
  virtual void event(const Event& event) = 0;
};

// Converts ps, XProf's unit, to ns. Times from CUPTI are whole ns; others are rounded.
analyzer::Ns nearest_ns(std::int64_t ps);

// Returns 0 for "/device:GPU:0"; nothing for planes that are not a GPU.
std::optional<std::int64_t> gpu_of_plane(std::string_view plane);

// Returns 14 for "Stream #14(Compute)". Returns nothing for lines that XProf derives ("XLA Ops"),
// and for its artificial lines for managed memory.
std::optional<std::int64_t> stream_of_line(std::string_view line);

// Stores an XProf stat in the event. If the stat is a number, `text` holds its digits.
void set_stat(std::string_view stat, std::string_view text, Event& event);

}  // namespace lapscope::xprof
