#include "collector/python_frames/debug_offsets.h"

#include <algorithm>
#include <array>
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

constexpr std::uint8_t none = 0;  // there is no such field: word 0 is the mark

constexpr std::uint32_t releases[] = {0x030d, 0x030e, 0x030f};

struct Field {
  std::uint8_t Words::*member;
  std::array<std::uint8_t, std::size(releases)> word;  // in the order of `releases`
};

constexpr Field fields[] = {
    {&Words::collector, {10, 11, 11}},
    {&Words::collecting, {72, 82, 95}},
    {&Words::collections, {none, none, 98}},
    {&Words::previous, {20, 23, 23}},
    {&Words::next, {21, 24, 24}},
    {&Words::interpreter, {22, 25, 25}},
    {&Words::frame, {23, 26, 26}},
    {&Words::thread_id, {24, 27, 30}},
    {&Words::thread_status, {27, 30, 33}},
    {&Words::caller, {29, 32, 40}},
    {&Words::code, {30, 33, 41}},
    {&Words::instruction, {31, 34, 42}},
    {&Words::owner, {33, 36, 44}},
    {&Words::copy, {none, 38, 46}},
    {&Words::file, {35, 40, 48}},
    {&Words::qualified_name, {37, 42, 50}},
    {&Words::line_table, {38, 43, 51}},
    {&Words::first_line, {39, 44, 52}},
    {&Words::counts, {40, 45, 53}},
    {&Words::names, {41, 46, 54}},
    {&Words::instructions, {43, 48, 56}},
    {&Words::copies, {none, 49, 57}},
    {&Words::object_type, {45, 51, 59}},
    {&Words::object_size, {52, 58, 70}},
    {&Words::bytes_data, {66, 76, 88}},
    {&Words::text_size, {67, 77, 89}},
    {&Words::text_state, {68, 78, 90}},
    {&Words::ascii_size, {70, 80, 92}},
};

std::optional<Words> words_of(std::uint32_t release) {
  const auto* const found = std::ranges::find(releases, release);
  if (found == std::end(releases)) return std::nullopt;
  Words words{.release = release};
  for (const Field& field : fields) {
    words.*field.member = field.word[static_cast<std::size_t>(found - releases)];
  }
  return words;
}

// Reads offsets from the list of debug offsets. If an offset is too large to be an offset in an
// object, the list does not have the expected layout, and are_sound() returns false.
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

// Returns whether the fields lie within the bytes that are fetched of each object.
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

bool has_debug_offsets(std::uint32_t release) { return words_of(release).has_value(); }

std::optional<Layout> layout_of(std::span<const std::byte> runtime, std::uint32_t version) {
  constexpr std::uint16_t pointer = sizeof(std::uintptr_t);
  const std::optional<Words> words = words_of(version >> 16);
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
                 // The list does not contain this offset. The field lies two words before `copies`
                 // or, in releases without `copies`, two words before the instructions.
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
  // In Python 3.13 and 3.14, the counts of three generations lie just before `collecting`.
  constexpr std::uint64_t size_of_counts = 3 * 24;
  const std::uint64_t collector = at.word(words->collector);
  const std::uint64_t collecting = collector + at.word(words->collecting);
  const bool has_records = words->collections != none;
  layout.collector = {
      .collecting = at.in_object(collecting),
      .counts = has_records ? std::uint16_t{0} : at.in_object(collecting - size_of_counts),
      .records =
          has_records ? at.in_object(collector + at.word(words->collections)) : std::uint16_t{0},
      .thread_status = at(words->thread_status)};
  if (!at.are_sound() || !are_within(layout)) return std::nullopt;
  return layout;
}

}  // namespace lapscope::python_frames
