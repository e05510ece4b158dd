#include "tests/collector/python_frames/fake_python.h"

#include <pthread.h>

#include <cstring>

#include "tests/catch.h"

namespace lapscope::test {
namespace {

// What the functions of the fake interpreter return.
thread_local void* current_thread = nullptr;
thread_local void* current_interpreter = nullptr;

std::uint64_t word(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

}  // namespace

FakeTypes::FakeTypes(std::uint32_t version) : version_(version) {
  const bool is_3_12 = version >= 0x030c0000;
  for (auto* object : {&type, &code, &text, &bytes}) (*object)[1] = word(&type);
  code[4] = is_3_12 ? 192 : 184;
  code[5] = 2;
  text[4] = is_3_12 ? 64 : 80;
  bytes[4] = 33;
  bytes[5] = 1;
  members = {{"co_argcount", 1, is_3_12 ? 52u : 56u, 1, 0},
             {"co_flags", 1, 48, 1, 0},
             {"co_filename", 6, 112, 1, 0},
             {"co_name", 6, 120, 1, 0},
             {"co_qualname", 6, 128, 1, 0},
             {"co_linetable", 6, 136, 1, 0},
             {"co_firstlineno", 1, is_3_12 ? 68u : 72u, 1, 0},
             {nullptr, 0, 0, 0, 0}};
  code[30] = word(members.data());
}

python_frames::Exported FakeTypes::exported() const {
  return {version_, type.data(), code.data(), text.data(), bytes.data()};
}

FakePython::FakePython(std::uint32_t version) : version_(version), types_(version), memory_(4096) {
  const python_frames::ChosenLayout chosen = python_frames::choose_layout(types_.exported());
  REQUIRE(chosen.layout);
  interpreter_.layout = chosen.layout;
  interpreter_.code_type = word(types_.code.data());
  interpreter_.text_type = word(types_.text.data());
  interpreter_.bytes_type = word(types_.bytes.data());
  interpreter_.is_running = [] { return 1; };
  interpreter_.this_thread = [] { return current_thread; };
  interpreter_.newest_interpreter = [] { return current_interpreter; };
  interpreter_.main_interpreter = interpreter_.newest_interpreter;
  interpreter_.first_thread = [](void*) { return current_thread; };
  const std::uintptr_t interpreter = reserve(1024);
  at<std::uint64_t>(interpreter + (is_3_12() ? 208 : 744)) = interpreter + (is_3_12() ? 136 : 672);
  const std::uintptr_t variables = reserve(1024);
  interpreter_.variables = {variables, variables + 1024};
  thread_ = reserve(304);
  c_frame_ = reserve(24);
  at<std::uint64_t>(thread_ + 16) = interpreter;
  at<std::uint64_t>(thread_ + 56) = c_frame_;
  run_in_this_thread();
}

void FakePython::run_in_this_thread() {
  at<std::uint64_t>(thread_ + (is_3_12() ? 136 : 152)) =
      static_cast<std::uint64_t>(::pthread_self());
  current_thread = reinterpret_cast<void*>(thread_);
  current_interpreter = at<void*>(thread_ + 16);
}

void FakePython::collect_garbage(bool holds_lock) {
  const auto interpreter = at<std::uint64_t>(thread_ + 16);
  at<std::int32_t>(interpreter + (is_3_12() ? 312 : 848)) = 1;
  if (is_3_12()) {
    at<std::uint32_t>(thread_ + 24) = holds_lock ? 0x1a : 0x0a;
  } else {
    at<std::uint64_t>(interpreter_.variables.begin + 576) = holds_lock ? thread_ : 0;
  }
}

std::uintptr_t FakePython::reserve(std::size_t bytes) {
  const std::size_t begin = used_;
  used_ += (bytes + 7) / 8;
  REQUIRE(used_ <= memory_.size());
  return word(&memory_[begin]);
}

std::uintptr_t FakePython::add_text(std::string_view text) {
  const std::size_t header = is_3_12() ? 40 : 48;
  const std::uintptr_t object = reserve(header + text.size() + 1);
  at<std::uint64_t>(object + 8) = word(types_.text.data());
  at<std::uint64_t>(object + 16) = text.size();
  at<std::uint32_t>(object + 32) =
      1u << 2 | 1u << 5 | 1u << 6;  // a byte a character, compact, ASCII
  std::memcpy(reinterpret_cast<void*>(object + header), text.data(), text.size());
  return object;
}

std::uintptr_t FakePython::add_bytes(const std::vector<std::uint8_t>& bytes) {
  const std::uintptr_t object = reserve(32 + bytes.size() + 1);
  at<std::uint64_t>(object + 8) = word(types_.bytes.data());
  at<std::uint64_t>(object + 16) = bytes.size();
  std::memcpy(reinterpret_cast<void*>(object + 32), bytes.data(), bytes.size());
  return object;
}

std::uintptr_t FakePython::add_code(std::uintptr_t file, std::uintptr_t name,
                                    std::int32_t first_line) {
  std::vector<std::uint8_t> lines = {0x80, 0};
  for (int i = 1; i < 10; ++i) lines.insert(lines.end(), {0x80 | 11 << 3, 0, 0});
  const std::uintptr_t table = add_bytes(lines);
  const std::uintptr_t code = reserve((is_3_12() ? 192u : 184u) + 20);
  at<std::uint64_t>(code + 8) = word(types_.code.data());
  at<std::uint64_t>(code + 16) = 10;
  at<std::int32_t>(code + (is_3_12() ? 68 : 72)) = first_line;
  if (is_3_12()) at<std::uint32_t>(code + 92) = ++codes_;
  at<std::uint64_t>(code + 112) = file;
  at<std::uint64_t>(code + 120) = name;
  at<std::uint64_t>(code + 128) = name;
  at<std::uint64_t>(code + 136) = table;
  at<std::int32_t>(code + (is_3_12() ? 176 : 168)) = 1;
  return code;
}

std::uintptr_t FakePython::add_frame(std::uintptr_t code, std::int64_t instruction,
                                     std::uint8_t owner) {
  const std::uintptr_t frame = reserve(104);
  at<std::uint64_t>(frame + (is_3_12() ? 0 : 32)) = code;
  at<std::uint64_t>(frame + (is_3_12() ? 8 : 48)) = innermost_;
  at<std::uint64_t>(frame + 56) =
      code + (is_3_12() ? 192u : 184u) + static_cast<std::uint64_t>(2 * instruction);
  at<std::uint8_t>(frame + (is_3_12() ? 70 : 69)) = owner;
  innermost_ = frame;
  at<std::uint64_t>(c_frame_ + (is_3_12() ? 0 : 8)) = frame;
  return frame;
}

}  // namespace lapscope::test
