#include "readers/xprof/profile_events.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "readers/kineto/name_table.h"

namespace lapscope::xprof {
namespace {

using kineto::Named;
using Number = std::optional<std::int64_t>;

Number number(std::string_view text) {
  std::int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last ? Number(value) : std::nullopt;
}

// Returns the value after "key:" in a space-separated list of "key:value"; empty if it is absent.
std::string_view value_of(std::string_view details, std::string_view key) {
  while (!details.empty()) {
    const std::string_view word = details.substr(0, details.find(' '));
    details.remove_prefix(std::min(details.size(), word.size() + 1));
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == ':') {
      return word.substr(key.size() + 1);
    }
  }
  return {};
}

void three_numbers(std::string_view text, Number (&numbers)[3]) {
  for (Number& one : numbers) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    one = number(part);
  }
}

constexpr Named<std::int64_t> memory_kinds[] = {
    {"pageable", 0}, {"pinned", 1},        {"device", 2},        {"array", 3},
    {"managed", 4},  {"device_static", 5}, {"managed_static", 6}};

Number memory_kind(std::string_view name) { return kineto::find(memory_kinds, name); }

struct Copy {
  std::int64_t code;  // ENUM_CUDA_MEMCPY_OPER
  std::string_view function;
};
// XProf names a copy "MemcpyH2D" for CUDA and "CopyHostToDevice" for HIP.
constexpr Named<Copy> copies[] = {
    {"MemcpyH2D", {1, "cuMemcpyHtoD"}},  {"CopyHostToDevice", {1, "cuMemcpyHtoD"}},
    {"MemcpyD2H", {2, "cuMemcpyDtoH"}},  {"CopyDeviceToHost", {2, "cuMemcpyDtoH"}},
    {"MemcpyD2D", {8, "cuMemcpyDtoD"}},  {"CopyDeviceToDevice", {8, "cuMemcpyDtoD"}},
    {"MemcpyP2P", {10, "cuMemcpyPeer"}}, {"MemcpyOther", {0, "cuMemcpy"}}};

// The CUDA functions of calls for which XProf writes only a type, for example "MemoryAlloc".
constexpr Named<std::string_view> functions[] = {{"MemoryAlloc", "cuMemAlloc"},
                                                 {"MemoryFree", "cuMemFree"},
                                                 {"HostRegister", "cuMemHostRegister"},
                                                 {"HostUnregister", "cuMemHostUnregister"},
                                                 {"CudaGraph", "cuGraphLaunch"}};

// Prefixes of driver API functions. "cu" and a capital letter do not suffice, because names of
// kernels can begin in the same way.
constexpr std::string_view families[] = {
    "cuLaunch",  "cuMem",  "cuGraph",  "cuStream", "cuEvent",     "cuCtx",     "cuModule",
    "cuLibrary", "cuFunc", "cuKernel", "cuDevice", "cuOccupancy", "cuPointer", "cuProfiler"};

bool is_function(std::string_view name) {
  const auto is_upper = [&name](std::size_t at) {
    return name.size() > at && std::isupper(static_cast<unsigned char>(name[at])) != 0;
  };
  return std::any_of(std::begin(families), std::end(families),
                     [name](std::string_view family) { return name.starts_with(family); }) ||
         (name.starts_with("cuda") && is_upper(4)) || (name.starts_with("hip") && is_upper(3));
}

using Number = std::optional<std::int64_t>;

// Returns the number at the start of a text.
Number leading_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? Number(value) : std::nullopt;
}

constexpr kineto::Named<Number Event::*> numbers[] = {
    {"correlation_id", &Event::correlation},    {"context_id", &Event::context},
    {"cuda_graph_id", &Event::graph},           {"cuda_graph_exec_id", &Event::graph},
    {"cuda_graph_node_id", &Event::graph_node}, {"step_num", &Event::step},
};

constexpr kineto::Named<std::string_view Event::*> texts[] = {{"kernel_details", &Event::kernel},
                                                              {"memcpy_details", &Event::copy},
                                                              {"Memset_details", &Event::memset},
                                                              {"memset_details", &Event::memset}};

}  // namespace

KernelShape kernel_shape(std::string_view details) {
  KernelShape shape;
  shape.registers = number(value_of(details, "regs"));
  shape.static_shared = number(value_of(details, "static_shared"));
  shape.dynamic_shared = number(value_of(details, "dynamic_shared"));
  three_numbers(value_of(details, "grid"), shape.grid);
  three_numbers(value_of(details, "block"), shape.block);
  return shape;
}

Transfer transfer(std::string_view details) {
  Transfer result;
  result.bytes = number(value_of(details, "size"));
  if (!result.bytes) result.bytes = number(value_of(details, "num_bytes"));
  result.target_device = number(value_of(details, "dest"));
  result.source_kind = memory_kind(value_of(details, "kind_src"));
  result.target_kind = memory_kind(value_of(details, "kind_dst"));
  if (!result.target_kind) result.target_kind = memory_kind(value_of(details, "kind"));
  const std::string_view async = value_of(details, "async");
  if (!async.empty()) result.is_async = async != "0" && async != "false";
  return result;
}

std::int64_t copy_kind(std::string_view name) {
  const std::optional<Copy> copy = kineto::find(copies, name);
  return copy ? copy->code : 0;
}

std::string function_of_call(std::string_view name, const Transfer& transfer) {
  name = name.substr(0, name.find(" (CudaGraph:"));
  if (is_function(name)) return std::string(name);
  const char* const async = transfer.is_async.value_or(true) ? "Async" : "";
  if (const auto copy = kineto::find(copies, name)) return std::string(copy->function) + async;
  if (name == "Memset" || name.starts_with("Memset ")) return std::string("cuMemsetD8") + async;
  return std::string(kineto::find(functions, name).value_or("cuLaunchKernel"));
}

std::string python_function(std::string_view name) {
  if (name.starts_with('$')) name.remove_prefix(1);
  const std::size_t space = name.find(' ');
  const std::size_t colon = space == std::string_view::npos ? space : name.rfind(':', space);
  if (colon == std::string_view::npos || colon == 0) return std::string(name);
  if (!number(name.substr(colon + 1, space - colon - 1))) return std::string(name);
  return std::string(name.substr(0, colon)) + "(" +
         std::string(name.substr(colon + 1, space - colon - 1)) +
         "): " + std::string(name.substr(space + 1));
}

analyzer::Ns nearest_ns(std::int64_t ps) {
  constexpr std::int64_t ps_in_ns = 1000;
  return ps / ps_in_ns + (ps % ps_in_ns * 2 >= ps_in_ns ? 1 : 0);
}

Number gpu_of_plane(std::string_view plane) {
  constexpr std::string_view prefix = "/device:GPU:";
  if (!plane.starts_with(prefix)) return std::nullopt;
  const Number device = leading_number(plane.substr(prefix.size()));
  return device && *device >= 0 ? device : std::nullopt;
}

Number stream_of_line(std::string_view line) {
  constexpr std::string_view prefix = "Stream #";
  constexpr std::int64_t first_of_managed_memory = 0x10000000;
  if (!line.starts_with(prefix)) return std::nullopt;
  const Number stream = leading_number(line.substr(prefix.size()));
  return stream && 0 <= *stream && *stream < first_of_managed_memory ? stream : std::nullopt;
}

void set_stat(std::string_view stat, std::string_view text, Event& event) {
  if (const auto number = kineto::find(numbers, stat)) {
    while (text.starts_with('$')) text.remove_prefix(1);  // "$$1": a text that looks like a number
    event.*(*number) = leading_number(text);
  }
  if (const auto member = kineto::find(texts, stat)) event.*(*member) = text;
  event.is_allocation |=
      stat == "memalloc_details" || stat == "MemFree_details" || stat == "MemoryResidency_details";
}

}  // namespace lapscope::xprof
