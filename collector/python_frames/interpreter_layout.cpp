#include "collector/python_frames/interpreter_layout.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "collector/python_frames/debug_offsets.h"

namespace lapscope::python_frames {
namespace {

// Layouts of 64-bit builds without Py_TRACE_REFS. Sources in CPython's repository, at the tags
// v3.10.x to v3.12.x:
// - Include/cpython/pystate.h: PyThreadState (struct _ts), _PyCFrame
// - Include/cpython/frameobject.h: PyFrameObject (3.10)
// - Include/internal/pycore_frame.h: _PyInterpreterFrame
// - Include/internal/pycore_interp.h: _is (with struct _gc_runtime_state)
// - Include/internal/pycore_runtime.h: _PyRuntimeState
// - Include/cpython/code.h: PyCodeObject
// - Include/cpython/unicodeobject.h: PyASCIIObject, PyCompactUnicodeObject
constexpr Layout layouts[] = {
    {.release = 0x030a,
     .thread = {.previous = 0,
                .next = 8,
                .interpreter = 16,
                .frame = 24,  // _ts.frame
                .thread_id = 176,
                .size = 184},
     .frame = {.code = 32,         // PyFrameObject.f_code
               .previous = 24,     // PyFrameObject.f_back
               .instruction = 96,  // PyFrameObject.f_lasti
               .size = 104},
     .code = {.flags = 36,
              .counts = 16,
              .first_line = 40,
              .file = 104,
              .qualified_name = 112,  // co_name
              .line_table = 120,
              .instructions = 176,
              .has_instructions = false},
     .text = {.ascii_data = 48, .compact_data = 72, .size = 80},
     .collector =
         {.generations = 640, .youngest = 712, .collecting = 816, .counts = 744, .holder = 568}},
    {.release = 0x030b,
     .thread = {.previous = 0,      // _ts.prev
                .next = 8,          // _ts.next
                .interpreter = 16,  // _ts.interp
                .frame = 56,        // _ts.cframe
                .thread_id = 152,   // _ts.thread_id
                .size = 160},
     .frame_in_loop = 8,           // _PyCFrame.current_frame
     .frame = {.code = 32,         // _PyInterpreterFrame.f_code
               .previous = 48,     // _PyInterpreterFrame.previous
               .instruction = 56,  // _PyInterpreterFrame.prev_instr
               .owner = 69,        // _PyInterpreterFrame.owner
               .size = 72,
               .last_owner = 2},       // FRAME_OWNED_BY_FRAME_OBJECT
     .code = {.flags = 48,             // co_flags
              .counts = 56,            // co_argcount; the field in front, co_warmup, changes
              .first_line = 72,        // co_firstlineno
              .file = 112,             // co_filename
              .qualified_name = 128,   // co_qualname
              .line_table = 136,       // co_linetable
              .first_traceable = 168,  // _co_firsttraceable
              .instructions = 184},    // co_code_adaptive
     .text = {.ascii_data = 48, .compact_data = 72, .size = 80},
     .collector = {.generations = 672,  // _is.gc.generations
                   .youngest = 744,     // _is.gc.generation0
                   .collecting = 848,   // _is.gc.collecting
                   .counts = 776,       // _is.gc.generation_stats[0].collections
                   .holder = 576}},     // _PyRuntimeState.gilstate.tstate_current
    {.release = 0x030c,
     .thread =
         {.previous = 0, .next = 8, .interpreter = 16, .frame = 56, .thread_id = 136, .size = 144},
     .frame_in_loop = 0,
     .frame = {.code = 0,
               .previous = 8,
               .instruction = 56,
               .owner = 70,
               .size = 72,
               .last_owner = 3},  // FRAME_OWNED_BY_CSTACK
     .code = {.flags = 48,
              .counts = 52,
              .first_line = 68,
              .version = 92,  // co_version
              .file = 112,
              .qualified_name = 128,
              .line_table = 136,
              .first_traceable = 176,
              .instructions = 192},
     .text = {.ascii_data = 40, .compact_data = 56, .size = 64},
     .collector = {.generations = 136,
                   .youngest = 208,
                   .collecting = 312,
                   .counts = 240,
                   .thread_status = 24}},  // _ts._status
};

// Offsets for reading the members that a type lists. The first three are fields of PyTypeObject
// (tp_basicsize, tp_itemsize, tp_members), counted from PyVarObject.ob_size. member_offset is the
// field `offset` of PyMemberDef. They are part of CPython's interface for extensions:
// Include/cpython/object.h and Include/structmember.h.
constexpr std::size_t type_basic_size = 16;
constexpr std::size_t type_item_size = 24;
constexpr std::size_t type_members = 224;
constexpr std::size_t member_offset = 16;
constexpr std::size_t member_size = 40;
constexpr std::size_t most_members = 64;

template <typename T>
T value_at(const void* object, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(object) + offset, sizeof value);
  return value;
}

class Type {
 public:
  Type(const void* type, const Layout& layout) : type_(type), head_(layout.object) {}

  bool is(const void* type_type, std::size_t size, std::size_t item) const {
    return value_at<const void*>(type_, head_.type) == type_type &&
           value_at<std::size_t>(type_, head_.size + type_basic_size) == size &&
           value_at<std::size_t>(type_, head_.size + type_item_size) == item;
  }
  // Returns whether the type lists a member of this name at this offset. Types list the members
  // that Python programs can read.
  bool has_member(std::string_view name, std::size_t offset) const {
    const char* member = value_at<const char*>(type_, head_.size + type_members);
    for (std::size_t i = 0; member && i < most_members; ++i, member += member_size) {
      const char* found = value_at<const char*>(member, 0);
      if (!found) return false;
      if (found == name) return value_at<std::size_t>(member, member_offset) == offset;
    }
    return false;
  }

 private:
  const void* type_;
  decltype(Layout::object) head_;
};

bool describes_itself_so(const Exported& exported, const Layout& layout) {
  const std::string_view name = layout.code.has_instructions ? "co_qualname" : "co_name";
  const std::size_t item = layout.code.has_instructions ? instruction_size : 0;
  const std::pair<std::string_view, std::size_t> members[] = {
      {"co_filename", layout.code.file},        {name, layout.code.qualified_name},
      {"co_linetable", layout.code.line_table}, {"co_firstlineno", layout.code.first_line},
      {"co_flags", layout.code.flags},
  };
  const Type code(exported.code_type, layout);
  if (!code.is(exported.type_type, layout.code.instructions, item)) return false;
  for (const auto& [member, offset] : members) {
    if (!code.has_member(member, offset)) return false;
  }
  return Type(exported.text_type, layout).is(exported.type_type, layout.text.size, 0) &&
         Type(exported.bytes_type, layout)
             .is(exported.type_type, layout.bytes_data + std::size_t{1}, 1);
}

// Returns the layout for the release of the interpreter. Returns nothing if the release is unknown,
// or if the interpreter's own list of offsets is invalid.
std::optional<Layout> known_layout(const Exported& exported) {
  const std::uint32_t release = exported.version >> 16;
  if (has_debug_offsets(release)) return layout_of(exported.variables, exported.version);
  for (const Layout& layout : layouts) {
    if (layout.release == release) return layout;
  }
  return std::nullopt;
}

bool is_known(std::uint32_t release) {
  return has_debug_offsets(release) ||
         std::any_of(std::begin(layouts), std::end(layouts),
                     [release](const Layout& layout) { return layout.release == release; });
}

std::string name_of(std::uint32_t version) {
  return std::to_string(version >> 24) + "." + std::to_string(version >> 16 & 0xff) + "." +
         std::to_string(version >> 8 & 0xff);
}

}  // namespace

ChosenLayout choose_layout(const Exported& exported) {
  const std::string name = "Python " + name_of(exported.version);
  if (!is_known(exported.version >> 16)) {
    return {std::nullopt,
            "The stacks of " + name + " are not supported: those of 3.10 to 3.15 are."};
  }
  // Release levels: 0xa alpha, 0xb beta, 0xc candidate, 0xf final.
  if ((exported.version >> 4 & 0xf) != 0xf) {
    return {std::nullopt, name + " is not a final release: its stacks are not supported."};
  }
  const std::optional<Layout> layout = known_layout(exported);
  if (!layout || !describes_itself_so(exported, *layout)) {
    return {std::nullopt,
            name + " is built in a way that is not known: its stacks are not supported."};
  }
  return {layout, {}};
}

}  // namespace lapscope::python_frames
