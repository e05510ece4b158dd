#pragma once

#include <vector>

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

// Returns the GPUs of an export by CUDA device number, the number that ops have. The table of GPUs
// has other ids. TARGET_INFO_CUDA_DEVICE or the column cuDevice shows which id belongs to which
// device number.
//
//   TARGET_INFO_GPU  id 0, cuDevice 1    a kernel of device 1 ran on the GPU of id 0
//                    id 1, cuDevice 0
//
// Before 2021.3 the table is TARGET_INFO_CUDA_GPU, with other column names. If several processes
// assign one device number to different models of GPU, ListedGpus::by_device has no entry for this
// number.
ListedGpus read_gpus(schema::Database& database);

}  // namespace lapscope::analyzer::nsys
