#include "collector/control/control_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace lapscope::control {
namespace {

bool is_zombie(pid_t process) noexcept {
  try {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(") ");  // the name of the program may contain anything
    return name_end != std::string::npos && line.substr(name_end + 2, 1) == "Z";
  } catch (...) {
    return false;
  }
}

namespace fs = std::filesystem;

constexpr std::size_t longest_line = 4096;

[[noreturn]] void fail(const fs::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

// The address of a socket in a folder. An address may have at most 107 bytes, but the path of the
// folder may be longer. So the folder is opened, and the address names the folder by its descriptor
// in /proc.
struct Address {
  Address(const fs::path& folder, const std::string& name)
      : opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    if (!opened) fail(folder);
    const std::string path = "/proc/self/fd/" + std::to_string(opened.descriptor()) + "/" + name;
    if (path.size() >= sizeof socket.sun_path) {
      errno = ENAMETOOLONG;
      fail(folder / name);
    }
    socket.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), socket.sun_path);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&socket); }

  Socket opened;
  sockaddr_un socket{};
};

Socket new_socket(const fs::path& folder) {
  Socket made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made) fail(folder);
  return made;
}

// Waits until the socket is readable (POLLIN) or writable (POLLOUT). Returns false after `until`,
// or on an error.
bool await(const Socket& socket, short event, Clock::time_point until) noexcept {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() < 0) return false;
    pollfd wanted{socket.descriptor(), event, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::min<long>(left.count(), 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Socket::~Socket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<std::string> claim_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return "'" + folder.string() + "' cannot be made: " + std::strerror(errno) + ".";
  }
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    return "'" + folder.string() + "' is no folder.";
  }
  if (status.st_uid != ::geteuid() || (status.st_mode & 077) != 0) {
    return "others may enter '" + folder.string() + "': remove it.";
  }
  return std::nullopt;
}

// The socket gets its name only when it listens. A client that connected earlier would be refused,
// and would conclude that the process has ended.
Socket listen_at(const fs::path& folder, const std::string& name) {
  const std::string early = "." + name;
  const Address address(folder, early);
  const int opened = address.opened.descriptor();
  Socket made = new_socket(folder / name);
  ::unlinkat(opened, early.c_str(), 0);
  if (::bind(made.descriptor(), address.get(), sizeof address.socket) != 0) fail(folder / name);
  if (::listen(made.descriptor(), 64) != 0) fail(folder / name);
  if (::renameat(opened, early.c_str(), opened, name.c_str()) != 0) fail(folder / name);
  return made;
}

Socket connect_to(const fs::path& folder, const std::string& name) {
  const Address address(folder, name);
  Socket made = new_socket(folder / name);
  if (::connect(made.descriptor(), address.get(), sizeof address.socket) != 0) fail(folder / name);
  return made;
}

bool has_listener_ended(const Socket& connected) noexcept {
  ucred listener{};
  socklen_t size = sizeof listener;
  if (::getsockopt(connected.descriptor(), SOL_SOCKET, SO_PEERCRED, &listener, &size) != 0) {
    return false;
  }
  // The id is 0 if the listener is in a process namespace that this process does not see.
  if (listener.pid <= 0) return false;
  return ::kill(listener.pid, 0) == 0 ? is_zombie(listener.pid) : errno == ESRCH;
}

Socket accept_on(const Socket& listening) noexcept {
  return Socket(::accept4(listening.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

std::optional<std::string> read_line(const Socket& socket, Clock::time_point until) {
  std::string line;
  while (line.size() <= longest_line && await(socket, POLLIN, until)) {
    char c = 0;
    const ssize_t count = ::read(socket.descriptor(), &c, 1);
    if (count == 0) return std::nullopt;
    if (count < 0 && errno != EAGAIN && errno != EINTR) return std::nullopt;
    if (count < 0) continue;
    if (c == '\n') return line;
    line += c;
  }
  return std::nullopt;
}

bool write_line(const Socket& socket, std::string_view line, Clock::time_point until) noexcept {
  std::string_view end = "\n";
  for (std::string_view* part : {&line, &end}) {
    while (!part->empty()) {
      if (!await(socket, POLLOUT, until)) return false;
      // The client may be gone. Without MSG_NOSIGNAL the program would get SIGPIPE.
      const ssize_t count = ::send(socket.descriptor(), part->data(), part->size(), MSG_NOSIGNAL);
      if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (count > 0) part->remove_prefix(static_cast<std::size_t>(count));
    }
  }
  return true;
}

}  // namespace lapscope::control
