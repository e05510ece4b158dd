#include "readers/xprof/profile_events.h"

#include <charconv>

#include "readers/kineto/name_table.h"

namespace lapscope::xprof {
namespace {

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
