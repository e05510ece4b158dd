#include "collector/python_frames/debug_offsets.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <string_view>

namespace lapscope::python_frames {
namespace {

constexpr std::string_view mark = "xdebugpy";

// The index of each field in _Py_DebugOffsets, in words of 8 bytes. Source: CPython,
// Include/internal/pycore_debug_offsets.h; for 3.13, Include/internal/pycore_runtime.h.
struct Words {
  std::uint32_t release;
  std::uint8_t collector;                // in the interpreter's state
  std::uint8_t collecting, collections;  // in the collector
  std::uint8_t previous, next, interpreter, frame, thread_id, thread_status;
  std::uint8_t caller, code, instruction, owner, copy;
  std::uint8_t file, qualified_name, line_table, first_line, counts, names, instructions, copies;
  std::uint8_t object_type, object_size, bytes_data;
  std::uint8_t text_size, text_state, ascii_size;
};

constexpr std::uint8_t none = 0;  // no such field; word 0 is the mark

constexpr Words releases[] = {
    {.release = 0x030d,
     .collector = 10,
     .collecting = 72,
     .collections = none,
     .previous = 20,
     .next = 21,
     .interpreter = 22,
     .frame = 23,
     .thread_id = 24,
     .thread_status = 27,
     .caller = 29,
     .code = 30,
     .instruction = 31,
     .owner = 33,
     .copy = none,
     .file = 35,
     .qualified_name = 37,
     .line_table = 38,
     .first_line = 39,
     .counts = 40,
     .names = 41,
     .instructions = 43,
     .copies = none,
     .object_type = 45,
     .object_size = 52,
     .bytes_data = 66,
     .text_size = 67,
     .text_state = 68,
     .ascii_size = 70},
    {.release = 0x030e,
     .collector = 11,
     .collecting = 82,
     .collections = none,
     .previous = 23,
     .next = 24,
     .interpreter = 25,
     .frame = 26,
     .thread_id = 27,
     .thread_status = 30,
     .caller = 32,
     .code = 33,
     .instruction = 34,
     .owner = 36,
     .copy = 38,
     .file = 40,
     .qualified_name = 42,
     .line_table = 43,
     .first_line = 44,
     .counts = 45,
     .names = 46,
     .instructions = 48,
     .copies = 49,
     .object_type = 51,
     .object_size = 58,
     .bytes_data = 76,
     .text_size = 77,
     .text_state = 78,
     .ascii_size = 80},
    {.release = 0x030f,
     .collector = 11,
     .collecting = 95,
     .collections = 98,
     .previous = 23,
     .next = 24,
     .interpreter = 25,
     .frame = 26,
     .thread_id = 30,
     .thread_status = 33,
     .caller = 40,
     .code = 41,
     .instruction = 42,
     .owner = 44,
     .copy = 46,
     .file = 48,
     .qualified_name = 50,
     .line_table = 51,
     .first_line = 52,
     .counts = 53,
     .names = 54,
     .instructions = 56,
     .copies = 57,
     .object_type = 59,
     .object_size = 70,
     .bytes_data = 88,
     .text_size = 89,
     .text_state = 90,
     .ascii_size = 92},
};

const Words* words_of(std::uint32_t release) {
  const auto* const found = std::find_if(std::begin(releases), std::end(releases),
                                         [&](const Words& one) { return one.release == release; });
  return found == std::end(releases) ? nullptr : found;
}

// Reads offsets from the list of debug offsets. If an offset is too large for an object, the list
// must have a different layout, and are_sound() returns false.
class Offsets {
 public:
  explicit Offsets(std::span<const std::byte> runtime) : runtime_(runtime) {}

  std::uint64_t word(std::size_t number) {
    std::uint64_t value = 0;
    if ((number + 1) * sizeof value > runtime_.size()) {
      are_sound_ = false;
      return 0;
    }
    std::memcpy(&value, runtime_.data() + number * sizeof value, sizeof value);
    return value;
  }
  std::uint16_t operator()(std::uint8_t number) {
    if (number == none) return 0;
    return in_object(word(number));
  }
  std::uint16_t in_object(std::uint64_t offset) {
    if (offset > std::numeric_limits<std::uint16_t>::max()) are_sound_ = false;
    return static_cast<std::uint16_t>(offset);
  }
  bool are_sound() const { return are_sound_; }

 private:
  std::span<const std::byte> runtime_;
  bool are_sound_ = true;
};

// Returns whether, in each kind of object, the fields to be read lie within the bytes that are
// fetched.
bool are_within(const Layout& layout) {
  constexpr std::size_t pointer = sizeof(std::uintptr_t);
  const auto& thread = layout.thread;
  const auto& frame = layout.frame;
  const auto& code = layout.code;
  const std::size_t in_thread = std::max({thread.previous, thread.next, thread.interpreter,
                                          thread.frame, layout.collector.thread_status});
  const std::size_t in_frame =
      std::max({frame.code, frame.previous, frame.instruction, frame.copy});
  const std::size_t in_code =
      std::max({code.flags, code.counts, code.first_line, code.version, code.file,
                code.qualified_name, code.line_table, code.first_traceable, code.copies});
  return in_thread + pointer <= thread.size && in_frame < frame.owner &&
         frame.instruction + pointer <= frame.size && in_code + pointer <= code.instructions &&
         layout.object.size < code.flags && code.counts < code.line_table &&
         layout.text.state < layout.text.ascii_data &&
         layout.object.size + pointer <= layout.bytes_data;
}

}  // namespace

bool has_debug_offsets(std::uint32_t release) { return words_of(release) != nullptr; }

std::optional<Layout> layout_of(std::span<const std::byte> runtime, std::uint32_t version) {
  constexpr std::uint16_t pointer = sizeof(std::uintptr_t);
  const Words* const words = words_of(version >> 16);
  Offsets at(runtime);
  if (!words || at.word(1) != version || !at.are_sound() ||
      std::memcmp(runtime.data(), mark.data(), mark.size()) != 0) {
    return std::nullopt;
  }
  Layout layout{};
  layout.release = words->release;
  layout.is_free_threaded = at.word(2) != 0;
  layout.object = {.type = at(words->object_type), .size = at(words->object_size)};
  layout.thread = {.previous = at(words->previous),
                   .next = at(words->next),
                   .interpreter = at(words->interpreter),
                   .frame = at(words->frame),
                   .thread_id = at(words->thread_id),
                   .size = at.in_object(at.word(words->thread_id) + pointer)};
  layout.frame = {.code = at(words->code),
                  .previous = at(words->caller),
                  .instruction = at(words->instruction),
                  .owner = at(words->owner),
                  .size = at.in_object(at.word(words->owner) + 1),
                  .last_owner = 4,  // FRAME_OWNED_BY_CSTACK: 4 in 3.14, 3 in the others
                  .copy = at(words->copy),
                  .tags = static_cast<std::uint8_t>(layout.release >= 0x030e ? 3 : 0)};
  const std::uint16_t instructions = at(words->instructions);
  const std::uint16_t copies = at(words->copies);
  layout.code = {.flags = at.in_object(at.word(words->counts) - sizeof(std::int32_t)),
                 .counts = at(words->counts),
                 .first_line = at(words->first_line),
                 .version = at.in_object(at.word(words->names) - sizeof(std::uint32_t)),
                 .file = at(words->file),
                 .qualified_name = at(words->qualified_name),
                 .line_table = at(words->line_table),
                 // The list does not contain this offset. The field lies two words before `copies`,
                 // or two words before the instructions if there are no copies.
                 .first_traceable =
                     at.in_object(std::uint64_t{copies != 0 ? copies : instructions} - 2 * pointer),
                 .copies = copies,
                 .instructions = instructions};
  const std::uint16_t ascii_data = at(words->ascii_size);
  // Since 3.14, a free-threaded build keeps the first bits of PyASCIIObject.state in a separate
  // byte.
  const bool has_byte = layout.is_free_threaded && layout.release >= 0x030e;
  layout.text = {.state = at(words->text_state),
                 .first_kind_bit = static_cast<std::uint16_t>(has_byte ? 8 : 2),
                 .ascii_data = ascii_data,
                 .compact_data = at.in_object(std::uint64_t{ascii_data} + 2 * pointer),
                 .size = at(words->text_size)};
  layout.bytes_data = at(words->bytes_data);
  // Up to 3.14, the counts of three generations lie just before `collecting`.
  constexpr std::uint64_t size_of_counts = 3 * 24;
  const std::uint64_t collector = at.word(words->collector);
  const std::uint64_t collecting = collector + at.word(words->collecting);
  const bool has_records = words->collections != none;
  layout.collector = {
      .generations = 0,
      .youngest = 0,
      .collecting = at.in_object(collecting),
      .counts = has_records ? std::uint16_t{0} : at.in_object(collecting - size_of_counts),
      .records =
          has_records ? at.in_object(collector + at.word(words->collections)) : std::uint16_t{0},
      .holder = 0,
      .thread_status = at(words->thread_status)};
  if (!at.are_sound() || !are_within(layout)) return std::nullopt;
  return layout;
}

}  // namespace lapscope::python_frames
