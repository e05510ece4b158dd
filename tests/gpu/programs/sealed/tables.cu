#include "tests/gpu/programs/sealed/programs.cuh"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <queue>
#include <string>

namespace sealed {

// bfs-levels: computes the distance of every vertex of a graph from some start vertices.
namespace {

constexpr unsigned vertices = 1U << 21U;
constexpr unsigned neighbours = 8;

__global__ void connect(unsigned* edges) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < neighbours; ++k) {
    const unsigned far = 1 + mixed(vertex * neighbours + k) % 32768;
    const unsigned near = k / 2 + 1;
    const unsigned way = k < 6 ? near : far;
    edges[vertex * neighbours + k] =
        (k % 2 == 0 ? vertex + way : vertex + vertices - way) % vertices;
  }
}

__global__ void start_search(int* levels, unsigned* frontier, unsigned* counts, unsigned source) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  levels[vertex] = vertex == source ? 0 : -1;
  if (vertex != source) return;
  frontier[0] = source;
  counts[0] = 1;
}

__global__ void visit_level(const unsigned* __restrict__ edges, int* levels,
                            const unsigned* __restrict__ frontier, unsigned* next, unsigned* counts,
                            int level) {
  const unsigned work = counts[level] * neighbours;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < work; i += gridDim.x * blockDim.x) {
    const unsigned to = edges[frontier[i / neighbours] * neighbours + i % neighbours];
    if (levels[to] == -1 && atomicCAS(&levels[to], -1, level + 1) == -1)
      next[atomicAdd(&counts[level + 1], 1U)] = to;
  }
}

}  // namespace

Program bfs_levels(bool broken) {
  static constexpr std::size_t most_levels = 256;
  static constexpr unsigned searches = 5;
  auto* edges = on_device<unsigned>(std::size_t{vertices} * neighbours);
  connect<<<vertices / 256, 256>>>(edges);
  launched();
  check(cudaDeviceSynchronize());
  auto* levels = on_device<int>(std::size_t{searches} * vertices);
  std::array<unsigned*, 2> frontier{on_device<unsigned>(vertices), on_device<unsigned>(vertices)};
  auto* counts = on_device<unsigned>(most_levels + 1);
  auto* count = pinned<unsigned>(1);
  cudaStream_t stream = new_stream();
  const std::size_t check_every = broken ? 1 : 8;
  const auto search = [=](unsigned number) {
    int* own_levels = levels + std::size_t{number} * vertices;
    check(cudaMemsetAsync(counts, 0, (most_levels + 1) * sizeof(unsigned), stream));
    start_search<<<vertices / 256, 256, 0, stream>>>(own_levels, frontier[0], counts,
                                                     mixed(number) % vertices);
    launched();
    for (std::size_t level = 0; level < most_levels; ++level) {
      visit_level<<<528, 256, 0, stream>>>(edges, own_levels, frontier[level % 2],
                                           frontier[(level + 1) % 2], counts,
                                           static_cast<int>(level));
      launched();
      if ((level + 1) % check_every != 0) continue;
      check(cudaMemcpyAsync(count, counts + level + 1, sizeof(unsigned), cudaMemcpyDeviceToHost,
                            stream));
      check(cudaStreamSynchronize(stream));
      if (*count == 0) break;
    }
  };
  const auto round = [=] {
    for (unsigned number = 0; number < searches; ++number) search(number);
    check(cudaStreamSynchronize(stream));
  };
  return {round, [=] { return sum_on_device(levels, std::size_t{searches} * vertices, 7); }};
}

// hash-join: joins two tables part by part, and adds up the costs for known customers.
namespace {

constexpr unsigned customers_of_part = 1U << 21U;
constexpr unsigned orders_of_part = 1U << 23U;
constexpr unsigned table_slots = 1U << 23U;

__device__ unsigned customer_key(unsigned part, unsigned row) {
  return (row * 2654435761U) ^ (part * 97U + 1U);  // No two rows of a part have the same.
}

__global__ void build_table(unsigned part, uint2* table) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned key = customer_key(part, row);
  unsigned slot = mixed(key) % table_slots;
  while (atomicCAS(&table[slot].x, 0xffffffffU, key) != 0xffffffffU)
    slot = (slot + 1) % table_slots;
  table[slot].y = row % 1000;
}

__global__ void probe_table(unsigned part, const float* __restrict__ draws,
                            const uint2* __restrict__ table, unsigned* discounts,
                            unsigned long long* total) {
  unsigned long long sum = 0;
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < orders_of_part; i += stride) {
    const auto row =
        static_cast<unsigned>(draws[i] * (2.0F * static_cast<float>(customers_of_part)));
    const unsigned key = customer_key(part, row);
    unsigned slot = mixed(key) % table_slots;
    unsigned found = 0;
    for (uint2 entry = table[slot]; entry.x != 0xffffffffU; entry = table[slot]) {
      if (entry.x == key) {
        found = entry.y + 1;
        break;
      }
      slot = (slot + 1) % table_slots;
    }
    discounts[i] = found;
    sum += found;
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffU, sum, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

}  // namespace

Program hash_join(bool broken) {
  static constexpr unsigned parts = 24;
  static constexpr std::size_t table_bytes = table_slots * sizeof(uint2);
  static constexpr std::size_t discount_bytes = orders_of_part * sizeof(unsigned);
  const float* draws = fractions(orders_of_part, 51);
  auto* totals = on_device<unsigned long long>(parts);
  auto* on_host = pinned<unsigned long long>(parts);
  uint2* own_table = broken ? nullptr : on_device<uint2>(table_slots);
  unsigned* own_discounts = broken ? nullptr : on_device<unsigned>(orders_of_part);
  cudaStream_t stream = new_stream();
  const auto join = [=](unsigned part) {
    uint2* table = own_table;
    unsigned* discounts = own_discounts;
    if (broken) {
      check(cudaMalloc(&table, table_bytes));
      check(cudaMalloc(&discounts, discount_bytes));
    }
    check(cudaMemsetAsync(table, 0xff, table_bytes, stream));
    build_table<<<customers_of_part / 256, 256, 0, stream>>>(part, table);
    launched();
    probe_table<<<1056, 256, 0, stream>>>(part, draws, table, discounts, totals + part);
    launched();
    if (broken) {
      check(cudaFree(table));
      check(cudaFree(discounts));
    }
  };
  const auto round = [=] {
    check(cudaMemsetAsync(totals, 0, parts * sizeof(unsigned long long), stream));
    for (unsigned part = 0; part < parts; ++part) join(part);
    check(cudaMemcpyAsync(on_host, totals, parts * sizeof(unsigned long long),
                          cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
  };
  return {round, [=] { return sum_on_host(on_host, parts); }};
}

// log-search: searches pieces of logs for words. Each piece has its own place in a buffer.
namespace {

constexpr std::size_t piece_bytes = 6 << 10;
constexpr std::size_t place_bytes = 8 << 10;
constexpr std::size_t pieces = 48;
constexpr std::size_t batch_bytes = pieces * piece_bytes;
constexpr int words = 512;
constexpr int word_bytes = 4;

__global__ void find_words(const unsigned char* __restrict__ text, const unsigned* __restrict__ all,
                           unsigned* found) {
  const std::size_t at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at + word_bytes > batch_bytes) return;
  unsigned here = 0;
  for (int k = 0; k < word_bytes; ++k) here = here << 8U | text[at + static_cast<std::size_t>(k)];
  for (int word = 0; word < words; ++word) {
    // Small letters and capitals are the same.
    if ((here | 0x20202020U) == (all[word] | 0x20202020U)) atomicAdd(&found[word], 1U);
  }
}

}  // namespace

Program log_search(bool broken) {
  static constexpr std::size_t batches = 12;
  auto* logs = pinned<unsigned char>(batches * pieces * place_bytes);
  for (std::size_t i = 0; i < batches * pieces * place_bytes; ++i)
    logs[i] = static_cast<unsigned char>('a' + mixed(static_cast<unsigned>(i)) % 12);
  std::vector<unsigned> all(words);
  for (unsigned i = 0; i < words; ++i) {
    for (unsigned k = 0; k < word_bytes; ++k)
      all[i] = all[i] << 8U | ('a' + mixed(i * word_bytes + k + 7U) % 12);
  }
  auto* wanted = on_device<unsigned>(words);
  check(cudaMemcpy(wanted, all.data(), words * sizeof(unsigned), cudaMemcpyHostToDevice));
  std::array<unsigned char*, 2> text{on_device<unsigned char>(batch_bytes),
                                     on_device<unsigned char>(batch_bytes)};
  auto* found = on_device<unsigned>(batches * words);
  auto* on_host = pinned<unsigned>(batches * words);
  std::array<cudaStream_t, 2> streams{new_stream(), new_stream()};
  const auto round = [=] {
    check(cudaMemsetAsync(found, 0, batches * words * sizeof(unsigned), streams[0]));
    check(cudaStreamSynchronize(streams[0]));
    for (std::size_t batch = 0; batch < batches; ++batch) {
      const std::size_t slot = batch % 2;
      const unsigned char* from = logs + batch * pieces * place_bytes;
      if (broken) {
        for (std::size_t piece = 0; piece < pieces; ++piece)
          check(cudaMemcpyAsync(text[slot] + piece * piece_bytes, from + piece * place_bytes,
                                piece_bytes, cudaMemcpyHostToDevice, streams[slot]));
      } else {
        check(cudaMemcpy2DAsync(text[slot], piece_bytes, from, place_bytes, piece_bytes, pieces,
                                cudaMemcpyHostToDevice, streams[slot]));
      }
      find_words<<<batch_bytes / 256, 256, 0, streams[slot]>>>(text[slot], wanted,
                                                               found + batch * words);
      launched();
      check(cudaMemcpyAsync(on_host + batch * words, found + batch * words,
                            words * sizeof(unsigned), cudaMemcpyDeviceToHost, streams[slot]));
    }
    for (cudaStream_t stream : streams) check(cudaStreamSynchronize(stream));
  };
  return {round, [=] { return sum_on_host(on_host, batches * words); }};
}

// block-compress: the GPU predicts samples and counts how often each difference from the prediction
// occurs. The host makes a code from the counts. It also computes a checksum of the differences.
namespace {

constexpr std::size_t samples_of_block = std::size_t{1} << 21U;
constexpr std::size_t checked_bytes = std::size_t{64} << 10U;

__global__ void predict_samples(const float* __restrict__ samples, unsigned char* differences,
                                unsigned* counts) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < samples_of_block; i += stride) {
    float best = 1e9F;
    // The best of several filters with 16 samples each.
    for (int filter = 1; filter <= 6; ++filter) {
      float guess = 0.0F;
      float weight = 1.0F;
      float weights = 0.0F;
      for (unsigned back = 1; back <= 16; ++back) {
        weight *= 1.0F - 0.1F * static_cast<float>(filter);
        guess += weight * samples[(i - back) % samples_of_block];
        weights += weight;
      }
      const float apart = samples[i] - guess / weights;
      if (fabsf(apart) < fabsf(best)) best = apart;
    }
    const auto difference = static_cast<unsigned char>(static_cast<int>(best * 120.0F + 128.0F));
    differences[i] = difference;
    atomicAdd(&own[difference], 1U);
  }
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// Returns how many bits all samples take in a Huffman code.
double bits_of_code(const unsigned* counts) {
  std::priority_queue<double, std::vector<double>, std::greater<>> left;
  for (int i = 0; i < 256; ++i) {
    if (counts[i] > 0) left.push(counts[i]);
  }
  double bits = 0.0;
  while (left.size() > 1) {
    const double first = left.top();
    left.pop();
    const double second = left.top();
    left.pop();
    bits += first + second;
    left.push(first + second);
  }
  return bits;
}

double adler(const unsigned char* bytes) {
  unsigned a = 1;
  unsigned b = 0;
  for (std::size_t i = 0; i < checked_bytes; ++i) {
    a = (a + bytes[i]) % 65521U;
    b = (b + a) % 65521U;
  }
  return static_cast<double>(b) + static_cast<double>(a) / 65536.0;
}

}  // namespace

Program block_compress(bool broken) {
  static constexpr std::size_t blocks = 24;
  static constexpr std::size_t kept_blocks = 4;
  struct Slot {
    unsigned char* differences;
    unsigned* counts;
    unsigned char* host_differences;
    unsigned* host_counts;
    cudaStream_t stream;
  };
  const float* samples = fractions(kept_blocks * samples_of_block, 61);
  std::array<Slot, 2> slots{};
  for (Slot& slot : slots)
    slot = {on_device<unsigned char>(samples_of_block), on_device<unsigned>(256),
            pinned<unsigned char>(samples_of_block), pinned<unsigned>(256), new_stream()};
  auto results = std::make_shared<std::vector<double>>(blocks);
  const auto predict = [=](std::size_t block) {
    const Slot& slot = slots[block % 2];
    check(cudaMemsetAsync(slot.counts, 0, 256 * sizeof(unsigned), slot.stream));
    predict_samples<<<132, 256, 0, slot.stream>>>(samples + block % kept_blocks * samples_of_block,
                                                  slot.differences, slot.counts);
    launched();
    check(cudaMemcpyAsync(slot.host_differences, slot.differences, samples_of_block,
                          cudaMemcpyDeviceToHost, slot.stream));
    check(cudaMemcpyAsync(slot.host_counts, slot.counts, 256 * sizeof(unsigned),
                          cudaMemcpyDeviceToHost, slot.stream));
  };
  const auto encode = [=](std::size_t block) {
    const Slot& slot = slots[block % 2];
    check(cudaStreamSynchronize(slot.stream));
    (*results)[block] = bits_of_code(slot.host_counts) + adler(slot.host_differences);
  };
  const auto round = [=] {
    if (!broken) predict(0);
    for (std::size_t block = 0; block < blocks; ++block) {
      if (broken) predict(block);
      if (!broken && block + 1 < blocks) predict(block + 1);
      encode(block);
    }
  };
  return {round, [=] { return sum_on_host(results->data(), blocks); }};
}

// query-plans: makes a separate kernel for each query. The kernel contains the limits of the query.
// The driver compiles and loads the kernel.
namespace {

constexpr unsigned rows = 1U << 25U;

// This kernel counts the rows whose day is in a range and whose price is small. The program
// replaces the words in capitals by the limits.
constexpr const char* plan_template = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry plan(
	.param .u64 plan_param_0,
	.param .u64 plan_param_1,
	.param .u32 plan_param_2,
	.param .u64 plan_param_3
)
{
	.reg .pred 	%p<11>;
	.reg .f32 	%f<2>;
	.reg .b32 	%r<42>;
	.reg .b64 	%rd<14>;
	ld.param.u64 	%rd4, [plan_param_0];
	ld.param.u64 	%rd5, [plan_param_1];
	ld.param.u32 	%r12, [plan_param_2];
	ld.param.u64 	%rd6, [plan_param_3];
	mov.u32 	%r1, %ntid.x;
	mov.u32 	%r14, %ctaid.x;
	mov.u32 	%r2, %tid.x;
	mad.lo.s32 	%r38, %r14, %r1, %r2;
	setp.ge.u32 	%p1, %r38, %r12;
	mov.u32 	%r40, 0;
	@%p1 bra 	$L__BB0_5;
	mov.u32 	%r16, %nctaid.x;
	mul.lo.s32 	%r4, %r16, %r1;
	cvta.to.global.u64 	%rd1, %rd5;
	cvta.to.global.u64 	%rd2, %rd4;
	mov.u32 	%r40, 0;
$L__BB0_2:
	cvt.u64.u32 	%rd3, %r38;
	mul.wide.u32 	%rd7, %r38, 4;
	add.s64 	%rd8, %rd1, %rd7;
	ld.global.u32 	%r17, [%rd8];
	add.s32 	%r18, %r17, -FIRST;
	setp.gt.u32 	%p2, %r18, DAYS;
	@%p2 bra 	$L__BB0_4;
	shl.b64 	%rd9, %rd3, 2;
	add.s64 	%rd10, %rd2, %rd9;
	ld.global.f32 	%f1, [%rd10];
	setp.lt.f32 	%p3, %f1, 0f3F000000;
	selp.u32 	%r19, 1, 0, %p3;
	add.s32 	%r40, %r40, %r19;
$L__BB0_4:
	cvt.u32.u64 	%r20, %rd3;
	add.s32 	%r38, %r20, %r4;
	setp.lt.u32 	%p4, %r38, %r12;
	@%p4 bra 	$L__BB0_2;
$L__BB0_5:
	mov.u32 	%r21, 2;
	mov.u32 	%r22, 31;
	mov.u32 	%r23, 16;
	mov.u32 	%r24, -1;
	shfl.sync.down.b32 	%r25|%p5, %r40, %r23, %r22, %r24;
	add.s32 	%r26, %r25, %r40;
	mov.u32 	%r27, 8;
	shfl.sync.down.b32 	%r28|%p6, %r26, %r27, %r22, %r24;
	add.s32 	%r29, %r28, %r26;
	mov.u32 	%r30, 4;
	shfl.sync.down.b32 	%r31|%p7, %r29, %r30, %r22, %r24;
	add.s32 	%r32, %r31, %r29;
	shfl.sync.down.b32 	%r33|%p8, %r32, %r21, %r22, %r24;
	add.s32 	%r34, %r33, %r32;
	mov.u32 	%r35, 1;
	shfl.sync.down.b32 	%r36|%p9, %r34, %r35, %r22, %r24;
	add.s32 	%r11, %r36, %r34;
	and.b32  	%r37, %r2, 31;
	setp.ne.s32 	%p10, %r37, 0;
	@%p10 bra 	$L__BB0_7;
	cvt.u64.u32 	%rd11, %r11;
	cvta.to.global.u64 	%rd12, %rd6;
	atom.global.add.u64 	%rd13, [%rd12], %rd11;
$L__BB0_7:
	ret;
}
)";

__global__ void fill_days(unsigned* days) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  days[row] = mixed(row + 5U) % 3650;
}

std::string plan_text(unsigned first_day, unsigned days) {
  std::string text = plan_template;
  text.replace(text.find("FIRST"), 5, std::to_string(first_day));
  text.replace(text.find("DAYS"), 4, std::to_string(days));
  return text;
}

struct Plan {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
};

Plan loaded(const std::string& text) {
  Plan plan;
  check(cudaLibraryLoadData(&plan.library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(cudaLibraryGetKernel(&plan.kernel, plan.library, "plan"));
  return plan;
}

template <class Plans>
void forget(Plans& plans) {
  for (Plan& plan : plans) {
    if (plan.library != nullptr) check(cudaLibraryUnload(plan.library));
    plan = Plan{};
  }
}

}  // namespace

Program query_plans(bool broken) {
  static constexpr std::size_t plans = 6;
  static constexpr std::size_t queries = 24;
  static constexpr std::size_t queries_of_plan = 4;
  const float* prices = fractions(rows, 71);
  auto* days = on_device<unsigned>(rows);
  fill_days<<<rows / 256, 256>>>(days);
  launched();
  check(cudaDeviceSynchronize());
  auto* found = on_device<unsigned long long>(1);
  auto* answer = pinned<unsigned long long>(1);
  auto answers = std::make_shared<std::vector<unsigned long long>>(queries);
  auto known = std::make_shared<std::array<Plan, plans>>();
  cudaStream_t stream = new_stream();
  const auto round = [=] {
    for (std::size_t query = 0; query < queries; ++query) {
      const auto which = static_cast<unsigned>(query / queries_of_plan % plans);
      Plan& plan = (*known)[which];
      if (plan.kernel == nullptr) {
        if (broken) forget(*known);
        plan = loaded(plan_text(300 * which + 10, 90 + 200 * which));
      }
      check(cudaMemsetAsync(found, 0, sizeof(unsigned long long), stream));
      unsigned count = rows;
      const float* own_prices = prices;
      unsigned* own_days = days;
      unsigned long long* own_found = found;
      void* arguments[] = {&own_prices, &own_days, &count, &own_found};
      check(cudaLaunchKernel(reinterpret_cast<const void*>(plan.kernel), dim3(1056), dim3(256),
                             arguments, 0, stream));
      check(cudaMemcpyAsync(answer, found, sizeof(unsigned long long), cudaMemcpyDeviceToHost,
                            stream));
      check(cudaStreamSynchronize(stream));
      (*answers)[query] = *answer;
    }
  };
  return {round, [=] { return sum_on_host(answers->data(), queries); }};
}

}  // namespace sealed
