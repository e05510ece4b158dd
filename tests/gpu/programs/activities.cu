// Small programs with unusual activities. The argument names a program. The program prints how many
// records of each kind the trace must have.

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace {

__global__ void spin(std::int64_t cycles) {
  const std::int64_t begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

// Does most of its own work first, and then waits for the previous kernel.
__global__ void spin_and_wait(std::int64_t cycles) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  const std::int64_t begin = clock64();
  while (clock64() - begin < cycles) {
  }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

constexpr std::int64_t short_spin = 200'000;  // 0.1 ms
constexpr std::int64_t long_spin = 400'000'000;

void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::printf("CUDA: %s\n", cudaGetErrorString(result));
  std::exit(1);
}

void launch(int kernels, cudaStream_t stream = nullptr) {
  for (int i = 0; i < kernels; ++i) spin<<<1, 1, 0, stream>>>(short_spin);
  check(cudaGetLastError());
}

// Programmatic dependent launches: kernels of one stream overlap on purpose.
void dependent_launches() {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  attributes[1].val.priority = 0;
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  config.stream = stream;
  config.attrs = attributes;
  for (int i = 0; i < 10; ++i) {
    config.numAttrs = i % 2 == 0 ? 1 : 2;
    check(cudaLaunchKernelEx(&config, spin_and_wait, short_spin));
  }
  config.numAttrs = 0;
  check(cudaLaunchKernelEx(&config, spin_and_wait, short_spin));
  check(cudaDeviceSynchronize());
  std::printf("launches with attributes: 10\n");
}

// Launches more kernels than fit into the command buffer. They wait behind a kernel of 0.2 s.
void full_command_buffer() {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  spin<<<1, 1, 0, stream>>>(long_spin);
  for (int i = 0; i < 5000; ++i) spin<<<1, 1, 0, stream>>>(1);
  check(cudaDeviceSynchronize());
  std::printf("launches: 5001\n");
}

void peer_copies() {
  int devices = 0;
  check(cudaGetDeviceCount(&devices));
  if (devices < 2) {
    std::printf("one GPU only\n");
    std::exit(77);
  }
  constexpr std::size_t bytes = std::size_t{64} << 20;
  void* buffers[2] = {};
  for (int device : {0, 1}) {
    check(cudaSetDevice(device));
    check(cudaMalloc(&buffers[device], bytes));
    const cudaError_t enabled = cudaDeviceEnablePeerAccess(1 - device, 0);
    if (enabled != cudaSuccess) std::printf("peer access: %s\n", cudaGetErrorString(enabled));
  }
  for (int i = 0; i < 3; ++i) {
    check(cudaMemcpyPeerAsync(buffers[0], 0, buffers[1], 1, bytes, nullptr));
    check(cudaMemcpyAsync(buffers[1], buffers[0], bytes, cudaMemcpyDefault, nullptr));
  }
  for (int device : {0, 1}) {
    check(cudaSetDevice(device));
    check(cudaDeviceSynchronize());
  }
  std::printf("copies between GPUs: 6\n");
}

nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t made = nvtxDomainCreateA("early domain");
  return made;
}

void push_in_domain(const char* text) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = nvtxDomainRegisterStringA(domain(), text);
  nvtxDomainRangePushEx(domain(), &attributes);
}

// NVTX ranges that are open when the program first uses CUDA.
void early_ranges() {
  nvtxRangePushA("closed before CUDA");
  nvtxRangePop();
  nvtxRangePushA("whole program");
  const nvtxRangeId_t started = nvtxRangeStartA("started early");
  push_in_domain("of a domain");
  nvtxRangePushA("inner early");
  launch(2);
  nvtxRangePushA("inner late");
  launch(2);
  nvtxRangePop();
  check(cudaDeviceSynchronize());
  nvtxRangePop();  // inner early
  std::thread([started] { nvtxRangeEnd(started); }).join();
  nvtxDomainRangePop(domain());
  launch(1);
  check(cudaDeviceSynchronize());
  nvtxRangePop();  // whole program
  std::printf("open at first: 4 ranges\n");
}

void nvtx_without_cuda() {
  nvtxRangePushA("no CUDA");
  nvtxRangePop();
  int maps_of_gpu = 0;
  if (std::FILE* maps = std::fopen("/proc/self/maps", "r")) {
    char line[1024];
    while (std::fgets(line, sizeof line, maps)) {
      if (std::string(line).find("/dev/nvidia") != std::string::npos) ++maps_of_gpu;
    }
    std::fclose(maps);
  }
  std::printf("mappings of a GPU: %d\n", maps_of_gpu);
}

// For options that select a part of the run: 10 kernels before it, 20 in it, and 30 after it.
void brackets() {
  launch(10);
  check(cudaDeviceSynchronize());
  check(cudaProfilerStart());
  nvtxRangePushA("chosen");
  launch(20);
  check(cudaDeviceSynchronize());
  nvtxRangePop();
  check(cudaProfilerStop());
  launch(30);
  check(cudaDeviceSynchronize());
  std::printf("kernels: 10 20 30\n");
}

// A kernel every 5 ms for two seconds.
void steady() {
  for (int i = 0; i < 400; ++i) {
    launch(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  check(cudaDeviceSynchronize());
  std::printf("kernels: 400\n");
}

// A kernel every 500 us for two seconds.
void busy() {
  for (int i = 0; i < 4000; ++i) {
    launch(1);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  check(cudaDeviceSynchronize());
  std::printf("kernels: 4000\n");
}

void graph() {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  launch(8, stream);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 5; ++i) check(cudaGraphLaunch(executable, stream));
  check(cudaDeviceSynchronize());
  std::printf("graph launches: 5\n");
}

__global__ void touch(char* bytes, std::size_t count) {
  for (std::size_t i = threadIdx.x * std::size_t{4096}; i < count;
       i += blockDim.x * std::size_t{4096}) {
    bytes[i] += 1;
  }
}

void managed() {
  constexpr std::size_t bytes = std::size_t{16} << 20;
  char* memory = nullptr;
  check(cudaMallocManaged(&memory, bytes));
  for (std::size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
  touch<<<1, 256>>>(memory, bytes);
  check(cudaDeviceSynchronize());
  long sum = 0;
  for (std::size_t i = 0; i < bytes; i += 4096) sum += memory[i];
  check(cudaFree(memory));
  std::printf("sum: %ld\n", sum);
}

const std::map<std::string, std::function<void()>> programs = {
    {"brackets", brackets},
    {"dependent-launches", dependent_launches},
    {"early-ranges", early_ranges},
    {"full-command-buffer", full_command_buffer},
    {"graph", graph},
    {"managed", managed},
    {"nvtx-without-cuda", nvtx_without_cuda},
    {"peer-copies", peer_copies},
    {"steady", steady},
    {"busy", busy},
};

}  // namespace

int main(int argc, char** argv) {
  const auto program = programs.find(argc > 1 ? argv[1] : "");
  if (program == programs.end()) {
    std::printf("usage: activities PROGRAM, which is one of\n");
    for (const auto& [name, unused] : programs) std::printf("  %s\n", name.c_str());
    return 2;
  }
  program->second();
  return 0;
}
