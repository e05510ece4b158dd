#pragma once

#include <cstdint>
#include <map>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer::nsys {

// The GPUs of an export by the number that CUDA, and so every op, has for them. An export numbers
// GPUs in its own way: TARGET_INFO_CUDA_DEVICE, or the column cuDevice, shows which is which.
//
//   TARGET_INFO_GPU  id 0, cuDevice 1    a kernel of device 1 ran on the GPU of id 0
//                    id 1, cuDevice 0
//
// Before 2021.3 the table is TARGET_INFO_CUDA_GPU and names its columns otherwise. Where processes
// number unlike GPUs differently, a device's GPU is not known: it has no entry.
std::map<std::int64_t, Gpu> read_gpus(schema::Database& database);

// Whether the export has a table of GPUs with rows.
bool lists_gpus(schema::Database& database);

}  // namespace lapscope::analyzer::nsys
