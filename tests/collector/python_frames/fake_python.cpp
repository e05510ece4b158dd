#include "tests/collector/python_frames/fake_python.h"

#include <pthread.h>

#include <cstring>
#include <span>

#include "tests/catch.h"

namespace lapscope::test {
namespace {

// Results of the functions of the fake interpreter.
thread_local void* current_thread = nullptr;
thread_local void* current_interpreter = nullptr;

std::uint64_t word(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

}  // namespace

FakeTypes::FakeTypes(const FakeRelease& release)
    : version(release.version), runtime(release.runtime()), release_(release) {
  for (auto* object : {&type, &code, &text, &bytes}) type_of(*object) = word(&type);
  basic_size(code) = release.co_code;
  item_size(code) = release.has_instructions() ? 2 : 0;
  basic_size(text) = release.text_size;
  basic_size(bytes) = release.bytes_data + 1u;
  item_size(bytes) = 1;
  members = {{"co_argcount", 1, release.co_argcount, 1, 0},
             {"co_flags", 1, release.co_flags, 1, 0},
             {"co_filename", 6, release.co_filename, 1, 0},
             {"co_name", 6, release.co_name, 1, 0},
             {"co_qualname", 6, release.co_qualname, 1, 0},
             {"co_linetable", 6, release.co_linetable, 1, 0},
             {"co_firstlineno", 1, release.co_firstlineno, 1, 0},
             {nullptr, 0, 0, 0, 0}};
  list_of_members() = word(members.data());
}

python_frames::Exported FakeTypes::exported() const {
  return {version,     type.data(),  code.data(),
          text.data(), bytes.data(), std::as_bytes(std::span(runtime))};
}

FakePython::FakePython(const FakeRelease& release)
    : release_(release), types_(release), memory_(4096) {
  const python_frames::ChosenLayout chosen = python_frames::choose_layout(types_.exported());
  REQUIRE(chosen.layout);
  interpreter_.layout = *chosen.layout;
  interpreter_.code_type = word(types_.code.data());
  interpreter_.text_type = word(types_.text.data());
  interpreter_.bytes_type = word(types_.bytes.data());
  interpreter_.is_running = [] { return 1; };
  interpreter_.this_thread = [] { return current_thread; };
  interpreter_.newest_interpreter = [] { return current_interpreter; };
  interpreter_.main_interpreter = interpreter_.newest_interpreter;
  interpreter_.first_thread = [](void*) { return current_thread; };
  thread_ = reserve(304);
  loop_ = reserve(24);
  interpreter_state_ = reserve(8192);
  if (release_.gc_youngest != 0) {
    at<std::uint64_t>(interpreter_state_ + release_.gc_youngest) =
        interpreter_state_ + release_.gc_generations;
  }
  if (release_.gc_records != 0) {
    at<std::uint64_t>(interpreter_state_ + release_.gc_records) = reserve(1120);
  }
  const std::uintptr_t variables = reserve(1024);
  interpreter_.variables = {variables, variables + 1024};
  at<std::uint64_t>(thread_ + 16) = interpreter_state_;
  if (release_.frame_in_loop >= 0) at<std::uint64_t>(thread_ + release_.thread_frame) = loop_;
  run_in_this_thread();
}

std::uintptr_t FakePython::innermost() const {
  return release_.frame_in_loop < 0 ? thread_ + release_.thread_frame
                                    : loop_ + static_cast<std::uintptr_t>(release_.frame_in_loop);
}

void FakePython::run_in_this_thread() {
  at<std::uint64_t>(thread_ + release_.thread_id) = static_cast<std::uint64_t>(::pthread_self());
  current_thread = reinterpret_cast<void*>(thread_);
  current_interpreter = at<void*>(thread_ + 16);
}

void FakePython::collect_garbage(bool holds_lock) {
  at<std::int32_t>(interpreter_state_ + release_.gc_collecting) = 1;
  if (release_.lock_holder == 0) {
    at<std::uint32_t>(thread_ + release_.thread_status) = holds_lock ? 0x1a : 0x0a;
  } else {
    at<std::uint64_t>(interpreter_.variables.begin + release_.lock_holder) =
        holds_lock ? thread_ : 0;
  }
}

void FakePython::add_thread(bool holds_lock) {
  const std::uintptr_t other = reserve(304);
  at<std::uint64_t>(other) = thread_;
  at<std::uint64_t>(thread_ + 8) = other;
  at<std::uint32_t>(other + release_.thread_status) = holds_lock ? 0x1a : 0x0a;
}

void FakePython::count_collections(std::size_t generation, std::int64_t count) {
  at<std::int64_t>(interpreter_state_ + release_.gc_counts + 24 * generation) = count;
}

std::uintptr_t FakePython::reserve(std::size_t bytes) {
  const std::size_t begin = used_;
  used_ += (bytes + 7) / 8;
  REQUIRE(used_ <= memory_.size());
  return word(&memory_[begin]);
}

std::uintptr_t FakePython::add_text(std::string_view text) {
  const std::uintptr_t object = reserve(release_.ascii_size + text.size() + 1);
  at<std::uint64_t>(object + release_.object_type) = word(types_.text.data());
  at<std::uint64_t>(object + release_.object_size) = text.size();
  // Stores the text as compact ASCII, one byte per character.
  at<std::uint32_t>(object + release_.text_state) = (1u | 1u << 3 | 1u << 4) << release_.kind_bit;
  std::memcpy(reinterpret_cast<void*>(object + release_.ascii_size), text.data(), text.size());
  return object;
}

std::uintptr_t FakePython::add_bytes(const std::vector<std::uint8_t>& bytes) {
  const std::uintptr_t object = reserve(release_.bytes_data + bytes.size() + 1);
  at<std::uint64_t>(object + release_.object_type) = word(types_.bytes.data());
  at<std::uint64_t>(object + release_.object_size) = bytes.size();
  std::memcpy(reinterpret_cast<void*>(object + release_.bytes_data), bytes.data(), bytes.size());
  return object;
}

std::uintptr_t FakePython::add_code(std::uintptr_t file, std::uintptr_t name,
                                    std::int32_t first_line) {
  std::vector<std::uint8_t> lines;
  if (release_.has_instructions()) {
    lines = {0x80, 0};
    for (int i = 1; i < 10; ++i) lines.insert(lines.end(), {0x80 | 11 << 3, 0, 0});
  } else {
    lines = {2, 0};
    for (int i = 1; i < 10; ++i) lines.insert(lines.end(), {2, 1});
  }
  const std::uintptr_t table = add_bytes(lines);
  const std::uintptr_t code = reserve(release_.co_code + std::size_t{20});
  at<std::uint64_t>(code + release_.object_type) = word(types_.code.data());
  at<std::uint64_t>(code + release_.object_size) = 10;
  at<std::int32_t>(code + release_.co_firstlineno) = first_line;
  if (release_.has_versions()) at<std::uint32_t>(code + release_.co_version) = ++codes_;
  at<std::uint64_t>(code + release_.co_filename) = file;
  at<std::uint64_t>(code + release_.co_name) = name;
  at<std::uint64_t>(code + release_.co_qualname) = name;
  at<std::uint64_t>(code + release_.co_linetable) = table;
  if (release_.has_instructions()) at<std::int32_t>(code + release_.co_firsttraceable) = 1;
  if (release_.co_tlbc != 0) {
    const std::uintptr_t copies = reserve(24);
    at<std::uint64_t>(copies) = 2;
    at<std::uint64_t>(copies + 8) = code + release_.co_code;
    at<std::uint64_t>(copies + 16) = reserve(20);
    at<std::uint64_t>(code + release_.co_tlbc) = copies;
  }
  return code;
}

std::uintptr_t FakePython::add_frame(std::uintptr_t code, std::int64_t instruction,
                                     std::uint8_t owner, std::int32_t copy) {
  const std::uintptr_t frame = reserve(104);
  std::uintptr_t instructions = code + release_.co_code;
  if (copy > 0) instructions = at<std::uint64_t>(at<std::uint64_t>(code + release_.co_tlbc) + 16);
  at<std::uint64_t>(frame + release_.frame_code) = code;
  at<std::uint64_t>(frame + release_.frame_previous) = innermost_;
  if (release_.has_instructions()) {
    at<std::uint64_t>(frame + release_.frame_instruction) =
        instructions + static_cast<std::uint64_t>(2 * instruction);
    at<std::uint8_t>(frame + release_.frame_owner) = owner;
  } else {
    at<std::int32_t>(frame + release_.frame_instruction) = static_cast<std::int32_t>(instruction);
  }
  if (release_.frame_copy != 0) at<std::int32_t>(frame + release_.frame_copy) = copy;
  innermost_ = frame;
  at<std::uint64_t>(innermost()) = frame;
  return frame;
}

}  // namespace lapscope::test
