#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace lapscope::python_frames {

// Offsets of the fields that a stack walk reads, in bytes from the beginning of the object. They
// are not part of CPython's interface. They are the same within a release (3.11.x), but differ
// between releases. From 3.13 on, the interpreter publishes them (debug_offsets.h).
struct Layout {
  std::uint32_t release = 0;  // 0x030b is 3.11
  bool is_free_threaded = false;
  struct {
    std::uint16_t type = 8;   // PyObject.ob_type
    std::uint16_t size = 16;  // PyVarObject.ob_size, PyASCIIObject.length
  } object;
  struct {
    std::uint16_t previous, next;  // in the list of the interpreter's threads
    std::uint16_t interpreter;
    std::uint16_t frame;  // the innermost frame, or a _PyCFrame: see frame_in_loop
    std::uint16_t thread_id;
    std::uint16_t size;  // bytes that are read
  } thread;
  // In 3.11 and 3.12, the thread state points to a _PyCFrame on the C stack. The pointer to the
  // innermost frame is at this offset in the _PyCFrame. In other releases, the thread state points
  // to the frame itself, and this member is empty.
  std::optional<std::uint16_t> frame_in_loop = {};
  struct {
    std::uint16_t code, previous, instruction;
    std::uint16_t owner = 0;  // 0: there is none
    std::uint16_t size;       // bytes that are read
    std::uint8_t last_owner = 0;
    std::uint16_t copy = 0;  // which copy of the instructions runs; 0: there are no copies
    std::uint8_t tags = 0;   // low bits of the pointer to the code that are not part of the address
  } frame;
  struct {
    std::uint16_t flags;
    std::uint16_t counts, first_line;  // fields from `counts` to `line_table` never change
    std::uint16_t version = 0;         // unique to a code object; 0: there is none
    std::uint16_t file, qualified_name, line_table;
    std::uint16_t first_traceable = 0;  // earlier instructions set the frame up
    std::uint16_t copies = 0;           // copies of the instructions, by thread; 0: there are none
    std::uint16_t instructions;         // at the end of the object
    // False before 3.11. In those releases, the code object points to a separate object with the
    // instructions. A frame has the index of its instruction instead of the address. There is no
    // co_qualname, so `qualified_name` is the offset of co_name, which does not contain the class.
    bool has_instructions = true;
  } code;
  struct {
    std::uint16_t state = 32;
    std::uint16_t first_kind_bit = 2;  // in `state`
    std::uint16_t ascii_data, compact_data, size;
  } text;
  std::uint16_t bytes_data = 32;  // PyBytesObject.ob_sval
  // The garbage collector, in the interpreter's state.
  struct {
    // Offsets that check the layout: the pointer at `youngest` must point to `generations`. If
    // `youngest` is 0, the interpreter itself provided all offsets, and there is no check.
    std::uint16_t generations = 0, youngest = 0;
    std::uint16_t collecting;
    // The offset of the number of finished collections of generation 0. The numbers of the older
    // generations follow at distances of 24 bytes. If `counts` is 0, the numbers are in the data
    // that the pointer at `records` points to.
    std::uint16_t counts;
    std::uint16_t records = 0;  // pointer to the times of the last collections; 0: there are none
    // Offsets that show which thread holds the interpreter's lock. The pointer at `holder` in
    // _PyRuntime points to the state of this thread. If `holder` is 0, each thread's state has a
    // bit instead: `holds_lock` in the word at `thread_status`.
    std::uint16_t holder = 0;
    std::uint16_t thread_status = 0;
  } collector;
};

// Values of a frame's `owner`. A value of owned_by_c or more means that the frame belongs to a call
// from C, not to a Python function.
inline constexpr std::uint8_t owned_by_generator = 1;
inline constexpr std::uint8_t owned_by_c = 3;

// Values that are the same in all supported releases.
inline constexpr std::uint16_t instruction_size = 2;  // sizeof(_Py_CODEUNIT)
inline constexpr std::uint32_t holds_lock = 1u << 4;  // _ts._status.active
inline constexpr std::uint16_t first_copy = 8;        // _PyCodeArray.entries

// Symbols that an interpreter exports. choose_layout() uses them to choose and check a layout.
struct Exported {
  std::uint32_t version = 0;  // Py_Version, in the format of PY_VERSION_HEX
  const void* type_type = nullptr;
  const void* code_type = nullptr;
  const void* text_type = nullptr;
  const void* bytes_type = nullptr;
  std::span<const std::byte> variables;  // _PyRuntime; empty where it is not exported
};

struct ChosenLayout {
  std::optional<Layout> layout;
  std::string why_not;  // a sentence, if there is no layout
};

// Returns the layout of an interpreter, or the reason why there is none. The interpreter's type
// objects for code, texts and byte strings must match the layout. The type objects of a debug build
// of 3.11 or 3.12 do not match.
ChosenLayout choose_layout(const Exported& exported);

}  // namespace lapscope::python_frames
