#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

// JSON texts of any size, plain or as gzip has packed them, piece by piece.
namespace lapscope::kineto {

// A file that holds no such text, or not all of it. what() is a sentence that names the file.
class UnreadableJson : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Receives the parts of a text, in their order. Texts are valid during the call.
class JsonListener {
 public:
  virtual ~JsonListener() = default;
  virtual void begin(bool is_array) = 0;
  virtual void end() = 0;
  virtual void key(std::string_view name) = 0;
  virtual void text(std::string_view value) = 0;
  // The number as it is written: it need not fit into any type.
  virtual void number(std::string_view value) = 0;
  // true, false and null.
  virtual void other() = 0;
};

// Reads a text to its end. `done` counts bytes of the file as it is on disk; it may be null.
// Returns whether anything but white space follows. What nests deeper than 64 levels, or has a text
// of more than 16 MiB, is refused. Throws UnreadableJson, and what the listener does.
bool read_json(const std::filesystem::path& path, JsonListener& listener,
               std::atomic<std::int64_t>* done);

// The first 64 KiB of a file, once it is unpacked, or as much of them as can be.
std::string beginning_of_json(const std::filesystem::path& path);

enum class JsonKind {
  none,      // not JSON
  other,     // JSON
  timeline,  // JSON that begins as a trace of PyTorch's profiler does
};

// By how a regular file begins, once it is unpacked.
JsonKind kind_of_json(const std::filesystem::path& path);

}  // namespace lapscope::kineto
