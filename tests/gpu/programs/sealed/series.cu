#include "tests/gpu/programs/sealed/programs.cuh"

#include <array>
#include <cstdlib>
#include <memory>

namespace sealed {

// book-risk: values books of options in several scenarios, and adds up the loss of each scenario.
namespace {

constexpr unsigned books = 6;
constexpr unsigned book_blocks = 20;

// Each thread follows paths of 64 steps and adds up the payoffs of an Asian option.
__global__ void value_book(float* partial, unsigned paths, unsigned seed) {
  __shared__ float sums[256];
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float pays = 0.0F;
  for (unsigned path = 0; path < paths; ++path) {
    unsigned bits = mixed(seed ^ mixed(thread * 4096U + path));
    float price = 100.0F;
    float sum = 0.0F;
    for (int step = 0; step < 64; ++step) {
      bits = bits * 1664525U + 1013904223U;
      const float radius = sqrtf(-2.0F * __logf(fraction(bits) + 1e-7F));
      bits = bits * 1664525U + 1013904223U;
      const float draw = radius * __cosf(6.2831853F * fraction(bits));
      price *= __expf(-0.0002F + 0.02F * draw);
      sum += price;
    }
    pays += fmaxf(sum / 64.0F - 100.0F, 0.0F);
  }
  sums[threadIdx.x] = pays;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

__global__ void add_scenario(const float* partial, float* total) {
  __shared__ float sums[128];
  sums[threadIdx.x] = threadIdx.x < books * book_blocks ? partial[threadIdx.x] : 0.0F;
  __syncthreads();
  for (unsigned half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = sums[0];
}

}  // namespace

Program book_risk(bool broken) {
  static constexpr unsigned scenarios = 24;
  auto* partial = on_device<float>(scenarios * books * book_blocks);
  auto* totals = on_device<float>(scenarios);
  std::array<cudaStream_t, books> streams{};
  for (cudaStream_t& stream : streams) check(cudaStreamCreate(&stream));
  cudaStream_t adding = nullptr;
  check(cudaStreamCreate(&adding));
  std::array<cudaEvent_t, books> valued{};
  for (cudaEvent_t& event : valued) event = new_event();
  const auto round = [=] {
    for (unsigned scenario = 0; scenario < scenarios; ++scenario) {
      float* own = partial + scenario * books * book_blocks;
      for (unsigned book = 0; book < books; ++book) {
        // A scenario affects a different number of trades in each book.
        const unsigned paths = 16 + 6 * ((book * 7 + scenario * 5) % 6);
        value_book<<<book_blocks, 256, 0, streams[book]>>>(own + book * book_blocks, paths,
                                                           scenario * books + book);
        launched();
        if (broken) continue;
        check(cudaEventRecord(valued[book], streams[book]));
        check(cudaStreamWaitEvent(adding, valued[book], 0));
      }
      if (broken) {
        add_scenario<<<1, 128>>>(own, totals + scenario);
      } else {
        add_scenario<<<1, 128, 0, adding>>>(own, totals + scenario);
      }
      launched();
    }
    check(cudaDeviceSynchronize());
  };
  return {round, [=] { return sum_on_device(totals, scenarios); }};
}

// seismic-stack: adds up the shots of a survey along curves, one curve for each velocity.
namespace {

constexpr unsigned receivers = 1024;
constexpr unsigned samples_of_trace = 2048;
constexpr unsigned velocities = 192;
constexpr std::size_t shot_floats = std::size_t{receivers} * samples_of_trace;

__global__ void stack_shot(const float* __restrict__ shot, float* image) {
  const unsigned sample = blockIdx.x * blockDim.x + threadIdx.x;
  const float velocity = 1500.0F + 15.0F * static_cast<float>(blockIdx.y);
  const float start = static_cast<float>(sample) * 0.004F;
  float sum = 0.0F;
  float squares = 1e-6F;
  for (unsigned receiver = 0; receiver < receivers; ++receiver) {
    const float way = 5.0F * static_cast<float>(receiver) / velocity;
    const float at = sqrtf(start * start + way * way) * 250.0F;
    const auto whole = static_cast<unsigned>(at);
    if (whole + 1 >= samples_of_trace) break;
    const float* trace = shot + receiver * samples_of_trace + whole;
    const float value = trace[0] + (at - static_cast<float>(whole)) * (trace[1] - trace[0]) - 0.5F;
    sum += value;
    squares += value * value;
  }
  image[blockIdx.y * samples_of_trace + sample] += sum * sum / squares;
}

__global__ void add_images(float* image, const float* other) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  image[i] += other[i];
}

}  // namespace

Program seismic_stack(bool broken) {
  static constexpr std::size_t shots = 24;
  static constexpr std::size_t kept_shots = 6;
  static constexpr std::size_t image_floats = std::size_t{velocities} * samples_of_trace;
  auto survey = std::make_shared<std::vector<float>>(broken ? kept_shots * shot_floats : 0);
  float* recorded = broken ? survey->data() : pinned<float>(kept_shots * shot_floats);
  for (std::size_t i = 0; i < kept_shots * shot_floats; ++i)
    recorded[i] = fraction(mixed(static_cast<unsigned>(i)));
  std::array<cudaStream_t, 2> streams{new_stream(), new_stream()};
  std::array<float*, 2> shot{on_device<float>(shot_floats), on_device<float>(shot_floats)};
  std::array<float*, 2> image{on_device<float>(image_floats), on_device<float>(image_floats)};
  const auto round = [=] {
    (void)survey;  // It has what was recorded.
    for (std::size_t i = 0; i < 2; ++i)
      check(cudaMemsetAsync(image[i], 0, image_floats * sizeof(float), streams[i]));
    for (std::size_t number = 0; number < shots; ++number) {
      const std::size_t slot = number % 2;
      check(cudaMemcpyAsync(shot[slot], recorded + number % kept_shots * shot_floats,
                            shot_floats * sizeof(float), cudaMemcpyHostToDevice, streams[slot]));
      stack_shot<<<dim3(samples_of_trace / 256, velocities), 256, 0, streams[slot]>>>(shot[slot],
                                                                                      image[slot]);
      launched();
    }
    for (cudaStream_t stream : streams) check(cudaStreamSynchronize(stream));
    add_images<<<image_floats / 256, 256, 0, streams[0]>>>(image[0], image[1]);
    launched();
    check(cudaStreamSynchronize(streams[0]));
  };
  return {round, [=] { return sum_on_device(image[0], image_floats); }};
}

// stations: each seismic station has a stream. The stream's kernels filter the station's channels
// and search for events.
namespace {

constexpr unsigned station_channels = 256;
constexpr unsigned window_samples = 1536;

__global__ void filter_window(const float* __restrict__ samples, float* __restrict__ filtered,
                              float* __restrict__ state) {
  const unsigned channel = blockIdx.x * blockDim.x + threadIdx.x;
  float first = state[channel];
  float second = state[station_channels + channel];
  for (unsigned i = 0; i < window_samples; ++i) {
    const float sample = samples[i * station_channels + channel] - 0.5F;
    const float out = 0.07F * sample + first;
    first = second + 1.74F * out * 0.5F;
    second = -0.07F * sample - 0.43F * out;
    filtered[i * station_channels + channel] = out;
  }
  state[channel] = first;
  state[station_channels + channel] = second;
}

__global__ void ratio_window(const float* __restrict__ filtered, float* __restrict__ ratios,
                             float* __restrict__ state) {
  const unsigned channel = blockIdx.x * blockDim.x + threadIdx.x;
  float soon = state[2 * station_channels + channel];
  float late = state[3 * station_channels + channel];
  for (unsigned i = 0; i < window_samples; ++i) {
    const float value = fabsf(filtered[i * station_channels + channel]);
    soon += 0.1F * (value - soon);
    late += 0.002F * (value - late);
    ratios[i * station_channels + channel] = soon / (late + 1e-4F);
  }
  state[2 * station_channels + channel] = soon;
  state[3 * station_channels + channel] = late;
}

__global__ void pick_window(const float* __restrict__ ratios, float* __restrict__ picks) {
  const unsigned channel = blockIdx.x * blockDim.x + threadIdx.x;
  float best = 0.0F;
  float picked = 0.0F;
  for (unsigned i = 0; i < window_samples; ++i) {
    const float ratio = ratios[i * station_channels + channel];
    best = fmaxf(0.995F * best, ratio);
    if (ratio >= best && ratio > 1.5F) picked += 1.0F + 0.001F * static_cast<float>(i);
  }
  picks[channel] += picked;
}

}  // namespace

void before_stations(bool broken) {
  if (broken) {
    unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
  } else {
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
  }
}

Program stations(bool) {
  static constexpr std::size_t count = 24;
  static constexpr std::size_t windows = 6;
  static constexpr std::size_t kept_windows = 2;
  static constexpr std::size_t window_floats = std::size_t{window_samples} * station_channels;
  struct Station {
    const float* samples;
    float* filtered;
    float* ratios;
    float* state;
    float* picks;
    cudaStream_t stream;
  };
  std::array<Station, count> all{};
  for (std::size_t i = 0; i < count; ++i)
    all[i] = {fractions(kept_windows * window_floats, static_cast<unsigned>(i) + 100U),
              on_device<float>(window_floats),
              on_device<float>(window_floats),
              on_device<float>(4 * station_channels),
              on_device<float>(station_channels),
              new_stream()};
  const auto round = [=] {
    for (const Station& station : all) {
      check(
          cudaMemsetAsync(station.state, 0, 4 * station_channels * sizeof(float), station.stream));
      check(cudaMemsetAsync(station.picks, 0, station_channels * sizeof(float), station.stream));
    }
    for (std::size_t window = 0; window < windows; window += 2) {
      for (const Station& station : all) {
        // Two windows of each station at a time.
        for (std::size_t each = 0; each < 2; ++each) {
          const float* samples = station.samples + (window + each) % kept_windows * window_floats;
          filter_window<<<4, station_channels / 4, 0, station.stream>>>(samples, station.filtered,
                                                                        station.state);
          launched();
          ratio_window<<<4, station_channels / 4, 0, station.stream>>>(
              station.filtered, station.ratios, station.state);
          launched();
          pick_window<<<4, station_channels / 4, 0, station.stream>>>(station.ratios,
                                                                      station.picks);
          launched();
        }
      }
    }
    for (const Station& station : all) check(cudaStreamSynchronize(station.stream));
  };
  return {round, [=] {
            double sum = 0.0;
            for (std::size_t i = 0; i < count; ++i)
              sum += static_cast<double>(i + 1) * sum_on_device(all[i].picks, station_channels);
            return sum;
          }};
}

// ensemble-graph: the members of a forecast advance independently. Then the program corrects all
// members with the same observations.
namespace {

constexpr unsigned members = 6;
constexpr unsigned member_blocks = 20;
constexpr unsigned member_cells = member_blocks * 256;
constexpr unsigned phases = 4;
constexpr unsigned spread_threads = 264 * 256;

__global__ void advance_member(float4* state) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 now = state[i];
  for (int step = 0; step < 4000; ++step) {
    const float x = 10.0F * (now.y - now.x);
    const float y = now.x * (28.0F - now.z) - now.y;
    const float z = now.x * now.y - 2.6666667F * now.z;
    now.x += 0.00002F * x;
    now.y += 0.00002F * y;
    now.z += 0.00002F * z;
  }
  state[i] = now;
}

// Adds up products of two cells of the same member, for very many pairs of cells.
__global__ void common_spread(const float4* __restrict__ states, float* spread) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned apart = 1 + mixed(thread) % (member_cells - 1);
  float sum = 0.0F;
  for (unsigned i = 0; i < member_cells; i += 16) {
    for (unsigned member = 0; member < members; ++member) {
      const float4* own = states + member * member_cells;
      sum += own[i].x * own[(i + apart) % member_cells].y;
    }
  }
  spread[thread] = sum / static_cast<float>(member_cells);
}

__global__ void pull_members(float4* states, const float* __restrict__ spread) {
  const unsigned cell = blockIdx.x * blockDim.x + threadIdx.x;
  float mean = 0.0F;
  for (unsigned member = 0; member < members; ++member)
    mean += states[member * member_cells + cell].x / static_cast<float>(members);
  const float share = 0.01F + 1e-6F * fminf(fabsf(spread[cell]), 1000.0F);
  for (unsigned member = 0; member < members; ++member) {
    float4& own = states[member * member_cells + cell];
    own.x += share * (mean - own.x);
  }
}

}  // namespace

Program ensemble_graph(bool broken) {
  static constexpr int cycles = 14;
  static constexpr std::size_t bytes = std::size_t{members} * member_cells * sizeof(float4);
  std::vector<float4> start(members * member_cells);
  for (unsigned i = 0; i < members * member_cells; ++i)
    start[i] = make_float4(5.0F + fraction(mixed(i)), 5.0F + fraction(mixed(i + 1)),
                           20.0F + fraction(mixed(i + 2)), 0.0F);
  auto* at_start = on_device<float4>(members * member_cells);
  check(cudaMemcpy(at_start, start.data(), bytes, cudaMemcpyHostToDevice));
  auto* states = on_device<float4>(members * member_cells);
  auto* spread = on_device<float>(spread_threads);
  cudaStream_t stream = new_stream();
  std::array<cudaStream_t, members> branches{};
  for (cudaStream_t& branch : branches) branch = broken ? stream : new_stream();
  cudaEvent_t fork = new_event();
  cudaEvent_t join = new_event();

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t forecast = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  check(cudaEventRecord(fork, stream));
  for (unsigned member = 0; member < members; ++member) {
    cudaStream_t branch = branches[member];
    if (!broken) check(cudaStreamWaitEvent(branch, fork, 0));
    for (unsigned phase = 0; phase < phases; ++phase) {
      advance_member<<<member_blocks, 256, 0, branch>>>(states + member * member_cells);
      launched();
    }
    if (broken) continue;
    check(cudaEventRecord(join, branch));
    check(cudaStreamWaitEvent(stream, join, 0));
  }
  common_spread<<<spread_threads / 256, 256, 0, stream>>>(states, spread);
  launched();
  pull_members<<<member_blocks, 256, 0, stream>>>(states, spread);
  launched();
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&forecast, graph, 0));

  const auto round = [=] {
    check(cudaMemcpyAsync(states, at_start, bytes, cudaMemcpyDeviceToDevice, stream));
    for (int cycle = 0; cycle < cycles; ++cycle) check(cudaGraphLaunch(forecast, stream));
    check(cudaStreamSynchronize(stream));
  };
  return {round, [=] {
            return sum_on_device(reinterpret_cast<const float*>(states),
                                 std::size_t{4} * members * member_cells);
          }};
}

// fir-bank: filters the channels of an antenna, and stores the results on the host.
namespace {

constexpr unsigned taps = 768;
constexpr unsigned outputs_of_thread = 8;
constexpr unsigned fir_blocks = 96;
constexpr unsigned channel_samples = fir_blocks * 256 * outputs_of_thread;

__global__ void filter_channel(const float* __restrict__ signal, const float* __restrict__ factors,
                               float* __restrict__ out) {
  __shared__ float own[taps];
  for (unsigned i = threadIdx.x; i < taps; i += 256) own[i] = factors[i] - 0.5F;
  __syncthreads();
  const unsigned first = blockIdx.x * 256 * outputs_of_thread + threadIdx.x;
  float sums[outputs_of_thread] = {};
  for (unsigned tap = 0; tap < taps; ++tap) {
    for (unsigned k = 0; k < outputs_of_thread; ++k)
      sums[k] += own[tap] * signal[first + k * 256 + tap];
  }
  for (unsigned k = 0; k < outputs_of_thread; ++k) out[first + k * 256] = sums[k];
}

}  // namespace

Program fir_bank(bool broken) {
  static constexpr std::size_t channels = 8;
  static constexpr std::size_t blocks = 8;
  static constexpr std::size_t parallel = 4;
  const float* signal = fractions(channels * channel_samples + blocks * 1024 + taps, 111);
  const float* factors = fractions(channels * taps, 112);
  std::array<float*, channels> filtered{};
  for (float*& each : filtered) each = on_device<float>(channel_samples);
  auto kept = std::make_shared<std::vector<float>>(broken ? channels * channel_samples : 0);
  float* results = broken ? kept->data() : pinned<float>(channels * channel_samples);
  cudaStream_t only = new_stream();
  std::array<cudaStream_t, parallel> streams{};
  for (cudaStream_t& stream : streams) stream = broken ? only : new_stream();
  const auto round = [=] {
    for (std::size_t block = 0; block < blocks; ++block) {
      for (std::size_t channel = 0; channel < channels; ++channel) {
        cudaStream_t stream = streams[channel % parallel];
        filter_channel<<<fir_blocks, 256, 0, stream>>>(
            signal + channel * channel_samples + block * 1024, factors + channel * taps,
            filtered[channel]);
        launched();
        check(cudaMemcpyAsync(results + channel * channel_samples, filtered[channel],
                              channel_samples * sizeof(float), cudaMemcpyDeviceToHost, stream));
      }
    }
    for (cudaStream_t stream : streams) check(cudaStreamSynchronize(stream));
  };
  return {round, [=] {
            (void)kept;  // It has the results.
            return sum_on_host(results, channels * channel_samples, 3);
          }};
}

}  // namespace sealed
