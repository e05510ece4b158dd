#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace lapscope::python_frames {

// Where a release of CPython keeps what a walk reads: bytes from the beginning of each object.
// These are part of no interface. Within a release (3.11.x) they never change, between two they
// always do. For 3.13 and later, the interpreter itself provides them (debug_offsets.h).
struct Layout {
  std::uint32_t release = 0;  // 0x030b is 3.11
  bool is_free_threaded = false;
  struct {
    std::uint16_t type = 8;   // PyObject.ob_type
    std::uint16_t size = 16;  // PyVarObject.ob_size, PyASCIIObject.length
  } object;
  struct {
    std::uint16_t previous, next;  // of the list of the interpreter's threads
    std::uint16_t interpreter;
    std::uint16_t frame;  // the innermost one that runs, or what has a pointer to it, see below
    std::uint16_t thread_id;
    std::uint16_t size;  // as far as it is read
  } thread;
  // Before 3.13 a thread leads to its innermost evaluation loop on the C stack, and that, here, to
  // the frame.
  std::optional<std::uint16_t> frame_in_loop;
  struct {
    std::uint16_t code, previous, instruction, owner;  // no owner: 0
    std::uint16_t size;                                // as far as it is read
    std::uint8_t last_owner;
    std::uint16_t copy;  // which copy of the instructions it runs; 0: there are no copies
    std::uint8_t tags;   // bits of the pointer to the code that are none of the address
  } frame;
  struct {
    std::uint16_t flags;
    std::uint16_t counts, first_line;  // from `counts` on, nothing changes up to `line_table`
    std::uint16_t version;             // no two code objects share one; 0: there is none
    std::uint16_t file, qualified_name, line_table;
    std::uint16_t first_traceable;  // what lies before it sets a frame up
    std::uint16_t copies;           // of the instructions, one a thread; 0: there are none
    std::uint16_t instructions;     // which are the end of the object
    // Before 3.11 they are an object of their own, a frame has the number of its instruction, and
    // the name is the function's alone.
    bool has_instructions = true;
  } code;
  struct {
    std::uint16_t state = 32;
    std::uint16_t first_kind_bit = 2;  // of `state`
    std::uint16_t ascii_data, compact_data, size;
  } text;
  std::uint16_t bytes_data = 32;  // PyBytesObject.ob_sval
  // The garbage collector, of the interpreter's state.
  struct {
    // What shows that this is the collector: a pointer to itself; 0: it is known by its offset.
    std::uint16_t generations, youngest;
    std::uint16_t collecting;
    // How many collections have ended, of generation 0, and likewise of the older ones 24 bytes
    // further each; 0: that is in what `records` leads to.
    std::uint16_t counts;
    std::uint16_t records;  // a pointer to the begins and ends of the last ones; 0: there are none
    // The thread that holds the interpreter's lock: in _PyRuntime, or, where that is 0, the one
    // that has the bit `holds_lock` in the word `thread_status`.
    std::uint16_t holder;
    std::uint16_t thread_status;
  } collector;
};

// Values of `owner`. From the last value on, a frame belongs to a call from C, and to no function.
inline constexpr std::uint8_t owned_by_generator = 1;
inline constexpr std::uint8_t owned_by_c = 3;

// The same in all releases that are known here.
inline constexpr std::uint16_t instruction_size = 2;  // sizeof(_Py_CODEUNIT)
inline constexpr std::uint32_t holds_lock = 1u << 4;  // _ts._status.active
inline constexpr std::uint16_t first_copy = 8;        // _PyCodeArray.entries

// What an interpreter says about itself, as far as it can be compared with a layout.
struct Exported {
  std::uint32_t version = 0;  // Py_Version, as PY_VERSION_HEX
  const void* type_type = nullptr;
  const void* code_type = nullptr;
  const void* text_type = nullptr;
  const void* bytes_type = nullptr;
  std::span<const std::byte> variables;  // _PyRuntime; empty where it is not exported
};

struct ChosenLayout {
  std::optional<Layout> layout;
  std::string why_not;  // a sentence
};

// The layout of that interpreter, or why there is none. It must describe its own code objects,
// texts and byte strings as the layout does: for example, a debug build of 3.11 or 3.12 does not.
ChosenLayout choose_layout(const Exported& exported);

}  // namespace lapscope::python_frames
