#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/host_time/host_kinds.h"

namespace lapscope::analyzer {

class KindsFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Rows for the table of kinds, from TOML (docs/host-time.md). Throws KindsFileError with the place
// in the file; `name` is what the file is called.
std::vector<KindRow> read_kinds_file(std::string_view content, const std::string& name);

}  // namespace lapscope::analyzer
