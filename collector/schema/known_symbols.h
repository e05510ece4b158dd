#pragma once

#include <string_view>

// Values of LAPSCOPE_MODULES.symbols: which symbols were found for the code of a file.
namespace lapscope::schema::known_symbols {

inline constexpr std::string_view lines = "lines";
inline constexpr std::string_view functions = "functions";  // without lines
// Functions without lines. The file has line tables, but this build of lapscope cannot read them,
// because it lacks libdw.
inline constexpr std::string_view unread_lines = "unread lines";
inline constexpr std::string_view none = "none";        // the file is stripped
inline constexpr std::string_view missing = "missing";  // the file was not there
inline constexpr std::string_view changed = "changed";  // a file with another build id was there

}  // namespace lapscope::schema::known_symbols
