#include "collector/python_frames/interpreter_layout.h"

#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

namespace lapscope::python_frames {
namespace {

// Sources, in CPython's repository at the tags v3.11.x and v3.12.x, for a 64-bit build without
// Py_TRACE_REFS: PyThreadState (struct _ts) and _PyCFrame in Include/cpython/pystate.h,
// _PyInterpreterFrame in Include/internal/pycore_frame.h, _is (with struct _gc_runtime_state) in
// Include/internal/pycore_interp.h, _PyRuntimeState in Include/internal/pycore_runtime.h,
// PyCodeObject in Include/cpython/code.h, PyASCIIObject and PyCompactUnicodeObject in
// Include/cpython/unicodeobject.h.
constexpr Layout layouts[] = {
    {.release = 0x030b,
     .thread = {.previous = 0,      // _ts.prev
                .next = 8,          // _ts.next
                .interpreter = 16,  // _ts.interp
                .c_frame = 56,      // _ts.cframe
                .thread_id = 152,   // _ts.thread_id
                .size = 160},
     .current_frame = 8,           // _PyCFrame.current_frame
     .frame = {.code = 32,         // _PyInterpreterFrame.f_code
               .previous = 48,     // _PyInterpreterFrame.previous
               .instruction = 56,  // _PyInterpreterFrame.prev_instr
               .owner = 69,        // _PyInterpreterFrame.owner
               .size = 72,
               .last_owner = 2},  // FRAME_OWNED_BY_FRAME_OBJECT
     .code = {.flags = 48,        // co_flags
              .counts = 56,       // co_argcount; co_warmup before it changes
              .first_line = 72,   // co_firstlineno
              .version = 0,
              .file = 112,             // co_filename
              .qualified_name = 128,   // co_qualname
              .line_table = 136,       // co_linetable
              .first_traceable = 168,  // _co_firsttraceable
              .instructions = 184},    // co_code_adaptive
     .text = {.ascii_data = 48, .compact_data = 72, .size = 80},
     .collector = {.generations = 672,  // _is.gc.generations
                   .youngest = 744,     // _is.gc.generation0
                   .collecting = 848,   // _is.gc.collecting
                   .end = 852,
                   .holder = 576,  // _PyRuntimeState.gilstate.tstate_current
                   .status = 0,
                   .holds = 0}},
    {.release = 0x030c,
     .thread = {.previous = 0,
                .next = 8,
                .interpreter = 16,
                .c_frame = 56,
                .thread_id = 136,
                .size = 144},
     .current_frame = 0,
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
                   .end = 316,
                   .holder = 0,
                   .status = 24,        // _ts._status
                   .holds = 1u << 4}},  // _ts._status.active
};

// PyTypeObject.tp_basicsize, tp_itemsize, tp_members and PyMemberDef.name, offset: of the interface
// for extensions, Include/cpython/object.h and Include/structmember.h.
constexpr std::size_t type_basic_size = 32;
constexpr std::size_t type_item_size = 40;
constexpr std::size_t type_members = 240;
constexpr std::size_t member_offset = 16;
constexpr std::size_t member_size = 40;
constexpr std::size_t most_members = 64;

template <typename T>
T value_at(const void* object, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(object) + offset, sizeof value);
  return value;
}

bool is_type(const void* type, const void* type_type, std::size_t size, std::size_t item) {
  return value_at<const void*>(type, object_type) == type_type &&
         value_at<std::size_t>(type, type_basic_size) == size &&
         value_at<std::size_t>(type, type_item_size) == item;
}

// Members that Python programs can read are listed with their offsets.
bool has_member(const void* type, std::string_view name, std::size_t offset) {
  const char* member = value_at<const char*>(type, type_members);
  for (std::size_t i = 0; member && i < most_members; ++i, member += member_size) {
    const char* found = value_at<const char*>(member, 0);
    if (!found) return false;
    if (found == name) return value_at<std::size_t>(member, member_offset) == offset;
  }
  return false;
}

bool describes_itself_so(const Exported& exported, const Layout& layout) {
  const std::pair<std::string_view, std::size_t> members[] = {
      {"co_filename", layout.code.file},        {"co_qualname", layout.code.qualified_name},
      {"co_linetable", layout.code.line_table}, {"co_firstlineno", layout.code.first_line},
      {"co_flags", layout.code.flags},
  };
  const void* type_type = exported.type_type;
  if (!is_type(exported.code_type, type_type, layout.code.instructions, instruction_size)) {
    return false;
  }
  for (const auto& [name, offset] : members) {
    if (!has_member(exported.code_type, name, offset)) return false;
  }
  return is_type(exported.text_type, type_type, layout.text.size, 0) &&
         is_type(exported.bytes_type, type_type, bytes_data + 1, 1);
}

std::string name_of(std::uint32_t version) {
  return std::to_string(version >> 24) + "." + std::to_string(version >> 16 & 0xff) + "." +
         std::to_string(version >> 8 & 0xff);
}

}  // namespace

ChosenLayout choose_layout(const Exported& exported) {
  const std::string name = "Python " + name_of(exported.version);
  for (const Layout& layout : layouts) {
    if (exported.version >> 16 != layout.release) continue;
    // Release levels: 0xa alpha, 0xb beta, 0xc candidate, 0xf final.
    if ((exported.version >> 4 & 0xf) != 0xf) {
      return {nullptr, name + " is not a final release: its stacks are not supported."};
    }
    if (!describes_itself_so(exported, layout)) {
      return {nullptr,
              name + " is built in a way that is not known: its stacks are not supported."};
    }
    return {&layout, {}};
  }
  return {nullptr, "The stacks of " + name + " are not supported: those of 3.11 and 3.12 are."};
}

}  // namespace lapscope::python_frames
