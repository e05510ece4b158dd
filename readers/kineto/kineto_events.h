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

// What a trace of PyTorch's profiler (Kineto) is made of, in any release.
namespace lapscope::kineto {

// Integers among the arguments of an event.
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

// One event of the timeline. Texts are empty where there are none.
struct Event {
  std::string phase;
  std::string category;
  std::string name;
  std::string thread;  // tid, where it is a text: "stream 7"
  std::string label;   // args.name, of metadata
  std::string sync_kind;
  std::optional<analyzer::Ns> start;  // since baseTimeNanoseconds
  std::optional<analyzer::Ns> duration;
  std::optional<std::int64_t> pid;
  std::optional<std::int64_t> tid;
  std::array<std::optional<std::int64_t>, arg_count> args;
  // Arguments that are there and no integer of 64 bits: not known, which is not the same as absent.
  std::array<bool, arg_count> is_too_large;

  std::optional<std::int64_t> operator[](Arg arg) const {
    return args[static_cast<std::size_t>(arg)];
  }
  void clear();
};

struct DeviceProperties {
  std::optional<std::int64_t> id;
  std::optional<std::int64_t> threads_per_multiprocessor;
  schema::GpuRow row;  // what else is recorded
};

// What stands beside the timeline. Numbers of facts are texts, as they are written.
struct Header {
  bool is_object = false;
  bool has_events = false;
  bool is_kineto = false;  // something that only Kineto writes
  std::optional<analyzer::Ns> base_ns;
  std::string schema_version;
  std::string trace_id;
  std::string host;
  std::string cupti_version;
  std::string rank;
  std::string world_size;
  std::vector<DeviceProperties> devices;
};

// Makes events of what a JSON text is made of.
class EventReader : public JsonListener {
 public:
  class Taker {
   public:
    virtual ~Taker() = default;
    // The event is used again for the next.
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
    std::string key;        // of the value that is read
    std::size_t index = 0;  // of the next value of an array
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
