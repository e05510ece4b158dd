// cause_pairs NAME broken|fixed [REPEATS]: small programs. Each program has one planted cause that
// no program of stream_suite has. The comments say what `broken` does and what `fixed` does.

#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/gpu/programs/planted.cuh"

namespace {

using namespace planted;

__global__ void add_one(float* values, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    values[i] += 1;
  }
}

// Broken: 160 copies of 32 KiB before each kernel. Fixed: a single copy.
Round small_copies(bool broken) {
  constexpr std::size_t bytes = 160 * 32 * 1024;
  char* host = nullptr;
  check(cudaMallocHost(&host, bytes));
  std::memset(host, 0, bytes);
  float* const device = new_values(bytes);
  const cudaStream_t stream = new_stream();
  return [=] {
    for (int step = 0; step < 3; ++step) {
      const std::size_t part = broken ? 32 * 1024 : bytes;
      for (std::size_t at = 0; at < bytes; at += part) {
        check(cudaMemcpyAsync(reinterpret_cast<char*>(device) + at, host + at, part,
                              cudaMemcpyHostToDevice, stream));
      }
      simulate_in(stream, device);
    }
    check(cudaStreamSynchronize(stream));
  };
}

// Returns a graph of kernels that run one after the other.
cudaGraphExec_t new_graph(float* values, int kernels) {
  const cudaStream_t stream = new_stream();
  return captured(stream, [&] {
    for (int i = 0; i < kernels; ++i) simulate_in(stream, values);
  });
}

// Broken: four streams launch the same executable graph in turn. Fixed: each stream has a graph of
// its own.
Round one_graph_four_streams(bool broken) {
  constexpr std::size_t count = 4;
  std::vector<cudaStream_t> streams;
  std::vector<cudaGraphExec_t> graphs;
  for (std::size_t i = 0; i < count; ++i) {
    streams.push_back(new_stream());
    graphs.push_back(broken && i > 0 ? graphs[0] : new_graph(new_values(), 4));
  }
  return [=] {
    for (int step = 0; step < 4; ++step) {
      for (std::size_t i = 0; i < count; ++i) check(cudaGraphLaunch(graphs[i], streams[i]));
    }
    check(cudaDeviceSynchronize());
  };
}

// Broken: two independent graphs are launched into one stream in turn. Fixed: into two streams.
Round two_graphs_one_stream(bool broken) {
  const cudaStream_t streams[] = {new_stream(), new_stream()};
  const cudaGraphExec_t graphs[] = {new_graph(new_values(), 4), new_graph(new_values(), 4)};
  return [=] {
    for (int step = 0; step < 8; ++step) {
      for (int i = 0; i < 2; ++i) check(cudaGraphLaunch(graphs[i], streams[broken ? 0 : i]));
    }
    check(cudaDeviceSynchronize());
  };
}

cudaError_t prefetch(const void* memory, std::size_t bytes, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  cudaMemLocation device{};
  device.type = cudaMemLocationTypeDevice;
  device.id = 0;
  return cudaMemPrefetchAsync(memory, bytes, device, 0, stream);
#else
  return cudaMemPrefetchAsync(memory, bytes, 0, stream);
#endif
}

// The host writes managed memory, and a kernel reads it. Broken: page faults move the memory, page
// by page. Fixed: a prefetch moves it before the kernel.
Round managed_memory(bool broken) {
  constexpr std::size_t count = 16 * mib / sizeof(float);
  float* values = nullptr;
  check(cudaMallocManaged(&values, count * sizeof(float)));
  const cudaStream_t stream = new_stream();
  return [=] {
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < count; i += 1024) values[i] = 1;
      if (!broken) {
        check(prefetch(values, count * sizeof(float), stream));
      }
      add_one<<<132, 256, 0, stream>>>(values, count);
      check(cudaGetLastError());
      check(cudaStreamSynchronize(stream));
    }
  };
}

// Two threads share a lock, and each thread has its own stream. Broken: a thread holds the lock
// while it launches and waits. Fixed: it holds the lock only while it takes its next item.
Round lock_around_waits(bool broken) {
  struct Worker {
    cudaStream_t stream = new_stream();
    float* values = new_values();
  };
  const auto workers = std::make_shared<std::vector<Worker>>(2);
  const auto lock = std::make_shared<std::mutex>();
  return [=] {
    int left = 16;
    std::vector<std::thread> threads;
    for (const Worker& worker : *workers) {
      threads.emplace_back([&left, &worker, lock, broken] {
        while (true) {
          std::unique_lock<std::mutex> held(*lock);
          if (left == 0) return;
          --left;
          if (!broken) held.unlock();
          simulate_in(worker.stream, worker.values, 2 * rounds_of_100_us);
          check(cudaStreamSynchronize(worker.stream));
          if (held.owns_lock()) held.unlock();
          std::this_thread::yield();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
}

const Programs programs = {{"small-copies", small_copies},
                           {"one-graph-four-streams", one_graph_four_streams},
                           {"two-graphs-one-stream", two_graphs_one_stream},
                           {"managed-memory", managed_memory},
                           {"lock-around-waits", lock_around_waits}};

}  // namespace

int main(int argc, char** argv) { return run(programs, argc, argv); }
