#include "readers/kineto/events.h"

#include <algorithm>
#include <utility>

#include "readers/kineto/decimal.h"

namespace lapscope::kineto {
namespace {

constexpr std::size_t most_devices = 256;

struct NamedArg {
  std::string_view key;
  Arg arg;
};
constexpr NamedArg named_args[] = {{"bytes", Arg::bytes},
                                   {"cbid", Arg::cbid},
                                   {"channel", Arg::channel},
                                   {"channel_type", Arg::channel_type},
                                   {"context", Arg::context},
                                   {"correlation", Arg::correlation},
                                   {"device", Arg::device},
                                   {"event_id", Arg::event_id},
                                   {"Fwd thread id", Arg::forward_thread},
                                   {"fromDevice", Arg::from_device},
                                   {"graph id", Arg::graph_id},
                                   {"graph node id", Arg::graph_node_id},
                                   {"inContext", Arg::in_context},
                                   {"inDevice", Arg::in_device},
                                   {"registers per thread", Arg::registers},
                                   {"Sequence number", Arg::sequence},
                                   {"shared memory", Arg::shared_memory},
                                   {"stream", Arg::stream},
                                   {"toDevice", Arg::to_device},
                                   {"wait_on_cuda_event_id", Arg::wait_on_event},
                                   {"wait_on_cuda_event_record_corr_id", Arg::wait_on_record},
                                   {"wait_on_stream", Arg::wait_on_stream}};

using Number = std::optional<std::int64_t>;
struct NamedProperty {
  std::string_view key;
  Number DeviceProperties::*member;
};
constexpr NamedProperty named_properties[] = {
    {"id", &DeviceProperties::id},
    {"totalGlobalMem", &DeviceProperties::memory},
    {"computeMajor", &DeviceProperties::major},
    {"computeMinor", &DeviceProperties::minor},
    {"numSms", &DeviceProperties::multiprocessors},
    {"warpSize", &DeviceProperties::threads_per_warp},
    {"maxThreadsPerBlock", &DeviceProperties::threads_per_block},
    {"maxThreadsPerMultiprocessor", &DeviceProperties::threads_per_multiprocessor},
    {"regsPerBlock", &DeviceProperties::registers_per_block},
    {"regsPerMultiprocessor", &DeviceProperties::registers_per_multiprocessor},
    {"sharedMemPerBlock", &DeviceProperties::shared_memory_per_block},
    {"sharedMemPerMultiprocessor", &DeviceProperties::shared_memory_per_multiprocessor},
    {"maxSharedMemoryPerMultiProcessor", &DeviceProperties::shared_memory_per_multiprocessor}};

}  // namespace

void Event::clear() {
  for (std::string* text : {&phase, &category, &name, &thread, &label, &sync_kind}) text->clear();
  start.reset();
  duration.reset();
  pid.reset();
  tid.reset();
  args.fill(std::nullopt);
  is_too_large.fill(false);
}

void EventReader::begin(bool is_array) {
  Level& around = levels_.back();
  Place place = Place::elsewhere;
  switch (around.place) {
    case Place::outside:
      header_.is_object = !is_array;
      if (!is_array) place = Place::header;
      break;
    case Place::header:
      if (around.key == "traceEvents" && is_array) {
        place = Place::events;
        header_.has_events = true;
      } else if (around.key == "deviceProperties" && is_array) {
        place = Place::devices;
        header_.is_kineto = true;
      } else if (around.key == "distributedInfo" && !is_array) {
        place = Place::distributed;
        header_.is_kineto = true;
      }
      break;
    case Place::events:
      if (!is_array) {
        place = Place::event;
        event_.clear();
      }
      break;
    case Place::event:
      if (around.key == "args" && !is_array) place = Place::args;
      break;
    case Place::args:
      if (is_array && (around.key == "grid" || around.key == "block")) place = Place::sizes;
      break;
    case Place::devices:
      if (!is_array && header_.devices.size() < most_devices) {
        place = Place::device;
        header_.devices.emplace_back();
      }
      break;
    default:
      break;
  }
  levels_.push_back({place, place == Place::sizes ? around.key : std::string(), 0});
}

void EventReader::end() {
  const Place ended = levels_.back().place;
  levels_.pop_back();
  if (ended == Place::event) taker_.take(event_);
}

void EventReader::key(std::string_view name) {
  Level& level = levels_.back();
  if (level.place != Place::elsewhere) level.key = name;
}

void EventReader::text(std::string_view text) { value(text, true); }
void EventReader::number(std::string_view text) { value(text, false); }

void EventReader::value(std::string_view value, bool is_text) {
  Level& level = levels_.back();
  switch (level.place) {
    case Place::header:
      header_value(value, is_text);
      break;
    case Place::event:
      event_value(value, is_text);
      break;
    case Place::args:
      arg_value(value, is_text);
      break;
    case Place::sizes:
      if (level.index < 3) {
        const auto first =
            static_cast<std::size_t>(level.key == "grid" ? Arg::grid_x : Arg::block_x);
        set(static_cast<Arg>(first + level.index), value);
      }
      ++level.index;
      break;
    case Place::device:
      device_value(value, is_text);
      break;
    case Place::distributed:
      if (level.key == "rank") header_.rank = value;
      if (level.key == "world_size") header_.world_size = value;
      break;
    default:
      break;
  }
}

void EventReader::header_value(std::string_view value, bool) {
  const std::string_view key = levels_.back().key;
  if (key == "schemaVersion") {
    header_.schema_version = value;
    header_.is_kineto = true;
  } else if (key == "baseTimeNanoseconds") {
    header_.base_ns = integer(value);
  } else if (key == "trace_id") {
    header_.trace_id = value;
  } else if (key == "host_name") {
    header_.host = value;
  } else if (key == "cupti_version") {
    header_.cupti_version = value;
  }
}

void EventReader::event_value(std::string_view value, bool is_text) {
  const std::string_view key = levels_.back().key;
  if (key == "name") {
    event_.name = value;
  } else if (key == "ts") {
    event_.start = scaled(value, 3);
  } else if (key == "dur") {
    event_.duration = scaled(value, 3);
  } else if (key == "ph") {
    event_.phase = value;
  } else if (key == "cat") {
    event_.category = value;
  } else if (key == "pid") {
    event_.pid = integer(value);
  } else if (key == "tid") {
    event_.tid = integer(value);
    if (is_text) event_.thread = value;
  }
}

void EventReader::arg_value(std::string_view value, bool is_text) {
  const std::string_view key = levels_.back().key;
  if (key == "cuda_sync_kind" && is_text) {
    event_.sync_kind = value;
  } else if (key == "name" && is_text) {
    event_.label = value;
  } else {
    for (const NamedArg& named : named_args) {
      if (named.key == key) set(named.arg, value);
    }
  }
}

void EventReader::device_value(std::string_view value, bool is_text) {
  const std::string_view key = levels_.back().key;
  DeviceProperties& device = header_.devices.back();
  if (key == "name" && is_text) device.name = value;
  for (const NamedProperty& named : named_properties) {
    if (named.key == key) device.*named.member = integer(value);
  }
}

void EventReader::set(Arg arg, std::string_view value) {
  const auto index = static_cast<std::size_t>(arg);
  event_.args[index] = integer(value);
  event_.is_too_large[index] = !event_.args[index];
}

}  // namespace lapscope::kineto
