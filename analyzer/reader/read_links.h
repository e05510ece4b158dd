#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// What the links of the devices carry, by device id; `id_of_uuid` are the GPUs of the trace. Empty
// for traces that do not tell.
std::map<std::int64_t, LinkRates> read_links(schema::Database& database,
                                             const std::map<std::string, std::int64_t>& id_of_uuid);

}  // namespace lapscope::analyzer
