#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/units.h"
#include "collector/schema/tables/target_rows.h"
#include "readers/kineto/json.h"

// The contents of a trace of PyTorch's profiler (Kineto), for all releases of Kineto.
namespace lapscope::kineto {

// The integer arguments that lapscope reads from an event.
enum class Arg : std::uint8_t {
  bytes,
  cbid,
  channel,
  channel_type,
  context,
  correlation,
  device,
  event_id,
  forward_thread,
  from_device,
  graph_id,
  graph_node_id,
  in_context,
  in_device,
  registers,
  sequence,
  shared_memory,
  stream,
  to_device,
  wait_on_event,
  wait_on_record,
  wait_on_stream,
  grid_x,
  grid_y,
  grid_z,
  block_x,
  block_y,
  block_z,
};
inline constexpr std::size_t arg_count = static_cast<std::size_t>(Arg::block_z) + 1;

// One event of the timeline. A string is empty if the event does not have it.
struct Event {
  std::string phase;
  std::string category;
  std::string name;
  std::string thread;  // tid, if it is a string: "stream 7"
  std::string label;   // args.name of a metadata event
  std::string sync_kind;
  std::optional<analyzer::Ns> start;  // since baseTimeNanoseconds
  std::optional<analyzer::Ns> duration;
  std::optional<std::int64_t> pid;
  std::optional<std::int64_t> tid;
  std::array<std::optional<std::int64_t>, arg_count> args;
  // True for each argument that is present but is not a 64-bit integer. The event then has the
  // argument, but `args` has no value for it.
  std::array<bool, arg_count> is_too_large;

  std::optional<std::int64_t> operator[](Arg arg) const {
    return args[static_cast<std::size_t>(arg)];
  }
  void clear();
};

struct DeviceProperties {
  std::optional<std::int64_t> id;
  std::optional<std::int64_t> threads_per_multiprocessor;
  schema::GpuRow row;  // the other properties
};

// The contents of the file outside the timeline. If the file has a number where this struct has a
// string, the string is the number as written.
struct Header {
  bool is_object = false;
  bool has_events = false;
  bool is_kineto = false;  // the file has a key that only Kineto writes
  std::optional<analyzer::Ns> base_ns;
  std::string schema_version;
  std::string trace_id;
  std::string host;
  std::string cupti_version;
  std::string rank;
  std::string world_size;
  std::vector<DeviceProperties> devices;
};

// Builds events from the parts of a JSON text.
class EventReader : public JsonListener {
 public:
  class Taker {
   public:
    virtual ~Taker() = default;
    // `event` is reused for the next event.
    virtual void take(const Event& event) = 0;
  };
  explicit EventReader(Taker& taker) : taker_(taker) {}

  const Header& header() const { return header_; }

  void begin(bool is_array) override;
  void end() override;
  void key(std::string_view name) override;
  void text(std::string_view value) override;
  void number(std::string_view value) override;
  void other() override {}

 private:
  enum class Place : std::uint8_t {
    outside,
    header,
    events,  // the array
    event,
    args,
    sizes,  // grid or block
    devices,
    device,
    distributed,
    elsewhere,
  };
  struct Level {
    Place place = Place::elsewhere;
    std::string key;        // key of the value being read
    std::size_t index = 0;  // index of the next array element
  };

  void header_value(std::string_view value);
  void event_value(std::string_view value, bool is_text);
  void arg_value(std::string_view value, bool is_text);
  void device_value(std::string_view value, bool is_text);
  void value(std::string_view value, bool is_text);
  void set(Arg arg, std::string_view value);

  Taker& taker_;
  Header header_;
  Event event_;
  std::vector<Level> levels_{{Place::outside, {}, 0}};
};

}  // namespace lapscope::kineto
