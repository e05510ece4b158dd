#include "readers/trace_format.h"

namespace lapscope::analyzer {
namespace {

constexpr const TraceFormat* all[] = {
    &lapscope_format,
    &nsys_format,
    &xprof_format,  // before kineto_format, which takes all JSON
    &kineto_format,
};

}  // namespace

std::span<const TraceFormat* const> formats() { return all; }

const TraceFormat* format_named(std::string_view name) {
  for (const TraceFormat* format : all) {
    if (format->name == name.substr(0, name.find('/'))) return format;
  }
  return nullptr;
}

const TraceFormat* format_of_source(const std::filesystem::path& file, Likeness at_least) {
  for (const TraceFormat* format : all) {
    const auto likeness = format->file.likeness;
    if (likeness != nullptr && likeness(file) >= at_least) return format;
  }
  return nullptr;
}

}  // namespace lapscope::analyzer
