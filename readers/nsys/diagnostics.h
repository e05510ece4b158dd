#pragma once

#include <string>
#include <vector>

#include "analyzer/model/health.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer::nsys {

// Whether a database is an export of Nsight Systems, be it one of a run without CUDA.
bool is_export(schema::Database& database);

// The versions that the export states: "3.24.14" and "2026.1.1.204". Empty if it does not state
// them.
std::string schema_version(schema::Database& database);
std::string product_version(schema::Database& database);

// Adds what Nsight Systems itself said went wrong with the recording of CUDA and NVTX.
void add_diagnostics(schema::Database& database, std::vector<HealthRow>& health);

}  // namespace lapscope::analyzer::nsys
