#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>

namespace lapscope::callbacks {

// Determines whether the code runs in the process that made this object, or in a forked child of
// that process. Makes no system call, because a system call would be the most costly part of a
// callback. The object has a page of memory that Linux zeroes in the child.
class OwnProcess {
 public:
  OwnProcess() {
    const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    if (::madvise(page, size, MADV_WIPEONFORK) != 0) {  // not supported before Linux 4.14
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
  // The page is never unmapped, because the objects that read it live as long as the process.
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace lapscope::callbacks
