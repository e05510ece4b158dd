#pragma once

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "collector/process/thread_number.h"

namespace lapscope::process {

// The threads that the host sampler looks at (host_samples/host_sampler.h): all threads that have
// called CUDA. A thread adds itself at the start of a CUDA call, without a lock. The sampler's
// thread removes threads that have ended.
class WatchedThreads {
 public:
  static constexpr std::size_t most = 128;

  struct Thread {
    std::uint32_t id = 0;       // the kernel's thread id; 0: none
    std::uint64_t pthread = 0;  // pthread_self()
  };

  // Adds the calling thread. Does nothing if the thread was added before or if there is no room.
  void add_this() noexcept {
    static thread_local bool is_added = false;
    if (is_added) return;
    is_added = true;
    const auto id = static_cast<std::uint32_t>(process::thread_id());
    for (std::size_t i = 0; i < most; ++i) {
      std::uint32_t found = 0;
      const bool was_free =
          places_[i].id.compare_exchange_strong(found, id, std::memory_order_acq_rel);
      // Reuses the entry of an ended thread that had the same id.
      if (!was_free && found != id) continue;
      places_[i].pthread.store(static_cast<std::uint64_t>(::pthread_self()),
                               std::memory_order_release);
      std::size_t used = used_.load(std::memory_order_relaxed);
      while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_release)) {
      }
      return;
    }
  }

  // Only the sampler's thread may call used(), at() and remove(). Places with index used() or above
  // have never been used.
  std::size_t used() const noexcept { return used_.load(std::memory_order_acquire); }
  Thread at(std::size_t place) const noexcept {
    return {places_[place].id.load(std::memory_order_acquire),
            places_[place].pthread.load(std::memory_order_acquire)};
  }
  void remove(std::size_t place) noexcept {
    places_[place].pthread.store(0, std::memory_order_relaxed);
    places_[place].id.store(0, std::memory_order_release);
  }

 private:
  struct Place {
    std::atomic<std::uint32_t> id{0};
    std::atomic<std::uint64_t> pthread{0};
  };
  std::array<Place, most> places_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace lapscope::process
