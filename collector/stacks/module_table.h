#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "collector/stacks/own_memory.h"
#include "collector/stacks/unwind_rules.h"

namespace lapscope::stacks {

// An executable segment of a loaded file.
struct Module {
  LoadedObject object;
  std::uintptr_t begin = 0;  // of the segment
  std::uintptr_t end = 0;
  std::uint64_t file_offset = 0;  // of `begin`, in the file
  std::uint32_t path_at = 0;
  std::uint32_t path_size = 0;
  std::array<std::uint8_t, 32> build_id{};
  std::uint8_t build_id_size = 0;
};

// The modules that contain the code of frames, in the order of their first use. The path and the
// build id of a module are read while a thread runs in the module, because the module may be
// unloaded later. Any thread may call number_of(), and no thread waits.
class ModuleTable {
 public:
  explicit ModuleTable(const OwnMemory& memory)
      : memory_(memory), modules_(most), slots_(2 * most), paths_(path_bytes) {}

  // Returns the number of the module at `address`, from 1; 0 if there is no room.
  std::uint32_t number_of(std::uintptr_t address, const LoadedObject& object) noexcept;

  // Returns the module with this number, which must come from number_of().
  const Module& module(std::uint32_t number) const { return modules_[number - 1]; }
  // Returns the path of the module, as the dynamic loader knows it. The path may be relative. It is
  // empty for the program itself.
  std::string_view path(const Module& module) const {
    return {paths_.data() + module.path_at, module.path_size};
  }

 private:
  static constexpr std::size_t most = 4096;
  static constexpr std::size_t path_bytes = std::size_t{1} << 20U;

  std::uint32_t add(std::uintptr_t address, const LoadedObject& object) noexcept;
  struct FileHeader;
  std::uintptr_t file_header(std::uintptr_t bias, const LoadedObject& object,
                             FileHeader& file) const noexcept;
  void read_file_parts(std::uintptr_t address, std::uintptr_t bias, Module& module) const noexcept;
  void read_build_id(std::uintptr_t notes, std::size_t size, Module& module) const noexcept;
  void read_path(std::uintptr_t text, Module& module) noexcept;

  const OwnMemory& memory_;
  LastingArray<Module> modules_;
  LastingArray<std::atomic<std::uint32_t>> slots_;  // numbers, by a hash of the object
  LastingArray<char> paths_;
  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::size_t> paths_used_{0};
};

}  // namespace lapscope::stacks
