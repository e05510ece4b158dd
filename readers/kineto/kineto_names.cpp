#include "readers/kineto/kineto_names.h"

#include "readers/kineto/decimal.h"
#include "readers/kineto/name_table.h"

namespace lapscope::kineto {
namespace {

constexpr Named<Category> categories[] = {
    {"kernel", Category::kernel},
    {"cuda_runtime", Category::runtime_call},
    {"cpu_op", Category::op},
    {"python_function", Category::python},
    {"gpu_memcpy", Category::copy},
    {"gpu_memset", Category::memset},
    {"cuda_driver", Category::driver_call},
    {"user_annotation", Category::annotation},
    {"overhead", Category::overhead},
    {"cuda_sync", Category::sync},
    {"cuda_event", Category::event_record},
    // Names until November 2021.
    {"Kernel", Category::kernel},
    {"Memcpy", Category::copy},
    {"Memset", Category::memset},
    {"Runtime", Category::runtime_call},
    {"Operator", Category::op},
};

constexpr Named<std::int64_t> copies[] = {{"HtoD", 1}, {"DtoH", 2}, {"HtoA", 3}, {"AtoH", 4},
                                          {"AtoA", 5}, {"AtoD", 6}, {"DtoA", 7}, {"DtoD", 8},
                                          {"HtoH", 9}, {"PtoP", 10}};

constexpr Named<std::int64_t> memories[] = {
    {"Pageable", 0}, {"Pinned", 1},  {"Device", 2},        {"Array", 3},
    {"Managed", 4},  {"Unknown", 7}, {"Device Static", 5}, {"Managed Static", 6}};

constexpr Named<std::int64_t> syncs[] = {
    {"Event Sync", 1}, {"Stream Wait Event", 2}, {"Stream Sync", 3}, {"Context Sync", 4}};

constexpr Named<std::int64_t> overheads[] = {{"Unknown", 1},
                                             {"Driver Compiler", 2},
                                             {"Buffer Flush", 3},
                                             {"Instrumentation", 4},
                                             {"Resource", 5},
                                             {"Runtime Triggered Module Loading", 6},
                                             {"Lazy Function Loading", 7},
                                             {"Command Buffer Full", 8},
                                             {"Activity Buffer Request", 9}};

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + before.size());
  const std::size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

// Returns whether PyTorch itself makes the annotation.
bool is_annotation(std::string_view name) {
  for (const std::string_view begin : {"ProfilerStep#", "Optimizer.", "enumerate(DataLoader)"}) {
    if (name.starts_with(begin)) return true;
  }
  return false;
}

}  // namespace

Category category_of(std::string_view category, std::string_view name) {
  const Category found = find(categories, category).value_or(Category::unknown);
  // A runtime or driver API of another vendor, such as "xpu_runtime".
  const bool is_call = category.ends_with("_runtime") || category.ends_with("_driver");
  if (found == Category::unknown && is_call) return Category::foreign_call;
  const bool is_of_cuda = found == Category::runtime_call || found == Category::driver_call;
  if (is_of_cuda && name.starts_with("hip")) return Category::foreign_call;
  if (category == "Operator" && is_annotation(name)) return Category::annotation;
  // PyTorch's annotations of collectives are operators, not phases of the program.
  if (found == Category::annotation && name.starts_with("nccl:")) return Category::op;
  return found;
}

CopyKinds copy_kinds(std::string_view name) {
  CopyKinds kinds;
  kinds.copy = find(copies, between(name, "Memcpy ", " ")).value_or(0);
  kinds.source = find(memories, between(name, "(", " -> "));
  kinds.target = find(memories, between(name, " -> ", ")"));
  return kinds;
}

std::optional<std::int64_t> memset_kind(std::string_view name) {
  return find(memories, between(name, "Memset (", ")"));
}

std::int64_t sync_type(std::string_view name) { return find(syncs, name).value_or(0); }

std::int64_t overhead_type(std::string_view name) { return find(overheads, name).value_or(0); }

std::optional<std::int64_t> stream_of_track(std::string_view track) {
  constexpr std::string_view prefix = "stream ";
  if (!track.starts_with(prefix)) return std::nullopt;
  return integer(track.substr(prefix.size()));
}

std::optional<std::int64_t> blocks_per_multiprocessor(std::int64_t major, std::int64_t minor) {
  if (major == 7) return minor == 5 ? 16 : 32;
  if (major == 8) return minor == 0 ? 32 : minor == 9 ? 24 : 16;
  if (major == 11 || major == 12) return 24;
  if (major == 5 || major == 6 || major == 9 || major == 10) return 32;
  return std::nullopt;
}

}  // namespace lapscope::kineto
