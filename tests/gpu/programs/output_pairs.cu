// output_pairs NAME broken|fixed: loops like those of simulations. Each step needs the state of the
// previous step, and its results go to the host. Broken: the results are copied out in the stream
// of the kernels. Fixed: another stream copies them out of one buffer, while the kernels write a
// second buffer.

#include <array>
#include <memory>
#include <vector>

#include "tests/gpu/programs/planted.cuh"

namespace {

using namespace planted;

struct Form {
  std::size_t results = 16 * mib;  // bytes, about 300 us to copy
  int rounds = 0;                  // of each kernel, of a chain of multiply-adds
  int kernels = 1;                 // for each step; the last one writes the results
  std::size_t state = mib;         // bytes that each kernel reads and writes
  int copies = 1;                  // that the results are taken out in
  bool is_graph = false;           // the kernels are launched as one
};

constexpr int steps = 16;
constexpr int rounds_of_us = rounds_of_100_us / 100;

// Changes the whole state, and computes results from it.
__global__ void advance(float* state, std::size_t count, float* results, std::size_t of_results,
                        int rounds) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t own = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float x = state[own % count];
  for (int i = 0; i < rounds; ++i) x = x * 0.999F + 0.001F;
  for (std::size_t i = own; i < count; i += stride) state[i] = state[i] * 0.999F + x;
  for (std::size_t i = own; i < of_results; i += stride) results[i] = x;
}

class Loop {
 public:
  Loop(Form form, bool broken) : form_(form), broken_(broken) {
    check(cudaMallocHost(&host_, form.results));
    state_ = new_values(form.state);
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      Buffer& buffer = buffers_[i];
      if (broken && i > 0) {
        buffer = buffers_[0];
        continue;
      }
      buffer.results = new_values(form.results);
      check(cudaEventCreateWithFlags(&buffer.written, cudaEventDisableTiming));
      check(cudaEventCreateWithFlags(&buffer.copied, cudaEventDisableTiming));
      if (form.is_graph) buffer.graph = captured(stream_, [&] { launch(buffer.results); });
    }
  }

  void run() const {
    const cudaStream_t copies = broken_ ? stream_ : copies_;
    for (int step = 0; step < steps; ++step) {
      const Buffer& buffer = buffers_[static_cast<std::size_t>(step) % buffers_.size()];
      if (!broken_ && step >= static_cast<int>(buffers_.size())) {
        check(cudaStreamWaitEvent(stream_, buffer.copied, 0));
      }
      if (buffer.graph != nullptr) {
        check(cudaGraphLaunch(buffer.graph, stream_));
      } else {
        launch(buffer.results);
      }
      if (!broken_) {
        check(cudaEventRecord(buffer.written, stream_));
        check(cudaStreamWaitEvent(copies, buffer.written, 0));
      }
      copy_out(buffer.results, copies);
      if (!broken_) check(cudaEventRecord(buffer.copied, copies));
    }
    check(cudaStreamSynchronize(copies));
  }

 private:
  struct Buffer {
    float* results = nullptr;
    cudaEvent_t written = nullptr;
    cudaEvent_t copied = nullptr;
    cudaGraphExec_t graph = nullptr;
  };

  void copy_out(const float* from, cudaStream_t stream) const {
    const std::size_t each = form_.results / sizeof(float) / static_cast<std::size_t>(form_.copies);
    for (std::size_t i = 0; i < static_cast<std::size_t>(form_.copies); ++i) {
      check(cudaMemcpyAsync(host_ + i * each, from + i * each, each * sizeof(float),
                            cudaMemcpyDeviceToHost, stream));
    }
  }

  void launch(float* results) const {
    for (int i = 0; i < form_.kernels; ++i) {
      const bool is_last = i + 1 == form_.kernels;
      advance<<<264, 256, 0, stream_>>>(state_, form_.state / sizeof(float), results,
                                        is_last ? form_.results / sizeof(float) : 0, form_.rounds);
      check(cudaGetLastError());
    }
  }

  Form form_;
  bool broken_;
  cudaStream_t stream_ = new_stream();
  cudaStream_t copies_ = new_stream();
  float* host_ = nullptr;
  float* state_ = nullptr;
  std::array<Buffer, 2> buffers_;
};

Round loop(Form form, bool broken) {
  const auto made = std::make_shared<const Loop>(form, broken);
  return [made] { made->run(); };
}

const std::map<std::string, Form> forms = {
    {"outputs-even", {16 * mib, 300 * rounds_of_us}},
    {"outputs-copies", {16 * mib, 100 * rounds_of_us}},
    {"outputs-compute", {16 * mib, 225 * rounds_of_us, 4}},
    {"outputs-memory", {16 * mib, 0, 1, 512 * mib}},
    {"outputs-parts", {16 * mib, 100 * rounds_of_us, 3, mib, 4}},
    {"outputs-graph", {16 * mib, 50 * rounds_of_us, 6, mib, 1, true}},
    {"outputs-small", {mib, 20 * rounds_of_us}},
    {"outputs-tiny", {mib / 8, 5 * rounds_of_us}},
    {"outputs-loss", {sizeof(float), 100 * rounds_of_us, 3}},
};

}  // namespace

int main(int argc, char** argv) {
  Programs programs;
  for (const auto& [name, form] : forms) {
    programs.emplace(name, [form = form](bool broken) { return loop(form, broken); });
  }
  return run(programs, argc, argv);
}
