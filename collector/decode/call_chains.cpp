#include "collector/decode/call_chains.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace lapscope::decode {
namespace {

constexpr std::string_view unknown = "[unknown]";

std::string hexadecimal(const stacks::Module& module) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < module.build_id_size; ++i) {
    text += digits[module.build_id[i] >> 4U];
    text += digits[module.build_id[i] & 0xfU];
  }
  return text;
}

// Returns the path of the file that is mapped at an address, from /proc/self/maps. Returns "" if no
// file is mapped there.
std::string mapped_file(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    const char* last = line.data() + line.size();
    const auto first = std::from_chars(line.data(), last, begin, 16);
    if (first.ptr == last || std::from_chars(first.ptr + 1, last, end, 16).ec != std::errc{}) {
      continue;
    }
    const auto path = line.find('/');
    if (address < begin || address >= end || path == std::string::npos) continue;
    // Linux appends this text to the path of a deleted file. If another file has this path now, its
    // build id shows that it is another file.
    constexpr std::string_view gone = " (deleted)";
    if (line.ends_with(gone)) line.resize(line.size() - gone.size());
    return line.substr(path);
  }
  return "";
}

template <class T>
T& at(std::vector<T>& values, std::uint32_t number) {
  if (number >= values.size()) values.resize(std::max<std::size_t>(2 * values.size(), number + 1));
  return values[number];
}

}  // namespace

void CallChains::add_stack(std::uint32_t correlation, schema::ApiCallRow& row) {
  if (!stacks_) return;
  const stacks::CallStacks::Stack stack = stacks_->take(correlation);
  if (stack.chain == 0) return;
  ++counts_.captured;
  if (!stack.is_whole) ++counts_.truncated;
  row.callchainId = written(stack.chain);
  row.stackNs = stack.ns;
}

std::optional<std::int64_t> CallChains::written(std::uint32_t chain) {
  if (!stacks_ || chain == 0) return std::nullopt;
  if (chain >= written_chains_.size()) written_chains_.resize(std::size_t{2} * chain + 1);
  if (!written_chains_[chain]) {
    write_chain(chain);
    written_chains_[chain] = true;
    ++counts_.chains;
  }
  return chain;
}

void CallChains::write_chain(std::uint32_t number) {
  schema::CallchainRow row;
  row.id = number;
  row.symbol = trace_.intern(unknown);
  row.unresolved = 1;
  for (const stacks::Frame& frame : stacks_->chains().chain(number)) {
    trace_.append(frame.module == stacks::Frame::python ? python_row(frame, row)
                                                        : native_row(frame, row));
    ++row.stackDepth;
  }
}

schema::CallchainRow CallChains::native_row(const stacks::Frame& frame, schema::CallchainRow row) {
  row.originalIP = static_cast<std::int64_t>(frame.address);
  if (frame.module != 0) row.moduleId = frame.module;
  row.module = frame.module != 0 ? write_module(frame.module) : trace_.intern("");
  return row;
}

schema::CallchainRow CallChains::python_row(const stacks::Frame& frame, schema::CallchainRow row) {
  const std::string_view function = stacks_->python_function(frame);
  const std::string_view file = stacks_->python_file(frame);
  row.module = trace_.intern("[python]");
  if (!function.empty()) {
    row.symbol = trace_.intern(function);
    row.unresolved.reset();
  }
  if (!file.empty()) row.sourceFile = trace_.intern(file);
  if (frame.line > 0) row.sourceLine = frame.line;
  return row;
}

std::int64_t CallChains::write_module(std::uint32_t number) {
  if (const auto known = at(file_names_, number)) return *known;
  const stacks::Module& module = stacks_->modules().module(number);
  schema::ModuleRow row;
  row.id = number;
  row.path = path_of(module);
  if (module.build_id_size > 0) row.buildId = hexadecimal(module);
  row.start = static_cast<std::int64_t>(module.begin);
  row.end = static_cast<std::int64_t>(module.end);
  row.fileOffset = static_cast<std::int64_t>(module.file_offset);
  trace_.insert(row);
  const std::int64_t name = trace_.intern(row.path);
  at(file_names_, number) = name;
  return name;
}

std::string CallChains::path_of(const stacks::Module& module) {
  const std::string path(stacks_->modules().path(module));
  std::error_code failed;
  if (path.empty()) {
    // An empty path means the executable. /proc/self/exe is only the second choice: if the dynamic
    // loader was started with the program as its argument, this link leads to the loader.
    const std::string mapped = mapped_file(module.begin);
    if (!mapped.empty()) return mapped;
    return std::filesystem::read_symlink("/proc/self/exe", failed).string();
  }
  if (path.starts_with("linux-vdso")) return "[vdso]";
  if (path.front() == '/') return path;
  // The program passed this relative path to dlopen. It may have changed its working directory
  // since then, so the path of the mapped file is better. A module that has been unloaded has no
  // mapped file.
  const std::string mapped = mapped_file(module.begin);
  return mapped.empty() ? path : mapped;
}

void CallChains::write_counts() {
  if (!stacks_) return;
  const stacks::CallStacks::Counts counts = stacks_->counts();
  counts_.notUnwound = counts.not_unwound - before_.not_unwound;
  counts_.lost = counts.lost - before_.lost;
  counts_.withoutPython = counts.without_python - before_.without_python;
  counts_.withoutCall =
      std::max<std::int64_t>(0, counts.captured - before_.captured - counts_.captured);
  trace_.replace_all<schema::StackCountsRow>(std::span(&counts_, 1));
}

}  // namespace lapscope::decode
