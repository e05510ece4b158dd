#pragma once

#include <cstdint>
#include <optional>

#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// When the recording ended, in the trace's time, by the last reading of the host's clock: whatever
// the trace holds had ended by then. Nothing where the trace does not tell.
std::optional<std::int64_t> last_reading(schema::Database& database);

}  // namespace lapscope::analyzer
