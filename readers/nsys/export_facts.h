#pragma once

#include <string>
#include <vector>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/read_target.h"

namespace lapscope::analyzer::nsys {

// Returns the contexts of an export from before 2024, ordered by process and id. Such an export has
// a table of null streams instead of a table of contexts.
std::vector<CudaContext> read_null_streams(schema::Database& database);

// Marks the legacy default streams for exports before 2022, which do not record the kind of a
// stream.
void name_null_streams(Trace& trace);

// Returns the GPUs of an export by CUDA device number. Ops refer to a GPU by this number, but the
// table of GPUs has another number, the id. The column cuDevice, or the table
// TARGET_INFO_CUDA_DEVICE, has the device number for each id:
//
//   TARGET_INFO_GPU  id 0, cuDevice 1    a kernel of device 1 ran on the GPU with id 0
//                    id 1, cuDevice 0
//
// Before 2021.3 the table is TARGET_INFO_CUDA_GPU, with other column names. If several processes
// assign one device number to different models of GPU, ListedGpus::by_device has no entry for this
// number.
ListedGpus read_gpus(schema::Database& database);

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
