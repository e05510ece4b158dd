#pragma once

#include <cstdint>
#include <string>

namespace lapscope::python_frames {

// Where a release of CPython keeps what a walk reads: bytes from the beginning of each object.
// These are part of no interface. Within a release (3.11.x) they never change, between two they
// always do.
struct Layout {
  std::uint32_t release;  // 0x030b is 3.11
  struct {
    std::uint16_t previous, next;  // of the list of the interpreter's threads
    std::uint16_t interpreter;
    std::uint16_t c_frame;  // of the innermost running evaluation loop, which lies on the C stack
    std::uint16_t thread_id;
    std::uint16_t size;  // as far as it is read
  } thread;
  std::uint16_t current_frame;  // of the object that `c_frame` leads to
  struct {
    std::uint16_t code, previous, instruction, owner;
    std::uint16_t size;
    std::uint8_t last_owner;
  } frame;
  struct {
    std::uint16_t flags;
    std::uint16_t counts, first_line;  // from `counts` on, nothing changes up to `line_table`
    std::uint16_t version;             // no two code objects share one; 0: there is none
    std::uint16_t file, qualified_name, line_table;
    std::uint16_t first_traceable;  // what lies before it sets a frame up
    std::uint16_t instructions;     // which are the end of the object
  } code;
  struct {
    std::uint16_t ascii_data, compact_data, size;
  } text;
  // The garbage collector, of the interpreter's state.
  struct {
    std::uint16_t generations;
    std::uint16_t youngest;  // a pointer to `generations`: what shows that this is the collector
    std::uint16_t collecting;
    std::uint16_t end;  // of what is read, from `generations` on
    // The thread that holds the interpreter's lock: in _PyRuntime, or, where that is 0, the one
    // that has this bit in the word `thread.status`.
    std::uint16_t holder;
    std::uint16_t status;
    std::uint32_t holds;
  } collector;
};

// Values of `owner`. A frame that a call from C begins with is no function's.
inline constexpr std::uint8_t owned_by_generator = 1;
inline constexpr std::uint8_t owned_by_c_stack = 3;

// The same in all releases that are known here.
inline constexpr std::uint16_t object_type = 8;       // PyObject.ob_type
inline constexpr std::uint16_t object_size = 16;      // PyVarObject.ob_size, PyASCIIObject.length
inline constexpr std::uint16_t text_state = 32;       // PyASCIIObject.state
inline constexpr std::uint16_t bytes_data = 32;       // PyBytesObject.ob_sval
inline constexpr std::uint16_t instruction_size = 2;  // sizeof(_Py_CODEUNIT)

// What an interpreter says of itself, as far as it can be compared with a layout.
struct Exported {
  std::uint32_t version = 0;  // Py_Version, as PY_VERSION_HEX
  const void* type_type = nullptr;
  const void* code_type = nullptr;
  const void* text_type = nullptr;
  const void* bytes_type = nullptr;
};

struct ChosenLayout {
  const Layout* layout = nullptr;
  std::string why_not;  // a sentence
};

// The layout of that interpreter, or why there is none. It must describe its own code objects,
// texts and byte strings as the layout does: a debug build, for one, does not.
ChosenLayout choose_layout(const Exported& exported);

}  // namespace lapscope::python_frames
