#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lapscope::test {

// The sizes and offsets of a CPython release. They come from the release's headers or from a
// running interpreter (sys.getsizeof, PyMemberDef). None comes from the layout in lapscope, because
// tests compare that layout with them.
//
// From 3.13 on, `words` has the beginning of _PyRuntime without its first two words. For
// free-threaded 3.14 and 3.15, `words` comes from the headers. For the other releases, it was read
// from a running interpreter.
struct FakeRelease {
  std::uint32_t version;
  bool is_free_threaded;
  std::uint16_t object_type, object_size;
  std::uint16_t thread_id, thread_frame;
  std::int16_t frame_in_loop;  // -1: the thread points to the frame itself
  std::uint16_t frame_code, frame_previous, frame_instruction, frame_owner, frame_copy;
  std::uint16_t co_flags, co_argcount, co_firstlineno, co_version, co_filename, co_name,
      co_qualname, co_linetable, co_firsttraceable, co_tlbc, co_code;
  std::uint16_t text_state, kind_bit, ascii_size, text_size, bytes_data;
  std::uint16_t gc_generations, gc_youngest, gc_collecting, gc_counts, gc_records;
  std::uint16_t lock_holder, thread_status;  // 0: see `thread_status`
  std::span<const std::uint64_t> words;

  std::string name() const;
  // Returns whether code objects contain their instructions. In older releases, a frame has an
  // index into a separate object with the instructions.
  bool has_instructions() const { return version >= 0x030b0000; }
  bool has_versions() const { return co_version != 0; }
  bool has_calls_from_c() const { return version >= 0x030c0000; }
  // Returns the words at the beginning of _PyRuntime.
  std::vector<std::uint64_t> runtime() const;
};

std::span<const FakeRelease> fake_releases();
// Returns the first of fake_releases() with this version, such as 0x030b for 3.11.
const FakeRelease& fake_release(std::uint32_t release);

}  // namespace lapscope::test
