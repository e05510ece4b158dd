// unseen NAME broken|fixed: programs like those of users. Each has one planted cause. lapscope's
// rules for the choice of a scope were made without these programs.
// tests/analyzer/findings/unseen.test.cpp therefore shows how good these rules are.

#include <cstring>
#include <thread>
#include <vector>

#include "tests/gpu/programs/planted.cuh"

namespace {

using planted::check;
using planted::mib;
using planted::simulate;

struct Buffers {
  explicit Buffers(std::size_t size, bool is_pinned = true) : bytes(size), pinned(is_pinned) {
    check(cudaMalloc(&device, bytes));
    if (pinned) {
      check(cudaMallocHost(&host, bytes));
    } else {
      host = static_cast<float*>(std::malloc(bytes));
    }
    std::memset(host, 0, bytes);
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  void upload() const {
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
  }
  void run(int rounds, int blocks = 64) const {
    simulate<<<blocks, 256, 0, stream>>>(device, rounds);
  }
  std::size_t bytes;
  bool pinned;
  float* device = nullptr;
  float* host = nullptr;
  cudaStream_t stream{};
};

void busy_host(int us) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
  while (std::chrono::steady_clock::now() < end) {
  }
}

// First, the program copies weights from pageable memory to the device, which takes about a second.
// Then the program processes frames. Broken: the host waits for each frame before it prepares the
// next. Fixed: it waits for the frame before the previous one.
void long_set_up(bool broken) {
  std::vector<float> weights(64 * mib / sizeof(float), 1.0F);
  for (int layer = 0; layer < 12; ++layer) {
    float* device = nullptr;
    busy_host(40000);  // reads a file
    check(cudaMalloc(&device, 64 * mib));
    check(cudaMemcpy(device, weights.data(), 64 * mib, cudaMemcpyHostToDevice));
  }
  const Buffers slots[] = {Buffers(4 * mib), Buffers(4 * mib)};
  for (int frame = 0; frame < 60; ++frame) {
    const Buffers& slot = slots[frame % 2];
    if (!broken) check(cudaStreamSynchronize(slot.stream));
    busy_host(150);
    slot.upload();
    slot.run(60000);
    if (broken) check(cudaStreamSynchronize(slot.stream));
  }
  check(cudaDeviceSynchronize());
}

// In the first phase, kernels and copies overlap. In the second phase, each step has a memset.
// Broken: the memset is in the legacy default stream, so steps do not overlap. Fixed: the memset is
// in the stream of the step.
void two_phases(bool broken) {
  std::vector<Buffers> slots;
  for (int i = 0; i < 3; ++i) slots.emplace_back(8 * mib);
  for (const Buffers& slot : slots) check(cudaStreamDestroy(slot.stream));
  for (Buffers& slot : slots) check(cudaStreamCreate(&slot.stream));
  for (int item = 0; item < 30; ++item) {
    slots[item % 3].upload();
    slots[item % 3].run(20000);
  }
  check(cudaDeviceSynchronize());
  busy_host(30000);
  float* flags = nullptr;
  check(cudaMalloc(&flags, mib));
  for (int step = 0; step < 120; ++step) {
    const Buffers& slot = slots[step % 3];
    slot.run(50000);
    check(cudaMemsetAsync(flags, 0, mib, broken ? nullptr : slot.stream));
    slot.upload();
  }
  check(cudaDeviceSynchronize());
}

template <class F>
void in_threads(int count, F&& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// Three threads copy to the device. Each has its own NVTX range. Broken: they copy from memory that
// is not pinned. Fixed: the memory is pinned.
void readers(bool broken) {
  nvtxRangePushA("import");
  in_threads(3, [broken](int number) {
    const Buffers slot(8 * mib, !broken);
    nvtxRangePushA(("reader " + std::to_string(number)).c_str());
    for (int block = 0; block < 40; ++block) {
      slot.upload();
      slot.run(8000, 16);
      if (block % 4 == 3) check(cudaStreamSynchronize(slot.stream));
    }
    check(cudaStreamSynchronize(slot.stream));
    nvtxRangePop();
  });
  nvtxRangePop();
}

// The threads of a pool work in the main thread's range. Broken: they allocate for each item.
void pool(bool broken) {
  check(cudaFree(nullptr));
  nvtxRangePushA("simulate");
  in_threads(4, [broken](int) {
    const Buffers slot(2 * mib);
    for (int item = 0; item < 50; ++item) {
      float* scratch = nullptr;
      if (broken) check(cudaMalloc(&scratch, 16 * mib));
      slot.upload();
      slot.run(40000, 16);
      if (broken) check(cudaFree(scratch));
    }
    check(cudaStreamSynchronize(slot.stream));
  });
  nvtxRangePop();
}

// A server computes an answer on the host for each request to the GPU. Broken: during this time,
// the GPU has nothing to do. Fixed: the server first gives the next request to the GPU, and then
// computes the answer.
void server(bool broken) {
  const Buffers slots[] = {Buffers(mib), Buffers(mib)};
  for (int request = 0; request < 80; ++request) {
    const Buffers& slot = slots[request % 2];
    slot.upload();
    slot.run(30000);
    if (broken) check(cudaStreamSynchronize(slot.stream));
    if (!broken && request > 0) check(cudaStreamSynchronize(slots[(request + 1) % 2].stream));
    busy_host(400 + 37 * (request % 5));
  }
  check(cudaDeviceSynchronize());
}

// Broken: a loop pins the memory of each item. Fixed: all memory is pinned before the loop. After
// the loop, the program fetches results for a long time.
void long_end(bool broken) {
  constexpr std::size_t bytes = 4 * mib;
  std::vector<std::vector<char>> items(24, std::vector<char>(bytes));
  const Buffers slot(bytes);
  if (!broken) {
    for (auto& item : items) check(cudaHostRegister(item.data(), bytes, cudaHostRegisterDefault));
  }
  nvtxRangePushA("items");
  for (auto& item : items) {
    if (broken) check(cudaHostRegister(item.data(), bytes, cudaHostRegisterDefault));
    check(cudaMemcpyAsync(slot.device, item.data(), bytes, cudaMemcpyHostToDevice, slot.stream));
    slot.run(30000);
    if (!broken) continue;
    check(cudaStreamSynchronize(slot.stream));
    check(cudaHostUnregister(item.data()));
  }
  check(cudaStreamSynchronize(slot.stream));
  nvtxRangePop();
  std::vector<float> result(32 * mib / sizeof(float));
  float* results = nullptr;
  check(cudaMalloc(&results, 32 * mib));
  for (int i = 0; i < 20; ++i) {
    check(cudaMemcpy(result.data(), results, 32 * mib, cudaMemcpyDeviceToHost));
  }
}

// An NVTX range of the whole program contains the frames. Broken: each frame has many small
// kernels, and their number varies. Fixed: a single kernel does the work of a frame.
void small_kernels(bool broken) {
  nvtxRangePushA("render");
  const Buffers slot(mib);
  for (int frame = 0; frame < 40; ++frame) {
    nvtxRangePushA(("frame " + std::to_string(frame)).c_str());
    slot.upload();
    const int count = 100 + 13 * (frame % 7);
    if (broken) {
      for (int i = 0; i < count; ++i) slot.run(50);
    } else {
      slot.run(50 * count);
    }
    nvtxRangePop();
  }
  check(cudaStreamSynchronize(slot.stream));
  nvtxRangePop();
}

const std::map<std::string, void (*)(bool)> programs = {{"long-set-up", long_set_up},
                                                        {"two-phases", two_phases},
                                                        {"readers", readers},
                                                        {"pool", pool},
                                                        {"server", server},
                                                        {"long-end", long_end},
                                                        {"small-kernels", small_kernels}};

}  // namespace

int main(int argc, char** argv) {
  const auto program = argc == 3 ? programs.find(argv[1]) : programs.end();
  if (program == programs.end()) {
    std::fprintf(stderr, "usage: unseen NAME broken|fixed, where NAME is one of");
    for (const auto& [name, run] : programs) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  program->second(std::strcmp(argv[2], "broken") == 0);
  check(cudaDeviceSynchronize());
}
