#include "collector/schema/enumeration.h"

namespace lapscope::schema {
namespace {

constexpr Enumerator memcpy_oper[] = {
    {0, "CUDA_MEMCPY_KIND_UNKNOWN", "Unknown"},
    {1, "CUDA_MEMCPY_KIND_HTOD", "Host-to-Device"},
    {2, "CUDA_MEMCPY_KIND_DTOH", "Device-to-Host"},
    {3, "CUDA_MEMCPY_KIND_HTOA", "Host-to-Array"},
    {4, "CUDA_MEMCPY_KIND_ATOH", "Array-to-Host"},
    {5, "CUDA_MEMCPY_KIND_ATOA", "Array-to-Array"},
    {6, "CUDA_MEMCPY_KIND_ATOD", "Array-to-Device"},
    {7, "CUDA_MEMCPY_KIND_DTOA", "Device-to-Array"},
    {8, "CUDA_MEMCPY_KIND_DTOD", "Device-to-Device"},
    {9, "CUDA_MEMCPY_KIND_HTOH", "Host-to-Host"},
    {10, "CUDA_MEMCPY_KIND_PTOP", "Peer-to-Peer"},
    {codes::migration_to_device, "CUDA_MEMCPY_KIND_UVM_HTOD", "Unified Host-to-Device"},
    {codes::migration_to_host, "CUDA_MEMCPY_KIND_UVM_DTOH", "Unified Device-to-Host"},
    {codes::migration_between_devices, "CUDA_MEMCPY_KIND_UVM_DTOD", "Unified Device-to-Device"},
};

constexpr Enumerator memory_kind[] = {
    {0, "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", "Pageable"},
    {1, "CUDA_MEMOPR_MEMORY_KIND_PINNED", "Pinned"},
    {2, "CUDA_MEMOPR_MEMORY_KIND_DEVICE", "Device"},
    {3, "CUDA_MEMOPR_MEMORY_KIND_ARRAY", "Array"},
    {codes::managed, "CUDA_MEMOPR_MEMORY_KIND_MANAGED", "Managed"},
    {5, "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC", "Device Static"},
    {6, "CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC", "Managed Static"},
    {7, "CUDA_MEMOPR_MEMORY_KIND_UNKNOWN", "Unknown"},
};

constexpr Enumerator launch_type[] = {
    {0, "CUDA_KERNEL_LAUNCH_TYPE_UNKNOWN", "Unknown"},
    {1, "CUDA_KERNEL_LAUNCH_TYPE_REGULAR", "Regular"},
    {2, "CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE", "Cooperative, one device"},
    {3, "CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE", "Cooperative, several devices"},
};

constexpr Enumerator stream_type[] = {
    {0, "CUPTI_STREAM_TYPE_UNKNOWN", "Unknown"},
    {1, "CUPTI_STREAM_TYPE_DEFAULT", "Blocking"},
    {2, "CUPTI_STREAM_TYPE_NON_BLOCKING", "Non-blocking"},
    {3, "CUPTI_STREAM_TYPE_NULL", "Legacy default"},
};

constexpr Enumerator sync_type[] = {
    {0, "CUPTI_SYNC_TYPE_UNKNOWN", "Unknown"},
    {1, "CUPTI_SYNC_TYPE_EVENT_SYNCHRONIZE", "Event sync"},
    {2, "CUPTI_SYNC_TYPE_STREAM_WAIT_EVENT", "Stream wait event"},
    {3, "CUPTI_SYNC_TYPE_STREAM_SYNCHRONIZE", "Stream sync"},
    {4, "CUPTI_SYNC_TYPE_CONTEXT_SYNCHRONIZE", "Context sync"},
};

constexpr Enumerator overhead_type[] = {
    {0, "CUPTI_OVERHEAD_TYPE_UNDEFINED", "Undefined"},
    {1, "CUPTI_OVERHEAD_TYPE_UNKNOWN", "Unknown"},
    {2, "CUPTI_OVERHEAD_TYPE_DRIVER_COMPILER", "Driver compiler"},
    {3, "CUPTI_OVERHEAD_TYPE_CUPTI_BUFFER_FLUSH", "CUPTI buffer flush"},
    {4, "CUPTI_OVERHEAD_TYPE_CUPTI_INSTRUMENTATION", "CUPTI instrumentation"},
    {5, "CUPTI_OVERHEAD_TYPE_CUPTI_RESOURCE", "CUPTI resource management"},
    {6, "CUPTI_OVERHEAD_TYPE_RUNTIME_TRIGGERED_MODULE_LOADING", "Module loading"},
    {7, "CUPTI_OVERHEAD_TYPE_LAZY_FUNCTION_LOADING", "Lazy function loading"},
    {8, "CUPTI_OVERHEAD_TYPE_COMMAND_BUFFER_FULL", "Command buffer full"},
    {9, "CUPTI_OVERHEAD_TYPE_ACTIVITY_BUFFER_REQUEST", "Activity buffer request"},
    {10, "CUPTI_OVERHEAD_TYPE_UVM_ACTIVITY_INIT", "Unified memory tracing set-up"},
};

constexpr Enumerator memory_operation[] = {
    {0, "CUDA_DEV_MEM_EVENT_OPER_ALLOCATION", "Allocation"},
    {1, "CUDA_DEV_MEM_EVENT_OPER_DEALLOCATION", "Deallocation"},
};

constexpr Enumerator pool_operation[] = {
    {0, "CUDA_MEMPOOL_OPER_INVALID", "Not known"},
    {1, "CUDA_MEMPOOL_OPER_CREATED", "Created"},
    {2, "CUDA_MEMPOOL_OPER_DESTROYED", "Destroyed"},
    {3, "CUDA_MEMPOOL_OPER_TRIMMED", "Trimmed"},
};

constexpr Enumerator pool_type[] = {
    {0, "CUDA_MEMPOOL_TYPE_INVALID", "Not known"},
    {1, "CUDA_MEMPOOL_TYPE_LOCAL", "Local"},
    {2, "CUDA_MEMPOOL_TYPE_IMPORTED", "Imported"},
};

constexpr Enumerator migration_cause[] = {
    {0, "CUDA_UNIF_MEM_MIGRATION_UNKNOWN", "Not known"},
    {1, "CUDA_UNIF_MEM_MIGRATION_USER", "Requested by the program"},
    {2, "CUDA_UNIF_MEM_MIGRATION_COHERENCE", "Needed for coherence"},
    {3, "CUDA_UNIF_MEM_MIGRATION_PREFETCH", "Prefetched by the driver"},
    {4, "CUDA_UNIF_MEM_MIGRATION_EVICTION", "Evicted"},
    {5, "CUDA_UNIF_MEM_MIGRATION_ACCESS_COUNTERS", "Access counters"},
};

constexpr Enumerator access_type[] = {
    {0, "CUDA_UNIF_MEM_ACCESS_TYPE_UNKNOWN", "Not known"},
    {1, "CUDA_UNIF_MEM_ACCESS_TYPE_READ", "Read"},
    {2, "CUDA_UNIF_MEM_ACCESS_TYPE_WRITE", "Write"},
    {3, "CUDA_UNIF_MEM_ACCESS_TYPE_ATOMIC", "Atomic"},
    {4, "CUDA_UNIF_MEM_ACCESS_TYPE_PREFETCH", "Prefetch"},
};

// CUPTI's own values.
constexpr Enumerator jit_entry[] = {
    {0, "CUPTI_ACTIVITY_JIT_ENTRY_INVALID", "Not known"},
    {1, "CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN", "PTX to machine code"},
    {2, "CUPTI_ACTIVITY_JIT_ENTRY_NVVM_IR_TO_PTX", "NVVM IR to PTX"},
};

constexpr Enumerator jit_operation[] = {
    {0, "CUPTI_ACTIVITY_JIT_OPERATION_INVALID", "Not known"},
    {1, "CUPTI_ACTIVITY_JIT_OPERATION_CACHE_LOAD", "Cache read"},
    {2, "CUPTI_ACTIVITY_JIT_OPERATION_CACHE_STORE", "Cache write"},
    {3, "CUPTI_ACTIVITY_JIT_OPERATION_COMPILE", "Compilation"},
};

// The ids that lapscope writes; nsys has many more.
constexpr Enumerator event_type[] = {
    {codes::nvtx_mark, "NvtxMark", "NVTX mark"},
    {codes::push_pop_range, "NvtxPushPopRange", "NVTX range of one thread"},
    {codes::start_end_range, "NvtxStartEndRange", "NVTX range across threads"},
    {codes::nvtx_domain, "NvtxDomainCreate", "NVTX domain"},
};

constexpr Enumerator event_class[] = {
    {codes::runtime_call, "CUDA_RUNTIME", "Runtime API"},
    {codes::driver_call, "CUDA_DRIVER", "Driver API"},
    {codes::overhead, "CUDA_OVERHEAD", "Overhead"},
};

// CUPTI's own values, because nsys does not export channels.
constexpr Enumerator channel_type[] = {
    {0, "CUPTI_CHANNEL_TYPE_INVALID", "Not known"},
    {codes::compute_channel, "CUPTI_CHANNEL_TYPE_COMPUTE", "Compute"},
    {codes::copy_channel, "CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY", "Asynchronous copy"},
    {3, "CUPTI_CHANNEL_TYPE_DECOMP", "Decompression"},
};

constexpr Enumerator stream_memory_op[] = {
    {0, "STREAM_MEM_OP_WAIT", "Wait for a value"},
    {1, "STREAM_MEM_OP_WRITE", "Write a value"},
    {2, "STREAM_MEM_OP_BATCH", "Batch"},
};

// CUDA's own values (CUgraphNodeType).
constexpr Enumerator graph_node_type[] = {
    {codes::kernel_node, "CU_GRAPH_NODE_TYPE_KERNEL", "Kernel"},
    {1, "CU_GRAPH_NODE_TYPE_MEMCPY", "Copy"},
    {codes::memset_node, "CU_GRAPH_NODE_TYPE_MEMSET", "Memset"},
    {codes::host_node, "CU_GRAPH_NODE_TYPE_HOST", "Host function"},
    {4, "CU_GRAPH_NODE_TYPE_GRAPH", "Child graph"},
    {codes::empty_node, "CU_GRAPH_NODE_TYPE_EMPTY", "Empty"},
    {6, "CU_GRAPH_NODE_TYPE_WAIT_EVENT", "Wait for an event"},
    {7, "CU_GRAPH_NODE_TYPE_EVENT_RECORD", "Record an event"},
    {8, "CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL", "Signal external semaphores"},
    {9, "CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT", "Wait for external semaphores"},
    {10, "CU_GRAPH_NODE_TYPE_MEM_ALLOC", "Allocation"},
    {11, "CU_GRAPH_NODE_TYPE_MEM_FREE", "Release"},
    {12, "CU_GRAPH_NODE_TYPE_BATCH_MEM_OP", "Batch of memory operations"},
    {13, "CU_GRAPH_NODE_TYPE_CONDITIONAL", "Conditional"},
};

// States of a thread, from /proc/self/task/*/{stat,syscall} and from the Python interpreter.
constexpr Enumerator thread_state[] = {
    {0, "LAPSCOPE_THREAD_UNKNOWN", "Not known"},
    {1, "LAPSCOPE_THREAD_RUNNING", "Running or ready to run"},
    {2, "LAPSCOPE_THREAD_LOCK", "Waiting for a lock or another thread"},
    {3, "LAPSCOPE_THREAD_INTERPRETER_LOCK", "Waiting for the interpreter's lock"},
    {4, "LAPSCOPE_THREAD_READING", "Reading or writing"},
    {5, "LAPSCOPE_THREAD_POLLING", "Waiting for input"},
    {6, "LAPSCOPE_THREAD_SLEEPING", "Sleeping"},
    {7, "LAPSCOPE_THREAD_CHILD", "Waiting for another process"},
    {8, "LAPSCOPE_THREAD_UNINTERRUPTIBLE", "In a page fault or waiting for a disk"},
    {9, "LAPSCOPE_THREAD_DRIVER", "In a driver call"},
    {10, "LAPSCOPE_THREAD_OTHER", "In another system call"},
    {11, "LAPSCOPE_THREAD_GARBAGE_COLLECTION", "Running Python's garbage collector"},
    {12, "LAPSCOPE_THREAD_OFF_PROCESSOR", "Not running: waiting or ready to run"},
};

constexpr Enumeration all[] = {
    {"ENUM_CUDA_MEMCPY_OPER", memcpy_oper},
    {"ENUM_CUDA_MEM_KIND", memory_kind},
    {"ENUM_CUDA_KERNEL_LAUNCH_TYPE", launch_type},
    {"ENUM_CUPTI_STREAM_TYPE", stream_type},
    {"ENUM_CUPTI_SYNC_TYPE", sync_type},
    {"ENUM_CUPTI_OVERHEAD_TYPE", overhead_type},
    {"ENUM_CUDA_DEV_MEM_EVENT_OPER", memory_operation},
    {"ENUM_CUDA_MEMPOOL_OPER", pool_operation},
    {"ENUM_CUDA_MEMPOOL_TYPE", pool_type},
    {"ENUM_CUDA_UNIF_MEM_MIGRATION", migration_cause},
    {"ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", access_type},
    {"ENUM_LAPSCOPE_JIT_ENTRY", jit_entry},
    {"ENUM_LAPSCOPE_JIT_OPERATION", jit_operation},
    {"ENUM_NSYS_EVENT_TYPE", event_type},
    {"ENUM_NSYS_EVENT_CLASS", event_class},
    {"ENUM_LAPSCOPE_CHANNEL_TYPE", channel_type},
    {"ENUM_LAPSCOPE_STREAM_MEM_OP", stream_memory_op},
    {"ENUM_LAPSCOPE_GRAPH_NODE_TYPE", graph_node_type},
    {"ENUM_LAPSCOPE_THREAD_STATE", thread_state},
};

}  // namespace

std::span<const Enumeration> enumerations() { return all; }

Enumeration enumeration(std::string_view table) {
  for (const Enumeration& candidate : all) {
    if (candidate.table == table) return candidate;
  }
  return {table, {}};
}

}  // namespace lapscope::schema
