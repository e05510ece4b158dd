#pragma once

#include "tests/gpu/programs/independent/common.cuh"

// Each function prepares one program and returns its round. With `broken`, the program has its
// planted mistake. The controls have no mistake.
namespace independent {

Round heat_residual(bool broken);
Round spmv_and_histogram(bool broken);
Round batched_matmul_scratch(bool broken);
Round control_shuffle_between(bool broken);
Round gemm_service(bool broken);
Round video_filter(bool broken);
Round texture_entropy(bool broken);
Round frame_checksum(bool broken);
Round pi_estimator(bool broken);
Round search_with_background(bool broken);
Round control_two_jobs_one_stream(bool broken);
Round spectrum_consumer(bool broken);
Round slab_upload(bool broken);
Round control_graph_pipeline(bool broken);
Round sort_service(bool broken);
Round radix_sort_chain(bool broken);

}  // namespace independent
