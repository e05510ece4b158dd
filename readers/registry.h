#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "readers/trace_format.h"

namespace lapscope::analyzer {

std::span<const TraceFormat* const> formats();

// Of "nsys/3.24.14", or "nsys". Null when there is none of that name.
const TraceFormat* format_named(std::string_view name);

// The format that a file is of which is no database. Null where it is none, or a database.
const TraceFormat* format_of_source(const std::filesystem::path& file,
                                    Likeness at_least = Likeness::possible);

}  // namespace lapscope::analyzer
