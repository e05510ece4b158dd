#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

// Reads JSON files of any size, plain or gzip-packed, in pieces.
namespace lapscope::kineto {

// Thrown if a file is not complete, valid JSON. what() is a sentence that names the file.
class UnreadableJson : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Receives the parts of a JSON text in order. A string_view argument is valid only during the call.
class JsonListener {
 public:
  virtual ~JsonListener() = default;
  virtual void begin(bool is_array) = 0;
  virtual void end() = 0;
  virtual void key(std::string_view name) = 0;
  virtual void text(std::string_view value) = 0;
  // `value` is the number as written in the file. It may not fit any C++ type.
  virtual void number(std::string_view value) = 0;
  // true, false and null.
  virtual void other() = 0;
};

// Reads one JSON value from the file and reports it to `listener`. Returns true if the file has
// other characters than white space after the value. If `done` is not null, `*done` is the number
// of bytes read so far. In a packed file, these are packed bytes. Throws UnreadableJson for invalid
// JSON, for more than 64 levels of nesting, and for a string longer than 16 MiB. Passes on
// exceptions of the listener.
bool read_json(const std::filesystem::path& path, JsonListener& listener,
               std::atomic<std::int64_t>* done);

// Returns the first 64 KiB of the file after unpacking. Returns fewer bytes if the file is shorter,
// damaged or not JSON.
std::string beginning_of_json(const std::filesystem::path& path);

enum class JsonKind {
  none,      // not JSON
  other,     // other JSON
  timeline,  // JSON that begins like a trace of PyTorch's profiler
};

// Classifies a regular file by its beginning, after unpacking.
JsonKind kind_of_json(const std::filesystem::path& path);

}  // namespace lapscope::kineto
