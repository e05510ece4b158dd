#pragma once

#include <array>
#include <string_view>

// Tables that current or older releases of Nsight Systems write. lapscope reads these tables, but
// does not write them. tables.h declares the tables that both lapscope and Nsight Systems write.
namespace lapscope::schema::export_table {

inline constexpr std::string_view analysis_details = "ANALYSIS_DETAILS";  // length of the session
inline constexpr std::string_view diagnostic_event = "DIAGNOSTIC_EVENT";
inline constexpr std::string_view export_meta_data = "EXPORT_META_DATA";  // later META_DATA_EXPORT
inline constexpr std::string_view cuda_gpu = "TARGET_INFO_CUDA_GPU";      // before 2021.3
inline constexpr std::string_view null_stream = "TARGET_INFO_CUDA_NULL_STREAM";  // until 2023.3
inline constexpr std::string_view os_calls = "OSRT_API";
inline constexpr std::string_view os_call_frames = "OSRT_CALLCHAINS";
inline constexpr std::string_view scheduling = "SCHED_EVENTS";
inline constexpr std::string_view samples = "COMPOSITE_EVENTS";
inline constexpr std::string_view sample_frames = "SAMPLING_CALLCHAINS";
inline constexpr std::string_view mpi_p2p = "MPI_P2P_EVENTS";
inline constexpr std::string_view mpi_collectives = "MPI_COLLECTIVES_EVENTS";
inline constexpr std::string_view mpi_waits = "MPI_START_WAIT_EVENTS";
inline constexpr std::string_view mpi_others = "MPI_OTHER_EVENTS";

inline constexpr std::array all = {
    analysis_details, diagnostic_event, export_meta_data, cuda_gpu,   null_stream,
    os_calls,         os_call_frames,   scheduling,       samples,    sample_frames,
    mpi_p2p,          mpi_collectives,  mpi_waits,        mpi_others,
};

}  // namespace lapscope::schema::export_table
