#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// Sends lines of text between `lapscope ctl` and an armed process. The Unix sockets are in a folder
// that only its owner may enter.
namespace lapscope::control {

using Clock = std::chrono::steady_clock;

// Owns a descriptor and closes it. Programs that this process executes do not inherit the
// descriptor.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();
  int descriptor() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// Makes the folder if it does not exist. Returns a sentence if the folder cannot be made, or if
// other users may enter it. Returns nothing if only this user may enter it.
std::optional<std::string> claim_folder(const std::filesystem::path& folder);

// Makes a listening socket with this name, and returns the socket. Replaces an older socket with
// the same name. Throws std::system_error.
Socket listen_at(const std::filesystem::path& folder, const std::string& name);
// Connects to a listening socket. Throws std::system_error: ECONNREFUSED if the listening process
// has ended.
Socket connect_to(const std::filesystem::path& folder, const std::string& name);
// Returns whether the process that listened at the other end has ended. The connection alone does
// not show this: a forked child may still have the listening socket, but never accepts a
// connection.
bool has_listener_ended(const Socket& connected) noexcept;

// Returns the next connection; an empty Socket if there is none.
Socket accept_on(const Socket& listening) noexcept;

// Returns the next line, without the newline. Returns nothing if the line is longer than 4 KiB, or
// if it is not complete before the deadline `until`.
std::optional<std::string> read_line(const Socket& socket, Clock::time_point until);
// Writes a line and a newline. Returns false on an error, or if the deadline `until` passes before
// everything is written.
bool write_line(const Socket& socket, std::string_view line, Clock::time_point until) noexcept;

}  // namespace lapscope::control
