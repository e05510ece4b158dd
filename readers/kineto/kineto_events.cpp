#include "readers/kineto/kineto_events.h"

#include "readers/kineto/decimal.h"
#include "readers/kineto/name_table.h"

namespace lapscope::kineto {
namespace {

constexpr std::size_t most_devices = 256;

constexpr Named<Arg> named_args[] = {{"bytes", Arg::bytes},
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
using schema::GpuRow;
constexpr Named<Number GpuRow::*> named_properties[] = {
    {"totalGlobalMem", &GpuRow::totalMemory},
    {"computeMajor", &GpuRow::computeMajor},
    {"computeMinor", &GpuRow::computeMinor},
    {"numSms", &GpuRow::smCount},
    {"warpSize", &GpuRow::threadsPerWarp},
    {"maxThreadsPerBlock", &GpuRow::maxThreadsPerBlock},
    {"regsPerBlock", &GpuRow::maxRegistersPerBlock},
    {"regsPerMultiprocessor", &GpuRow::maxRegistersPerSm},
    {"sharedMemPerBlock", &GpuRow::maxShmemPerBlock},
    {"sharedMemPerMultiprocessor", &GpuRow::maxShmemPerSm},
    {"maxSharedMemoryPerMultiProcessor", &GpuRow::maxShmemPerSm}};

constexpr Named<std::string Header::*> named_texts[] = {{"schemaVersion", &Header::schema_version},
                                                        {"trace_id", &Header::trace_id},
                                                        {"host_name", &Header::host},
                                                        {"cupti_version", &Header::cupti_version}};

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
      return header_value(value);
    case Place::event:
      return event_value(value, is_text);
    case Place::args:
      return arg_value(value, is_text);
    case Place::device:
      return device_value(value, is_text);
    case Place::sizes: {
      const auto first = static_cast<std::size_t>(level.key == "grid" ? Arg::grid_x : Arg::block_x);
      if (level.index < 3) set(static_cast<Arg>(first + level.index), value);
      ++level.index;
      return;
    }
    case Place::distributed:
      if (level.key == "rank") header_.rank = value;
      if (level.key == "world_size") header_.world_size = value;
      return;
    default:
      return;
  }
}

void EventReader::header_value(std::string_view value) {
  const std::string_view key = levels_.back().key;
  header_.is_kineto |= key == "schemaVersion";
  if (key == "baseTimeNanoseconds") header_.base_ns = integer(value);
  if (const auto member = find(named_texts, key)) header_.*(*member) = value;
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
  } else if (const auto arg = find(named_args, key)) {
    set(*arg, value);
  }
}

void EventReader::device_value(std::string_view value, bool is_text) {
  const std::string_view key = levels_.back().key;
  DeviceProperties& device = header_.devices.back();
  if (key == "name" && is_text && !value.empty()) device.row.name = value;
  if (key == "id") device.id = integer(value);
  if (key == "maxThreadsPerMultiprocessor") device.threads_per_multiprocessor = integer(value);
  if (const auto member = find(named_properties, key)) device.row.*(*member) = integer(value);
}

void EventReader::set(Arg arg, std::string_view value) {
  const auto index = static_cast<std::size_t>(arg);
  event_.args[index] = integer(value);
  event_.is_too_large[index] = !event_.args[index];
}

}  // namespace lapscope::kineto
