// Programs like those of users. Their author did not know how lapscope works. The arguments are
// NAME broken|fixed [REPEATS], as in planted.cuh. If CHECK_RESULTS is set, prints a hash of each
// result to stderr. With the same REPEATS, broken and fixed have the same hashes.

#include "tests/gpu/programs/independent/programs.cuh"

using namespace independent;

namespace {

void print_hashes() {
  for (const Watched& buffer : watched()) {
    std::vector<unsigned char> bytes(buffer.bytes);
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, buffer.memory));
    if (attributes.type == cudaMemoryTypeDevice)
      check(cudaMemcpy(bytes.data(), buffer.memory, buffer.bytes, cudaMemcpyDeviceToHost));
    else
      std::memcpy(bytes.data(), buffer.memory, buffer.bytes);
    std::uint64_t hash = 1469598103934665603ULL;
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ULL;
    std::fprintf(stderr, "check %s: %016llx\n", buffer.what, static_cast<unsigned long long>(hash));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const planted::Programs programs{{"heat-residual", heat_residual},
                                   {"spmv-and-histogram", spmv_and_histogram},
                                   {"batched-matmul-scratch", batched_matmul_scratch},
                                   {"control-shuffle-between", control_shuffle_between},
                                   {"gemm-service", gemm_service},
                                   {"video-filter", video_filter},
                                   {"texture-entropy", texture_entropy},
                                   {"frame-checksum", frame_checksum},
                                   {"pi-estimator", pi_estimator},
                                   {"search-with-background", search_with_background},
                                   {"control-two-jobs-one-stream", control_two_jobs_one_stream},
                                   {"spectrum-consumer", spectrum_consumer},
                                   {"slab-upload", slab_upload},
                                   {"control-graph-pipeline", control_graph_pipeline},
                                   {"sort-service", sort_service},
                                   {"radix-sort-chain", radix_sort_chain}};
  const int result = planted::run(programs, argc, argv);
  if (result == 0 && std::getenv("CHECK_RESULTS") != nullptr) print_hashes();
  return result;
}
