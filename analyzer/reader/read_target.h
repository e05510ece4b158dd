#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

struct Gpu {
  std::string name;
  DeviceLimits limits;
  LinkRates links;
};

// The GPUs by device id.
std::map<std::int64_t, Gpu> read_gpus(schema::Database& database);

// The recorded streams by the device of their context, each list by process and id.
std::map<std::int64_t, std::vector<Stream>> read_streams(schema::Database& database);

}  // namespace lapscope::analyzer
