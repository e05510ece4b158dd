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

// Reads rows for the table of kinds (KindTable) from TOML (docs/host-time.md). `name` is the name
// of the file in messages. Throws KindsFileError with the place in the file.
std::vector<KindRow> read_kinds_file(std::string_view content, const std::string& name);

}  // namespace lapscope::analyzer
