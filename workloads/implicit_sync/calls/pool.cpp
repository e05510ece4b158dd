// Stream-ordered allocation from a pool that nothing else uses, so its contents are known.

#include <cstdint>
#include <limits>

#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr std::size_t pool_bytes = 32 << 20;
constexpr Claim pool_is_asynchronous{Documented::asynchronous, "reference"};

// A memory pool that keeps freed memory. It uses the rig's own stream.
class Pool {
 public:
  explicit Pool(cudaStream_t stream) : stream_(stream) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    require(cudaMemPoolCreate(&pool_, &properties), "create a memory pool");
    auto keep_all = std::numeric_limits<std::uint64_t>::max();
    require(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep_all),
            "make a memory pool keep its memory");
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() { cudaMemPoolDestroy(pool_); }

  cudaError_t allocate(void*& data) const {
    return cudaMallocFromPoolAsync(&data, pool_bytes, pool_, stream_);
  }
  cudaError_t release(void* data) const { return cudaFreeAsync(data, stream_); }
  cudaError_t empty() const { return cudaMemPoolTrimTo(pool_, 0); }

  void fill() const {
    void* data = nullptr;
    require(allocate(data), "allocate from a memory pool");
    require(release(data), "free to a memory pool");
    require(cudaStreamSynchronize(stream_), "wait for a memory pool");
  }

 private:
  cudaMemPool_t pool_ = nullptr;
  cudaStream_t stream_;
};

Lifetime<void*> allocated_from(const std::shared_ptr<const Pool>& pool) {
  return {[pool](void*& data) { return pool->allocate(data); },
          [pool](void* data) { return pool->release(data); }};
}

Trial allocating(Rig& rig, void (*bring)(const Pool&)) {
  const auto pool = std::make_shared<const Pool>(rig.own.get());
  Trial trial = creating(allocated_from(pool));
  trial.prepare = [=] { bring(*pool); };
  return in_stream(rig.own.get(), trial);
}

Trial freeing(Rig& rig) {
  return in_stream(rig.own.get(),
                   destroying(allocated_from(std::make_shared<const Pool>(rig.own.get()))));
}

Trial trimming(Rig& rig) {
  const auto pool = std::make_shared<const Pool>(rig.own.get());
  Trial trial = calling([=] { return pool->empty(); });
  trial.prepare = [=] { pool->fill(); };
  return in_stream(rig.own.get(), trial);
}

const Call all_pool_calls[] = {
    {"cudaMallocAsync-full-pool", pool_is_asynchronous,
     [](Rig& rig) { return allocating(rig, [](const Pool& pool) { pool.fill(); }); }},
    {"cudaMallocAsync-empty-pool", pool_is_asynchronous,
     [](Rig& rig) {
       return allocating(rig, [](const Pool& pool) { require(pool.empty(), "empty a pool"); });
     }},
    {"cudaFreeAsync", not_named, freeing},
    {"cudaMemPoolTrimTo", not_named, trimming},
};

}  // namespace

std::span<const Call> pool_calls() { return all_pool_calls; }

}  // namespace lapscope::workloads::implicit_sync
