// sealed_programs NAME VARIANT [REPEATS]: programs like those of users, to evaluate lapscope.
// VARIANT is broken or fixed. A control has no mistake, and its VARIANT is control. Runs the work
// once as warm-up. Then runs it REPEATS times in an NVTX range "measured", and prints a checksum
// and the wall time of each repeat. planted.json describes the mistakes. Without a GPU, the exit
// status is 77.

#include "tests/gpu/programs/sealed/programs.cuh"

#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <map>
#include <string>

using namespace sealed;

namespace {

struct Entry {
  Program (*make)(bool);
  void (*before)(bool) = nullptr;  // Before CUDA is used.
};

const std::map<std::string, Entry> programs{{"transcode", {transcode}},
                                            {"thumbnails", {thumbnails}},
                                            {"frame-timing", {frame_timing}},
                                            {"ray-tiles", {ray_tiles}},
                                            {"cg-dots", {cg_dots}},
                                            {"lattice-log", {lattice_log}},
                                            {"halo-exchange", {halo_exchange}},
                                            {"trajectory", {trajectory}},
                                            {"cloth", {cloth}},
                                            {"insitu-render", {insitu_render}},
                                            {"bfs-levels", {bfs_levels}},
                                            {"hash-join", {hash_join}},
                                            {"log-search", {log_search}},
                                            {"block-compress", {block_compress}},
                                            {"query-plans", {query_plans}},
                                            {"lstm-server", {lstm_server}},
                                            {"recognizer-sessions", {recognizer_sessions}},
                                            {"feature-partitions", {feature_partitions}},
                                            {"book-risk", {book_risk}},
                                            {"seismic-stack", {seismic_stack}},
                                            {"stations", {stations, before_stations}},
                                            {"ensemble-graph", {ensemble_graph}},
                                            {"fir-bank", {fir_bank}},
                                            {"control-newton", {control_newton}},
                                            {"control-nbody", {control_nbody}},
                                            {"control-archive", {control_archive}}};

bool is_control(const std::string& name) { return name.rfind("control-", 0) == 0; }

int usage() {
  std::fprintf(stderr,
               "usage: sealed_programs NAME broken|fixed|control [REPEATS], where NAME is one of");
  for (const auto& [name, entry] : programs) std::fprintf(stderr, " %s", name.c_str());
  std::fprintf(stderr, "\n");
  return 2;
}

bool has_gpu() {
  int devices = 0;
  const cudaError_t result = cudaGetDeviceCount(&devices);
  if (result == cudaSuccess && devices > 0) return true;
  std::fprintf(stderr, "no usable GPU: %s.\n",
               result == cudaSuccess ? "none is visible" : cudaGetErrorString(result));
  return false;
}

double measured_ms(const Program& program) {
  check(cudaDeviceSynchronize());
  nvtxRangePushA("measured");
  const auto begin = std::chrono::steady_clock::now();
  program.round();
  check(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  nvtxRangePop();
  return took.count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return usage();
  const std::string name = argv[1];
  const std::string variant = argv[2];
  const auto entry = programs.find(name);
  const int repeats = argc == 4 ? std::atoi(argv[3]) : 1;
  if (entry == programs.end() || repeats < 1) return usage();
  if (is_control(name) ? variant != "control" : variant != "broken" && variant != "fixed")
    return usage();
  const bool broken = variant == "broken";
  if (entry->second.before != nullptr) entry->second.before(broken);
  if (!has_gpu()) return 77;
  nvtxInitialize(nullptr);
  const Program program = entry->second.make(broken);
  program.round();
  check(cudaDeviceSynchronize());
  for (int i = 0; i < repeats; ++i) {
    const double wall_ms = measured_ms(program);
    std::printf("%s %s checksum=%.9g wall_ms=%.3f\n", name.c_str(), variant.c_str(),
                program.checksum(), wall_ms);
    std::fflush(stdout);
  }
  return 0;
}
