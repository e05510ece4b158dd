#include "tests/gpu/programs/sealed/programs.cuh"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace sealed {

// lstm-server: three threads answer requests. A request is a batch of sequences for an LSTM.
namespace {

constexpr std::size_t lstm_units = 256;
constexpr std::size_t lstm_batch = 8;
constexpr std::size_t lstm_steps = 16;
constexpr std::size_t lstm_state = lstm_batch * lstm_units;
constexpr std::size_t lstm_input = lstm_steps * lstm_state;

// Each block computes one sequence of the batch. The indices of `weights` are [input or previous
// unit][gate][unit].
__global__ void lstm_step(const float* __restrict__ weights, const float* __restrict__ input,
                          const float* __restrict__ before, float* __restrict__ after,
                          float* cells) {
  __shared__ float values[2 * lstm_units];
  const unsigned unit = threadIdx.x;
  const unsigned at = blockIdx.x * lstm_units + unit;
  values[unit] = input[at];
  values[lstm_units + unit] = before[at];
  __syncthreads();
  float gates[4] = {0.0F, 0.0F, 0.0F, 0.0F};
#pragma unroll 4
  for (unsigned k = 0; k < 2 * lstm_units; ++k) {
    const float* row = weights + k * 4 * lstm_units + unit;
    for (unsigned gate = 0; gate < 4; ++gate)
      gates[gate] += values[k] * 0.1F * (row[gate * lstm_units] - 0.5F);
  }
  const float keep = 1.0F / (1.0F + expf(-gates[0]));
  const float take = 1.0F / (1.0F + expf(-gates[1]));
  const float show = 1.0F / (1.0F + expf(-gates[2]));
  const float cell = keep * cells[at] + take * tanhf(gates[3]);
  cells[at] = cell;
  after[at] = show * tanhf(cell);
}

// Returns the answer to a request: the probability of a sequence's best class, summed over all
// sequences.
double answer_of(const float* outputs) {
  double sum = 0.0;
  for (std::size_t sequence = 0; sequence < lstm_batch; ++sequence) {
    const float* own = outputs + sequence * lstm_units;
    const float best = *std::max_element(own, own + lstm_units);
    double weights = 0.0;
    for (std::size_t unit = 0; unit < lstm_units; ++unit)
      weights += std::exp(static_cast<double>(own[unit] - best));
    sum += 1.0 / weights;
  }
  return sum;
}

}  // namespace

Program lstm_server(bool broken) {
  static constexpr std::size_t workers = 3;
  static constexpr std::size_t requests = 24;
  static constexpr std::size_t kept_requests = 6;
  struct Worker {
    float* input;
    std::array<float*, 2> state;
    float* cells;
    float* output;
    cudaStream_t stream;
  };
  const float* weights = fractions(2 * lstm_units * 4 * lstm_units, 81);
  auto* inputs = pinned<float>(kept_requests * lstm_input);
  for (std::size_t i = 0; i < kept_requests * lstm_input; ++i)
    inputs[i] = fraction(mixed(static_cast<unsigned>(i))) - 0.5F;
  std::array<Worker, workers> all{};
  for (Worker& worker : all)
    worker = {on_device<float>(lstm_input),
              {on_device<float>(lstm_state), on_device<float>(lstm_state)},
              on_device<float>(lstm_state),
              pinned<float>(lstm_state),
              new_stream()};
  auto answers = std::make_shared<std::vector<double>>(requests);
  auto model = std::make_shared<std::mutex>();
  const auto infer = [=](const Worker& worker, std::size_t request) {
    check(cudaMemcpyAsync(worker.input, inputs + request % kept_requests * lstm_input,
                          lstm_input * sizeof(float), cudaMemcpyHostToDevice, worker.stream));
    check(cudaMemsetAsync(worker.state[0], 0, lstm_state * sizeof(float), worker.stream));
    check(cudaMemsetAsync(worker.cells, 0, lstm_state * sizeof(float), worker.stream));
    for (std::size_t step = 0; step < lstm_steps; ++step) {
      lstm_step<<<lstm_batch, lstm_units, 0, worker.stream>>>(
          weights, worker.input + step * lstm_state, worker.state[step % 2],
          worker.state[(step + 1) % 2], worker.cells);
      launched();
    }
    check(cudaMemcpyAsync(worker.output, worker.state[lstm_steps % 2], lstm_state * sizeof(float),
                          cudaMemcpyDeviceToHost, worker.stream));
    check(cudaStreamSynchronize(worker.stream));
  };
  const auto serve = [=](const Worker& worker, std::atomic<std::size_t>& next) {
    for (std::size_t request = next++; request < requests; request = next++) {
      if (broken) {
        const std::lock_guard lock(*model);
        infer(worker, request);
      } else {
        infer(worker, request);
      }
      (*answers)[request] = answer_of(worker.output);
    }
  };
  const auto round = [=] {
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (const Worker& worker : all) threads.emplace_back([&] { serve(worker, next); });
    for (std::thread& thread : threads) thread.join();
  };
  return {round, [=] { return sum_on_host(answers->data(), requests); }};
}

// recognizer-sessions: recognizes the speech of three speakers at the same time. For each piece of
// speech, it launches a graph with the layers of a network.
namespace {

constexpr unsigned speech_values = 24 * 256;
constexpr std::size_t layers = 4;

__global__ void listen(const float* __restrict__ speech, const float* __restrict__ weights,
                       float* state, int layer) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.5F * (state[i] + speech[i]);
  for (unsigned k = 0; k < 6144; ++k)
    x = 0.97F * x + 0.03F * weights[(k + 257U * static_cast<unsigned>(layer)) % 1024];
  state[i] = x;
}

// An executable graph of the layers. Later launches can use other speech and another state.
struct Network {
  cudaGraphExec_t graph = nullptr;
  std::array<cudaGraphNode_t, layers> nodes{};
};

cudaKernelNodeParams node_of(void** arguments) {
  cudaKernelNodeParams node{};
  node.func = reinterpret_cast<void*>(&listen);
  node.gridDim = dim3(speech_values / 256);
  node.blockDim = dim3(256);
  node.kernelParams = arguments;
  return node;
}

Network network_of(const float* speech, const float* weights, float* state) {
  Network network;
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0));
  for (std::size_t i = 0; i < layers; ++i) {
    int layer = static_cast<int>(i);
    void* arguments[] = {&speech, &weights, &state, &layer};
    const cudaKernelNodeParams node = node_of(arguments);
    check(cudaGraphAddKernelNode(&network.nodes[i], graph, i == 0 ? nullptr : &network.nodes[i - 1],
                                 i == 0 ? 0 : 1, &node));
  }
  check(cudaGraphInstantiate(&network.graph, graph, 0));
  return network;
}

void use_for(const Network& network, const float* speech, const float* weights, float* state) {
  for (std::size_t i = 0; i < layers; ++i) {
    int layer = static_cast<int>(i);
    void* arguments[] = {&speech, &weights, &state, &layer};
    const cudaKernelNodeParams node = node_of(arguments);
    check(cudaGraphExecKernelNodeSetParams(network.graph, network.nodes[i], &node));
  }
}

}  // namespace

Program recognizer_sessions(bool broken) {
  static constexpr std::size_t sessions = 3;
  static constexpr std::size_t turns = 20;
  static constexpr std::size_t bytes = speech_values * sizeof(float);
  struct Session {
    float* speech;
    float* state;
    float* heard;
    cudaStream_t stream;
    Network network;
  };
  const float* weights = fractions(1024, 91);
  auto* microphone = pinned<float>(sessions * turns * speech_values);
  for (std::size_t i = 0; i < sessions * turns * speech_values; ++i)
    microphone[i] = fraction(mixed(static_cast<unsigned>(i) + 3U));
  std::array<Session, sessions> all{};
  for (std::size_t i = 0; i < sessions; ++i) {
    Session& session = all[i];
    session.speech = on_device<float>(speech_values);
    session.state = on_device<float>(speech_values);
    session.heard = pinned<float>(turns * speech_values);
    session.stream = new_stream();
    session.network =
        broken && i > 0 ? all[0].network : network_of(session.speech, weights, session.state);
  }
  const auto round = [=] {
    for (const Session& session : all)
      check(cudaMemsetAsync(session.state, 0, bytes, session.stream));
    for (std::size_t turn = 0; turn < turns; ++turn) {
      for (std::size_t i = 0; i < sessions; ++i) {
        const Session& session = all[i];
        check(cudaMemcpyAsync(session.speech, microphone + (turn * sessions + i) * speech_values,
                              bytes, cudaMemcpyHostToDevice, session.stream));
        if (broken) use_for(session.network, session.speech, weights, session.state);
        check(cudaGraphLaunch(session.network.graph, session.stream));
        check(cudaMemcpyAsync(session.heard + turn * speech_values, session.state, bytes,
                              cudaMemcpyDeviceToHost, session.stream));
      }
    }
    for (const Session& session : all) check(cudaStreamSynchronize(session.stream));
  };
  return {round, [=] {
            double sum = 0.0;
            for (std::size_t i = 0; i < sessions; ++i)
              sum +=
                  static_cast<double>(i + 1) * sum_on_host(all[i].heard, turns * speech_values, 7);
            return sum;
          }};
}

// feature-partitions: the GPU scores items by their features, which arrive in parts. A host thread
// fetches the next part while the GPU works.
namespace {

constexpr std::size_t part_floats = std::size_t{8} << 20U;
constexpr std::size_t part_bytes = part_floats * sizeof(float);
constexpr unsigned scored_items = 66 * 256;

__global__ void score_items(const float* __restrict__ features, float* scores, unsigned seed) {
  const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = mixed(item ^ seed);
  float sum = 0.0F;
#pragma unroll 4
  for (int i = 0; i < 768; ++i) {
    at = at * 1664525U + 1013904223U;
    sum += features[at >> 9U];
  }
  scores[item] += sum;
}

// The progress of two threads. One fetches parts, and the other computes scores.
struct Progress {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t ready = 0;  // Parts that are in device memory.
  std::size_t taken = 0;  // Parts that were begun to be scored with.

  void set(std::size_t Progress::*which, std::size_t value) {
    {
      const std::lock_guard lock(mutex);
      this->*which = value;
    }
    changed.notify_all();
  }
  void wait_for(std::size_t Progress::*which, std::size_t value) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return this->*which >= value; });
  }
};

}  // namespace

Program feature_partitions(bool broken) {
  static constexpr std::size_t parts = 10;
  static constexpr std::size_t kept_parts = 3;
  static constexpr unsigned steps_of_part = 5;
  auto* stored = pinned<float>(kept_parts * part_floats);
  for (std::size_t i = 0; i < kept_parts * part_floats; ++i)
    stored[i] = fraction(static_cast<unsigned>(i) * 2654435761U);
  std::array<float*, 2> own{nullptr, nullptr};
  if (!broken) own = {on_device<float>(part_floats), on_device<float>(part_floats)};
  auto* scores = on_device<float>(scored_items);
  cudaStream_t scoring = new_stream();
  cudaStream_t fetching = new_stream();
  std::array<cudaEvent_t, 2> scored{new_event(), new_event()};
  const auto round = [=] {
    Progress progress;
    std::array<float*, parts> features{};
    std::thread fetcher([&] {
      for (std::size_t part = 0; part < parts; ++part) {
        progress.wait_for(&Progress::taken, part);
        if (broken) {
          // All kernels that read part - 2 have been launched.
          if (part >= 2) check(cudaFree(features[part - 2]));
          check(cudaMalloc(&features[part], part_bytes));
        } else {
          features[part] = own[part % 2];
          if (part >= 2) check(cudaStreamWaitEvent(fetching, scored[part % 2], 0));
        }
        check(cudaMemcpyAsync(features[part], stored + part % kept_parts * part_floats, part_bytes,
                              cudaMemcpyHostToDevice, fetching));
        check(cudaStreamSynchronize(fetching));
        progress.set(&Progress::ready, part + 1);
      }
    });
    check(cudaMemsetAsync(scores, 0, scored_items * sizeof(float), scoring));
    for (std::size_t part = 0; part < parts; ++part) {
      progress.wait_for(&Progress::ready, part + 1);
      progress.set(&Progress::taken, part + 1);
      for (unsigned step = 0; step < steps_of_part; ++step) {
        score_items<<<scored_items / 256, 256, 0, scoring>>>(
            features[part], scores, static_cast<unsigned>(part) * steps_of_part + step);
        launched();
      }
      check(cudaEventRecord(scored[part % 2], scoring));
    }
    fetcher.join();
    check(cudaStreamSynchronize(scoring));
    if (!broken) return;
    check(cudaFree(features[parts - 2]));
    check(cudaFree(features[parts - 1]));
  };
  return {round, [=] { return sum_on_device(scores, scored_items); }};
}

}  // namespace sealed
