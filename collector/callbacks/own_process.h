#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>

namespace lapscope::callbacks {

// Distinguishes the process that it was made in from one that was forked off it, without a system
// call, which would be the most costly part of a callback: a page reads zero in the child.
class OwnProcess {
 public:
  OwnProcess() {
    const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    if (::madvise(page, size, MADV_WIPEONFORK) != 0) {  // before Linux 4.14
      ::munmap(page, size);
      return;
    }
    flag_ = new (page) std::atomic<bool>(true);
  }
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;

  bool is_here() const {
    return flag_ ? flag_->load(std::memory_order_relaxed) : ::getpid() == pid_;
  }

 private:
  const pid_t pid_ = ::getpid();
  // Never unmapped: as long-lived as what asks, and that is as long-lived as the process.
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace lapscope::callbacks
