#include "readers/xprof/xspace.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "readers/foreign/foreign_files.h"
#include "readers/kineto/name_table.h"
#include "readers/tables/unreadable_trace.h"
#include "readers/xprof/xplane.h"

namespace lapscope::xprof {
namespace {

// A memory-mapped file. The operating system keeps in memory only the pages that are being read.
// Throws std::filesystem::filesystem_error.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || ::fstat(file, &status) != 0) fail(path, file);
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ > 0) {
      memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory_ == MAP_FAILED) fail(path, file);
      ::madvise(memory_, size_, MADV_SEQUENTIAL);
    }
    ::close(file);
  }
  ~MappedFile() {
    if (size_ > 0) ::munmap(memory_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return {static_cast<const char*>(memory_), size_}; }

 private:
  [[noreturn]] static void fail(const std::filesystem::path& path, int file) {
    const std::error_code error(errno, std::generic_category());
    if (file >= 0) ::close(file);
    throw std::filesystem::filesystem_error("map", path, error);
  }

  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

using protozero::pbf_reader;
using protozero::tag_and_type;
using Number = std::optional<std::int64_t>;

constexpr kineto::Named<Number schema::GpuRow::*> properties[] = {
    {"core_count", &schema::GpuRow::smCount},
    {"clock_rate", &schema::GpuRow::clockRate},
    {"memory_bandwidth", &schema::GpuRow::memoryBandwidth},
    {"memory_size", &schema::GpuRow::totalMemory},
    {"compute_cap_major", &schema::GpuRow::computeMajor},
    {"compute_cap_minor", &schema::GpuRow::computeMinor}};

class SpaceReader {
 public:
  explicit SpaceReader(Taker& taker) : taker_(taker) {}

  void read(std::string_view text, std::atomic<std::int64_t>* done) {
    pbf_reader space(text.data(), text.size());
    while (space.next()) {
      switch (space.tag_and_type()) {
        case tag_and_type(1, bytes):
          plane(space.get_message());
          break;
        case tag_and_type(2, bytes):  // an error
        case tag_and_type(3, bytes):  // a warning
          said(text_of(space));
          break;
        case tag_and_type(4, bytes):
          session_.host = text_of(space);
          break;
        default:
          space.skip();
      }
      const auto rest = static_cast<std::size_t>(space.length());
      if (done)
        done->store(static_cast<std::int64_t>(text.size() - rest), std::memory_order_relaxed);
    }
  }

  const Session& session() const { return session_; }
  std::optional<std::string> other_accelerator() const {
    return has_gpu_ ? std::nullopt : accelerator_;
  }

 private:
  // Keeps the first message about dropped events, and the first message about another error.
  void said(std::string_view text) {
    const bool is_drop = text.find("dropped") != std::string_view::npos;
    std::string& kept = is_drop ? session_.dropped : session_.error;
    if (!kept.empty()) return;
    kept = text;
    while (kept.ends_with('.')) kept.pop_back();
  }

  void plane(const pbf_reader& message) {
    const Plane plane = plane_of(message);
    if (const Number device = gpu_of_plane(plane.name)) {
      has_gpu_ = true;
      gpu(*device, plane);
    } else if (plane.name == "Task Environment") {
      environment(plane);
      return;
    } else if (plane.name != "/host:CPU" && plane.name != "/host:CUPTI" &&
               plane.name != "/host:python-tracer" && plane.name != "/host:NVTX-CUPTI" &&
               plane.name != "/host:ROCTRACER") {
      if (!accelerator_) accelerator_ = analyzer::foreign_accelerator(plane.name);
      return;
    }
    pbf_reader lines = message;
    while (lines.next()) {
      if (lines.tag_and_type() == tag_and_type(3, bytes)) {
        line(plane, lines.get_message());
      } else {
        lines.skip();
      }
    }
  }

  void gpu(std::int64_t device, const Plane& plane) {
    schema::GpuRow row;
    bool is_amd = false;
    StatReader reader(plane);
    for (const pbf_reader& message : plane.stats) {
      const Stat stat = reader.read(message);
      if (stat.name == "gpu_device_name") row.name = std::string(stat.text);
      if (stat.name == "device_vendor") is_amd = stat.text == "AMD";
      if (const auto member = kineto::find(properties, stat.name)) row.*(*member) = stat.number;
    }
    taker_.gpu(device, row, is_amd);
  }

  void environment(const Plane& plane) {
    StatReader reader(plane);
    for (const pbf_reader& message : plane.stats) {
      const Stat stat = reader.read(message);
      if (stat.name == "profile_start_time") session_.start_utc = stat.number;
    }
  }

  void line(const Plane& plane, const pbf_reader& message) {
    Line line{plane.name, {}, 0};
    std::int64_t start = 0;  // ns
    pbf_reader fields = message;
    while (fields.next()) {
      switch (fields.tag_and_type()) {
        case tag_and_type(1, varint):
          line.id = fields.get_int64();
          break;
        case tag_and_type(2, bytes):
          line.name = text_of(fields);
          break;
        case tag_and_type(3, varint):
          start = fields.get_int64();
          break;
        default:
          fields.skip();
      }
    }
    taker_.line(line);
    StatReader stats(plane);
    pbf_reader events = message;
    while (events.next()) {
      if (events.tag_and_type() == tag_and_type(4, bytes)) {
        event(plane, start, stats, events.get_message());
      } else {
        events.skip();
      }
    }
  }

  void event(const Plane& plane, std::int64_t line_start, StatReader& stats, pbf_reader message) {
    Event event;
    Number offset = 0;  // protobuf omits a value of 0
    std::int64_t duration = 0;
    pbf_reader fields = message;
    while (fields.next()) {
      switch (fields.tag_and_type()) {
        case tag_and_type(1, varint): {
          const auto kind = plane.event_kinds.find(fields.get_int64());
          if (kind == plane.event_kinds.end()) break;
          event.name = kind->second.name;
          for (const pbf_reader& stat : kind->second.stats) add(stats.read(stat), event);
          break;
        }
        case tag_and_type(2, varint):
          offset = fields.get_int64();
          break;
        case tag_and_type(3, varint):
          duration = fields.get_int64();
          break;
        case tag_and_type(4, bytes):
          add(stats.read(fields.get_message()), event);
          break;
        case tag_and_type(5, varint):  // number of occurrences; such an event has no time
          fields.skip();
          offset.reset();
          break;
        default:
          fields.skip();
      }
    }
    std::int64_t end = 0;
    analyzer::Ns start_ns = 0;
    analyzer::Ns end_ns = 0;
    if (offset && !__builtin_add_overflow(*offset, duration, &end) &&
        !__builtin_add_overflow(line_start, nearest_ns(*offset), &start_ns) &&
        !__builtin_add_overflow(line_start, nearest_ns(end), &end_ns)) {
      event.start = start_ns;
      event.end = end_ns;
    }
    taker_.event(event);
  }

  static void add(const Stat& stat, Event& event) { set_stat(stat.name, stat.text, event); }

  Taker& taker_;
  Session session_;
  bool has_gpu_ = false;
  std::optional<std::string> accelerator_;
};

}  // namespace

Session read_xspace(const std::filesystem::path& path, Taker& taker,
                    std::atomic<std::int64_t>* done) {
  const auto refuse = [&path](const std::string& why) {
    throw analyzer::UnreadableTrace("'" + path.string() + "' " + why);
  };
  const MappedFile file(path);
  SpaceReader reader(taker);
  try {
    reader.read(file.text(), done);
  } catch (const protozero::exception&) {
    refuse(
        "is damaged or cut short: its protobuf message does not end where it should. Copy or "
        "profile it again.");
  }
  if (const auto other = reader.other_accelerator()) refuse(*other);
  return reader.session();
}

}  // namespace lapscope::xprof
