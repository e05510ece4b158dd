// last_waves KERNEL-FORM broken|fixed [REPEATS]: kernels that need several waves of blocks. The
// last wave may leave multiprocessors idle (docs/hardware.md, the last wave). Runs the work once as
// warm-up. Then runs it REPEATS times in an NVTX range "measured", and prints the wall time of each
// repeat: "wall_ms: 1.234".
//
// The form `waits` launches 8 kernels into 4 streams. Broken: the host waits after each kernel.
// Fixed: it waits after all kernels. The form `small` does the same, but every second kernel has
// only 8 blocks. The form `tiles` copies in, runs a kernel and copies out, 8 times. Broken: in one
// stream. Fixed: in 4 streams.

#include <exception>
#include <memory>
#include <vector>

#include "tests/gpu/programs/planted.cuh"
#include "workloads/harness/blas.h"

namespace {

using planted::check;
using planted::measure;
using planted::mib;
using planted::Round;

constexpr std::size_t lanes = 4;
constexpr int launches = 8;
constexpr std::size_t copied = 2 * mib;
constexpr unsigned chunk = 1 << 18;  // What a block of `add_one` works on, in floats.

struct Lane {
  cudaStream_t stream = nullptr;
  float* values = nullptr;
};
using Kernel = std::function<void(std::size_t lane, cudaStream_t stream)>;

// A chain of dependent multiply-adds in each thread.
__global__ void simulate(float* values, int rounds) {
  float x = values[threadIdx.x];
  for (int i = 0; i < rounds; ++i) x = x * 0.999F + 0.001F;
  values[threadIdx.x] = x;
}

// Bound by memory.
__global__ void add_one(float* values) {
  float* const own = values + std::size_t{blockIdx.x} * chunk;
  for (unsigned i = threadIdx.x; i < chunk; i += blockDim.x) own[i] += 1;
}

int multiprocessors() {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

std::vector<Lane> new_lanes(std::size_t bytes) {
  std::vector<Lane> made(lanes);
  for (Lane& lane : made) {
    check(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
    check(cudaMalloc(&lane.values, bytes));
    check(cudaMemset(lane.values, 0, bytes));
  }
  check(cudaDeviceSynchronize());
  return made;
}

Kernel resident(const std::vector<Lane>& all, unsigned blocks) {
  constexpr int shared = 120 * 1024;  // No two blocks find room on one multiprocessor.
  check(cudaFuncSetAttribute(simulate, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  return [all, blocks](std::size_t lane, cudaStream_t stream) {
    simulate<<<blocks, 256, shared, stream>>>(all[lane].values, 45000);
  };
}

Kernel packed(const std::vector<Lane>& all, unsigned blocks) {
  return [all, blocks](std::size_t lane, cudaStream_t stream) {
    simulate<<<blocks, 256, 0, stream>>>(all[lane].values, 15000);
  };
}

Kernel by_memory(const std::vector<Lane>& all, unsigned blocks) {
  return [all, blocks](std::size_t lane, cudaStream_t stream) {
    add_one<<<blocks, 1024, 0, stream>>>(all[lane].values);
  };
}

struct Product {
  int rows = 0;
  int columns = 0;
  int depth = 0;
};

std::size_t bytes_of(int rows, int columns) {
  return sizeof(float) * static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

Kernel by_cublas(Product of) {
  struct Matrices {
    lapscope::workloads::Blas blas;
    std::vector<lapscope::workloads::Blas::Handle> handles;
    std::vector<float*> c;
    float* a = nullptr;
    float* b = nullptr;
  };
  const auto m = std::make_shared<Matrices>();
  check(cudaMalloc(&m->a, bytes_of(of.rows, of.depth)));
  check(cudaMalloc(&m->b, bytes_of(of.depth, of.columns)));
  constexpr int nearly_1 = 0x3f;  // In each byte of a float.
  check(cudaMemset(m->a, nearly_1, bytes_of(of.rows, of.depth)));
  check(cudaMemset(m->b, nearly_1, bytes_of(of.depth, of.columns)));
  for (std::size_t i = 0; i < lanes; ++i) {
    m->handles.push_back(m->blas.create());
    m->c.push_back(nullptr);
    check(cudaMalloc(&m->c.back(), bytes_of(of.rows, of.columns)));
  }
  return [m, of](std::size_t lane, cudaStream_t stream) {
    m->blas.use(m->handles[lane], stream);
    m->blas.multiply(m->handles[lane], of.rows, of.columns, of.depth, m->a, m->b, m->c[lane]);
  };
}

Round waits(std::vector<Lane> all, Kernel kernel, bool broken, bool is_small_between) {
  return [all, kernel, broken, is_small_between] {
    for (std::size_t i = 0; i < launches; ++i) {
      const std::size_t lane = i % lanes;
      if (is_small_between && i % 2 == 1) {
        simulate<<<8, 256, 0, all[lane].stream>>>(all[lane].values, 20000);
      } else {
        kernel(lane, all[lane].stream);
      }
      check(cudaGetLastError());
      if (broken) check(cudaStreamSynchronize(all[lane].stream));
    }
    check(cudaDeviceSynchronize());
  };
}

Round tiles(std::vector<Lane> all, Kernel kernel, bool broken) {
  char* host = nullptr;
  char* device = nullptr;
  check(cudaMallocHost(&host, 2 * lanes * copied));
  check(cudaMalloc(&device, lanes * copied));
  return [=] {
    for (std::size_t i = 0; i < launches; ++i) {
      const std::size_t lane = i % lanes;
      const cudaStream_t stream = all[broken ? 0 : lane].stream;
      char* const there = device + lane * copied;
      char* const in = host + 2 * lane * copied;
      check(cudaMemcpyAsync(there, in, copied, cudaMemcpyHostToDevice, stream));
      kernel(lane, stream);
      check(cudaGetLastError());
      check(cudaMemcpyAsync(in + copied, there, copied, cudaMemcpyDeviceToHost, stream));
    }
    check(cudaDeviceSynchronize());
  };
}

// Returns how many blocks make `waves` waves, if `on_one` blocks run on a multiprocessor at a time.
unsigned blocks_for(double waves, int on_one) {
  return static_cast<unsigned>(waves * multiprocessors() * on_one);
}

Kernel kernel_of(const std::string& name, std::vector<Lane>& all) {
  const auto chains = [&all](auto make, double waves, int on_one) {
    all = new_lanes(mib);
    return make(all, blocks_for(waves, on_one));
  };
  if (name == "resident-1.25") return chains(resident, 1.25, 1);
  if (name == "resident-1.5") return chains(resident, 1.5, 1);
  if (name == "resident-1.9") return chains(resident, 1.9, 1);
  if (name == "resident-2.5") return chains(resident, 2.5, 1);
  if (name == "packed-1.5") return chains(packed, 1.5, 8);
  if (name == "packed-2.25") return chains(packed, 2.25, 8);
  if (name == "memory-1.5") {
    all = new_lanes(sizeof(float) * chunk * std::size_t{blocks_for(1.5, 2)});
    return by_memory(all, blocks_for(1.5, 2));
  }
  const std::map<std::string, Product> products = {{"product-1152", {1152, 1024, 4096}},
                                                   {"product-2048", {2048, 1536, 2048}},
                                                   {"product-640", {640, 640, 8192}},
                                                   {"product-3072", {3072, 2048, 1024}}};
  const auto product = products.find(name);
  if (product == products.end()) return nullptr;
  all = new_lanes(mib);
  return by_cublas(product->second);
}

Round round_of(const std::string& name, bool broken) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos) return nullptr;
  const std::string form = name.substr(dash + 1);
  if (form != "waits" && form != "tiles" && form != "small") return nullptr;
  std::vector<Lane> all;
  const Kernel kernel = kernel_of(name.substr(0, dash), all);
  if (!kernel) return nullptr;
  for (std::size_t lane = 0; lane < lanes; ++lane) kernel(lane, all[lane].stream);
  check(cudaDeviceSynchronize());
  return form == "tiles" ? tiles(all, kernel, broken) : waits(all, kernel, broken, form == "small");
}

int run(const std::string& name, const std::string& variant, int repeats) {
  const bool is_variant = variant == "broken" || variant == "fixed";
  const Round round = is_variant && repeats > 0 ? round_of(name, variant == "broken") : nullptr;
  if (!round) {
    std::fprintf(stderr, "usage: last_waves KERNEL-waits|tiles|small broken|fixed [REPEATS]\n");
    return 2;
  }
  round();
  for (int i = 0; i < repeats; ++i) measure(round);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "", argc > 3 ? std::atoi(argv[3]) : 1);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "last_waves: %s.\n", problem.what());
    return 1;
  }
}
