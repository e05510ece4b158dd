#pragma once

#include <string_view>

// What names were found in for the code of a file: values of LAPSCOPE_MODULES.symbols.
namespace lapscope::schema::known_symbols {

inline constexpr std::string_view lines = "lines";
inline constexpr std::string_view functions = "functions";  // and no lines
// Lines, too, which a lapscope without libdw has not read.
inline constexpr std::string_view unread_lines = "unread lines";
inline constexpr std::string_view none = "none";        // it is stripped
inline constexpr std::string_view missing = "missing";  // the file was not there
inline constexpr std::string_view changed = "changed";  // a file of another build id was there

}  // namespace lapscope::schema::known_symbols
