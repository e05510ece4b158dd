#pragma once

#include <string>
#include <vector>

#include "analyzer/model/health.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer::nsys {

// Returns whether a database is an export of Nsight Systems. The run need not have used CUDA.
bool is_export(schema::Database& database);

// schema_version() returns the version of the export's schema, such as "3.24.14". product_version()
// returns the version of Nsight Systems, such as "2026.1.1.204". Each returns an empty text if the
// export does not state the version.
std::string schema_version(schema::Database& database);
std::string product_version(schema::Database& database);

// Adds the errors and warnings of Nsight Systems about the recording of CUDA and NVTX.
void add_diagnostics(schema::Database& database, std::vector<HealthRow>& health);

}  // namespace lapscope::analyzer::nsys
