#pragma once

#include <cupti.h>

// The newest record structs in the toolkit's header (CUDA 12.8 or later). Synthetic records of
// these structs reveal mistakes in lapscope's layouts.
namespace lapscope::test {

#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
using MemoryPoolRecord = CUpti_ActivityMemoryPool3;
#else
using MemoryPoolRecord = CUpti_ActivityMemoryPool2;
using KernelRecord = CUpti_ActivityKernel9;
#endif
using MemcpyRecord = CUpti_ActivityMemcpy6;
using MemcpyPeerRecord = CUpti_ActivityMemcpyPtoP4;
using MemsetRecord = CUpti_ActivityMemset4;
using ApiRecord = CUpti_ActivityAPI;
using SynchronizationRecord = CUpti_ActivitySynchronization2;
using CudaEventRecord = CUpti_ActivityCudaEvent2;
using StreamRecord = CUpti_ActivityStream;
using ContextRecord = CUpti_ActivityContext3;
using DeviceRecord = CUpti_ActivityDevice5;
using MemoryRecord = CUpti_ActivityMemory4;
using UnifiedMemoryRecord = CUpti_ActivityUnifiedMemoryCounter3;
using GraphTraceRecord = CUpti_ActivityGraphTrace2;
using JitRecord = CUpti_ActivityJit2;
using OverheadRecord = CUpti_ActivityOverhead3;
using MarkerRecord = CUpti_ActivityMarker2;

// Makes a zeroed record with its kind.
template <class Record>
Record make_record(CUpti_ActivityKind kind) {
  Record record{};
  record.kind = kind;
  return record;
}

}  // namespace lapscope::test
