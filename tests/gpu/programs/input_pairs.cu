// input_pairs NAME broken|fixed [REPEATS]: loops like those of training. Each step needs the
// results of the previous step and a batch of data from the host. Broken: the stream of the kernels
// copies each batch. Fixed: another stream copies the next batch into a second buffer, while the
// kernels use the first buffer.

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "tests/gpu/programs/planted.cuh"

namespace {

using namespace planted;

struct Form {
  std::size_t batch = 16 * mib;  // bytes, about 300 us to copy
  int rounds = 0;                // of each kernel, of a chain of multiply-adds
  int kernels = 1;               // for each batch
  std::size_t weights = mib;     // bytes that each kernel reads and writes
  bool copies_labels = false;    // a second, small copy in
  bool copies_loss = false;      // 4 bytes to the host after each step
  bool is_graph = false;         // the kernels are launched as one
};

constexpr int steps = 16;
constexpr int rounds_of_us = rounds_of_100_us / 100;

// Changes each weight by a value that depends on the batch.
__global__ void train(const float* batch, std::size_t of_batch, float* weights, std::size_t count,
                      int rounds) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t own = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float x = 0;
  for (std::size_t i = own; i < of_batch; i += stride) x += batch[i];
  for (int i = 0; i < rounds; ++i) x = x * 0.999F + 0.001F;
  for (std::size_t i = own; i < count; i += stride) weights[i] = weights[i] * 0.999F + x;
}

class Loop {
 public:
  Loop(Form form, bool broken) : form_(form), broken_(broken) {
    check(cudaMallocHost(&host_, form.batch));
    std::memset(host_, 0, form.batch);
    check(cudaMallocHost(&loss_, sizeof(float)));
    weights_ = new_values(form.weights);
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      Buffer& buffer = buffers_[i];
      if (broken && i > 0) {
        buffer = buffers_[0];
        continue;
      }
      buffer.batch = new_values(form.batch);
      check(cudaEventCreateWithFlags(&buffer.filled, cudaEventDisableTiming));
      check(cudaEventCreateWithFlags(&buffer.used, cudaEventDisableTiming));
      if (form.is_graph) buffer.graph = captured(stream_, [&] { launch(buffer.batch); });
    }
  }

  void run() const {
    const cudaStream_t copies = broken_ ? stream_ : copies_;
    for (int step = 0; step < steps; ++step) {
      const Buffer& buffer = buffers_[static_cast<std::size_t>(step) % buffers_.size()];
      if (!broken_ && step >= static_cast<int>(buffers_.size())) {
        check(cudaStreamWaitEvent(copies, buffer.used, 0));
      }
      if (form_.copies_labels) copy_in(buffer.batch, 4096, copies);
      copy_in(buffer.batch, form_.batch, copies);
      if (!broken_) {
        check(cudaEventRecord(buffer.filled, copies));
        check(cudaStreamWaitEvent(stream_, buffer.filled, 0));
      }
      if (buffer.graph != nullptr) {
        check(cudaGraphLaunch(buffer.graph, stream_));
      } else {
        launch(buffer.batch);
      }
      if (!broken_) check(cudaEventRecord(buffer.used, stream_));
      if (form_.copies_loss) {
        check(cudaMemcpyAsync(loss_, weights_, sizeof(float), cudaMemcpyDeviceToHost, stream_));
      }
    }
    check(cudaStreamSynchronize(stream_));
  }

 private:
  struct Buffer {
    float* batch = nullptr;
    cudaEvent_t filled = nullptr;
    cudaEvent_t used = nullptr;
    cudaGraphExec_t graph = nullptr;
  };

  void copy_in(float* to, std::size_t bytes, cudaStream_t stream) const {
    check(cudaMemcpyAsync(to, host_, bytes, cudaMemcpyHostToDevice, stream));
  }

  void launch(const float* batch) const {
    for (int i = 0; i < form_.kernels; ++i) {
      train<<<264, 256, 0, stream_>>>(batch, form_.batch / sizeof(float), weights_,
                                      form_.weights / sizeof(float), form_.rounds);
      check(cudaGetLastError());
    }
  }

  Form form_;
  bool broken_;
  cudaStream_t stream_ = new_stream();
  cudaStream_t copies_ = new_stream();
  float* host_ = nullptr;
  float* loss_ = nullptr;
  float* weights_ = nullptr;
  std::array<Buffer, 2> buffers_;
};

Round loop(Form form, bool broken) {
  const auto made = std::make_shared<const Loop>(form, broken);
  return [made] { made->run(); };
}

const std::map<std::string, Form> forms = {
    {"inputs-even", {16 * mib, 300 * rounds_of_us}},
    {"inputs-copies", {16 * mib, 100 * rounds_of_us}},
    {"inputs-compute", {16 * mib, 225 * rounds_of_us, 4}},
    {"inputs-memory", {16 * mib, 0, 1, 512 * mib}},
    {"inputs-labels", {16 * mib, 100 * rounds_of_us, 3, mib, true}},
    {"inputs-loss", {16 * mib, 100 * rounds_of_us, 3, mib, false, true}},
    {"inputs-graph", {16 * mib, 50 * rounds_of_us, 6, mib, false, false, true}},
    {"inputs-small", {mib, 20 * rounds_of_us}},
    {"inputs-tiny", {mib / 8, 5 * rounds_of_us}},
};

}  // namespace

int main(int argc, char** argv) {
  Programs programs;
  for (const auto& [name, form] : forms) {
    programs.emplace(name, [form = form](bool broken) { return loop(form, broken); });
  }
  return run(programs, argc, argv);
}
