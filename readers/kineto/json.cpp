#include "readers/kineto/json.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

// Turns off RapidJSON's assertions, because invalid input must cause an exception, not an abort.
#define RAPIDJSON_ASSERT(condition) static_cast<void>(0)
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include "readers/foreign/foreign_files.h"

namespace lapscope::kineto {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_text = std::size_t{16} << 20;
constexpr int deepest = 64;
// Some Windows editors and exporters put this mark before UTF-8 text.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw UnreadableJson("'" + path.string() + "' " + why);
}

class Unpacked {
 public:
  Unpacked(const fs::path& path, unsigned block)
      : path_(path), file_(gzopen(path.c_str(), "rb"), &gzclose) {
    if (!file_) refuse(path_, "cannot be read: " + std::string(std::strerror(errno)) + ".");
    gzbuffer(file_.get(), block);
  }

  // Returns the number of bytes read; 0 at the end. Throws if the file is cut short or damaged,
  // after earlier calls have returned the bytes before the damage.
  std::size_t read(char* to, std::size_t size) {
    const int count = gzread(file_.get(), to, static_cast<unsigned>(size));
    if (count > 0) return static_cast<std::size_t>(count);
    int error = Z_OK;
    const char* const words = gzerror(file_.get(), &error);
    if (error == Z_BUF_ERROR) {
      refuse(path_,
             "is cut short: what gzip has packed ends before it is complete. Copy or export "
             "it again.");
    }
    if (count < 0 || (error != Z_OK && error != Z_STREAM_END)) {
      refuse(path_,
             "cannot be unpacked: " + std::string(error == Z_ERRNO ? std::strerror(errno) : words) +
                 ". Copy or export it again.");
    }
    return 0;
  }

  std::int64_t bytes_taken() { return gzoffset(file_.get()); }

 private:
  const fs::path& path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
};

// The input stream that RapidJSON reads from.
class Input {
 public:
  using Ch = char;

  Input(const fs::path& path, std::atomic<std::int64_t>* done)
      : file_(path, 1U << 18), done_(done), block_(std::size_t{1} << 18) {
    fill();
    if (std::string_view(next_, end_).starts_with(byte_order_mark)) {
      next_ += byte_order_mark.size();
    }
  }

  // Returns the next character, or '\0' at the end. The text itself may contain '\0', too.
  Ch Peek() const { return *next_; }
  Ch Take() {
    const Ch taken = *next_;
    if (next_ == end_) return '\0';
    if (++next_ == end_) fill();
    return taken;
  }
  std::size_t Tell() const { return before_ + static_cast<std::size_t>(next_ - block_.data()); }
  bool is_at_end() const { return next_ == end_; }

  // RapidJSON requires these functions of a stream, and calls them only for in-situ parsing.
  Ch* PutBegin() { return nullptr; }
  void Put(Ch) {}
  void Flush() {}
  std::size_t PutEnd(Ch*) { return 0; }

 private:
  void fill() {
    before_ += static_cast<std::size_t>(end_ - block_.data());
    const std::size_t count = file_.read(block_.data(), block_.size() - 1);
    if (done_) done_->store(file_.bytes_taken(), std::memory_order_relaxed);
    next_ = block_.data();
    end_ = next_ + count;
    block_[count] = '\0';
  }

  Unpacked file_;
  std::atomic<std::int64_t>* done_;
  std::vector<char> block_;
  const char* next_ = block_.data();
  const char* end_ = block_.data();
  std::size_t before_ = 0;  // bytes of the unpacked text before `block_`
};

// RapidJSON's allocator for the buffer of an unfinished string. It throws if the string is too
// long.
class BoundedAllocator {
 public:
  static constexpr bool kNeedFree = true;
  void* Malloc(std::size_t size) { return Realloc(nullptr, 0, size); }
  void* Realloc(void* old, std::size_t, std::size_t size) {
    if (size > 2 * longest_text) throw std::length_error("text");
    if (size == 0) {
      Free(old);
      return nullptr;
    }
    void* const memory = std::realloc(old, size);
    if (!memory) throw std::bad_alloc();
    return memory;
  }
  static void Free(void* memory) { std::free(memory); }
};

class Events {
 public:
  Events(const fs::path& path, JsonListener& listener) : path_(path), listener_(listener) {}

  bool Null() { return other(); }
  bool Bool(bool) { return other(); }
  bool Int(int) { return other(); }
  bool Uint(unsigned) { return other(); }
  bool Int64(std::int64_t) { return other(); }
  bool Uint64(std::uint64_t) { return other(); }
  bool Double(double) { return other(); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    listener_.number({text, length});
    return true;
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    check(length);
    listener_.text({text, length});
    return true;
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    check(length);
    listener_.key({text, length});
    return true;
  }
  bool StartObject() { return begin(false); }
  bool StartArray() { return begin(true); }
  bool EndObject(rapidjson::SizeType) { return end(); }
  bool EndArray(rapidjson::SizeType) { return end(); }

 private:
  bool other() {
    listener_.other();
    return true;
  }
  bool begin(bool is_array) {
    if (++depth_ > deepest) {
      refuse(path_, "nests deeper than " + std::to_string(deepest) + " levels, so it is no trace.");
    }
    listener_.begin(is_array);
    return true;
  }
  bool end() {
    --depth_;
    listener_.end();
    return true;
  }
  void check(rapidjson::SizeType length) const {
    if (length > longest_text) throw std::length_error("text");
  }

  const fs::path& path_;
  JsonListener& listener_;
  int depth_ = 0;
};

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Returns whether a text with this beginning may be an object or an array.
bool may_be_json(std::string_view begin) {
  if (begin.starts_with(byte_order_mark)) begin.remove_prefix(byte_order_mark.size());
  while (!begin.empty() && is_white(begin.front())) begin.remove_prefix(1);
  return begin.empty() || begin.front() == '{' || begin.front() == '[';
}

}  // namespace

bool read_json(const fs::path& path, JsonListener& listener, std::atomic<std::int64_t>* done) {
  Input input(path, done);
  Events events(path, listener);
  rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, BoundedAllocator> reader;
  constexpr unsigned flags =
      rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseStopWhenDoneFlag;
  try {
    reader.Parse<flags>(input, events);
  } catch (const std::length_error&) {
    refuse(path, "has a text of more than " + std::to_string(longest_text >> 20) + " MiB at byte " +
                     std::to_string(input.Tell()) + ", so it is no trace.");
  }
  if (reader.HasParseError()) {
    const std::string place = std::to_string(input.Tell());
    if (input.is_at_end()) {
      refuse(path, "is cut short: its JSON ends at byte " + place +
                       " before it is complete. Copy or export it again.");
    }
    const auto code = reader.GetParseErrorCode();
    // Some releases of PyTorch's profiler write such numbers: github.com/pytorch/kineto/issues/105.
    const bool may_be_inf = code == rapidjson::kParseErrorValueInvalid;
    refuse(path, "is damaged: what stands at byte " + place + " is no JSON (" +
                     rapidjson::GetParseError_En(code) + "). " +
                     (may_be_inf ? "Replace inf and nan by 0 if they stand there as numbers, or "
                                   "copy or export it again."
                                 : "Copy or export it again."));
  }
  while (!input.is_at_end() && is_white(input.Peek())) input.Take();
  return !input.is_at_end();
}

std::string beginning_of_json(const fs::path& path) {
  if (!analyzer::has_bytes(path)) return {};
  std::string bytes(1 << 16, '\0');
  std::size_t count = 0;
  // zlib drops the block in which it finds an error. With small blocks, most bytes before the error
  // are kept.
  constexpr std::size_t piece = 64;
  try {
    Unpacked file(path, piece);
    while (count < bytes.size()) {
      const std::size_t more =
          file.read(bytes.data() + count, std::min(piece, bytes.size() - count));
      count += more;
      if (more == 0 || !may_be_json({bytes.data(), count})) break;
    }
  } catch (const UnreadableJson&) {
    // Keep the bytes before the error. A full read of the file reports the error.
  }
  bytes.resize(count);
  return bytes;
}

JsonKind kind_of_json(const fs::path& path) {
  const std::string begin = beginning_of_json(path);
  if (!may_be_json(begin) || begin.find_first_of("{[") == std::string::npos) return JsonKind::none;
  for (const std::string_view key :
       {"\"traceEvents\"", "\"schemaVersion\"", "\"deviceProperties\"", "\"distributedInfo\""}) {
    if (begin.find(key) != std::string::npos) return JsonKind::timeline;
  }
  return JsonKind::other;
}

}  // namespace lapscope::kineto
