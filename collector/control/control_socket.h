#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// Lines of text between `lapscope ctl` and an armed process, by Unix sockets in a folder that only
// its owner may enter.
namespace lapscope::control {

using Clock = std::chrono::steady_clock;

// A descriptor that is closed with it, and is not handed on to other programs.
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

// Makes the folder if need be. Returns nothing if only this user may enter it; else a sentence.
std::optional<std::string> claim_folder(const std::filesystem::path& folder);

// A socket of this name that takes calls; an older one is replaced. Throws std::system_error.
Socket listen_at(const std::filesystem::path& folder, const std::string& name);
// Throws std::system_error: ECONNREFUSED where whoever listened has ended.
Socket connect_to(const std::filesystem::path& folder, const std::string& name);

// The next caller. Nothing if there is none.
Socket accept_on(const Socket& listening) noexcept;

// One line, without its end. Nothing if no line of at most 4 KiB has come by then.
std::optional<std::string> read_line(const Socket& socket, Clock::time_point until);
// Writes a line and its end; false where it could not.
bool write_line(const Socket& socket, std::string_view line, Clock::time_point until) noexcept;

}  // namespace lapscope::control
