#include "readers/kineto/json.h"

#include <zlib.h>

#include <string>

#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::kineto {
namespace {

using test::Containing;
using test::TemporaryFolder;
using test::write_file;

// Records the calls of a listener as text.
class Heard : public JsonListener {
 public:
  std::string all;
  void begin(bool is_array) override { all += is_array ? "[" : "{"; }
  void end() override { all += "}"; }
  void key(std::string_view name) override { all.append(name).append(":"); }
  void text(std::string_view value) override { all.append("'").append(value).append("' "); }
  void number(std::string_view value) override { all.append(value).append(" "); }
  void other() override { all += "? "; }
};

void write_gzip(const std::filesystem::path& path, const std::string& text) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

class Files {
 public:
  std::string heard(const std::string& content) {
    write_file(path_, content);
    Heard heard;
    has_rest = read_json(path_, heard, nullptr);
    return heard.all;
  }
  JsonKind kind(const std::string& content) {
    write_file(path_, content);
    return kind_of_json(path_);
  }
  bool has_rest = false;
  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "t.json";
};

TEST_CASE("a text is told in its order, numbers as they are written", "[kineto]") {
  Files files;
  CHECK(files.heard(R"( {"a": [1, -2.50, "x\n\u00e4", null, true], "b": {}} )") ==
        "{a:[1 -2.50 'x\n\xC3\xA4' ? ? }b:{}}");
  CHECK_FALSE(files.has_rest);
  CHECK(files.heard("[18446744073709551615,1e300]") == "[18446744073709551615 1e300 }");
}

TEST_CASE("what gzip has packed reads as if it had not", "[kineto]") {
  Files files;
  std::string text = "[";
  for (int i = 0; i < 300'000; ++i) text += std::to_string(i) + ",";  // exceeds one block
  text += "0]";
  const std::string plain = files.heard(text);
  write_gzip(files.path_, text);
  Heard heard;
  std::atomic<std::int64_t> done = 0;
  CHECK_FALSE(read_json(files.path_, heard, &done));
  CHECK(heard.all == plain);
  CHECK(done == static_cast<std::int64_t>(std::filesystem::file_size(files.path_)));
}

TEST_CASE("a byte-order mark before a text is none of it", "[kineto]") {
  Files files;
  const std::string mark = "\xEF\xBB\xBF";
  CHECK(files.heard(mark + "[1]") == "[1 }");
  CHECK_FALSE(files.has_rest);
  CHECK(files.kind(mark + R"({"traceEvents": []})") == JsonKind::timeline);
  CHECK(files.kind(mark + "text") == JsonKind::none);
  write_gzip(files.path_, mark + "[1]");
  Heard heard;
  CHECK_FALSE(read_json(files.path_, heard, nullptr));
  CHECK(heard.all == "[1 }");
}

TEST_CASE("what stands behind the text is said to be there", "[kineto]") {
  Files files;
  CHECK(files.heard("{}\n \n") == "{}");
  CHECK_FALSE(files.has_rest);
  CHECK(files.heard("{}\n{\"a\":1}") == "{}");
  CHECK(files.has_rest);
  CHECK(files.heard("{}garbage") == "{}");
  CHECK(files.has_rest);
}

TEST_CASE("a text that is cut short is refused, wherever it ends", "[kineto]") {
  Files files;
  const std::string text = R"({"traceEvents": [{"name": "a", "ts": 12.5, "args": {"x": true}}]})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    INFO(size);
    CHECK_THROWS_WITH(files.heard(text.substr(0, size)), Containing("is cut short"));
  }
}

TEST_CASE("what gzip has packed is refused when it is cut short or damaged", "[kineto]") {
  Files files;
  std::string text = "[";
  for (int i = 0; i < 10'000; ++i) text += std::to_string(i * 7919) + ",";
  write_gzip(files.path_, text + "0]");
  const std::string packed = test::read_file(files.path_);
  CHECK_THROWS_WITH(files.heard(packed.substr(0, packed.size() / 2)), Containing("is cut short"));
  std::string damaged = packed;
  damaged[packed.size() / 2] ^= 0x55;
  CHECK_THROWS_AS(files.heard(damaged), UnreadableJson);
}

TEST_CASE("a damaged text is refused with the place of the damage", "[kineto]") {
  Files files;
  CHECK_THROWS_WITH(files.heard(R"({"a": 1 "b": 2})"),
                    Containing("is damaged: what stands at byte"));
  for (const char* const number : {"inf", "-inf", "nan", "-nan"}) {
    CHECK_THROWS_WITH(files.heard(std::string("[1, ") + number + "]"),
                      Containing("is damaged") && Containing("Replace inf and nan"));
  }
  CHECK_THROWS_WITH(files.heard(std::string("[1, \0 2]", 8)), Containing("is damaged"));
}

TEST_CASE("nothing is too deep or too long to be refused", "[kineto]") {
  Files files;
  CHECK_THROWS_WITH(files.heard(std::string(1'000'000, '[')), Containing("deeper than 64 levels"));
  CHECK_THROWS_WITH(files.heard("[\"" + std::string(std::size_t{17} << 20, 'x') + "\"]"),
                    Containing("more than 16 MiB"));
  CHECK_THROWS_AS(files.heard("[" + std::string(std::size_t{40} << 20, '9') + "]"), UnreadableJson);
}

TEST_CASE("what a file is shows at its begin", "[kineto]") {
  Files files;
  CHECK(files.kind(R"({"schemaVersion": 1, "traceEvents": []})") == JsonKind::timeline);
  CHECK(files.kind(R"({"schema": "lapscope-summary/1", "runs": []})") == JsonKind::other);
  CHECK(files.kind(" \n[{}]") == JsonKind::other);
  CHECK(files.kind("SQLite format 3") == JsonKind::none);
  CHECK(files.kind("") == JsonKind::none);
  CHECK(kind_of_json(files.folder_.path()) == JsonKind::none);
  CHECK(kind_of_json(files.folder_ / "none") == JsonKind::none);
  write_gzip(files.path_, R"({"schemaVersion": 1})");
  CHECK(kind_of_json(files.path_) == JsonKind::timeline);
}

TEST_CASE("what a packed file is shows at its begin, also if it is cut short or damaged") {
  Files files;
  write_gzip(files.path_,
             R"({"schemaVersion": 1, "traceEvents": [)" + std::string(5'000, ' ') + "]}");
  const std::string packed = test::read_file(files.path_);
  CHECK(files.kind(packed.substr(0, packed.size() - 4)) == JsonKind::timeline);
  CHECK(files.kind(packed.substr(0, packed.size() - 12)) == JsonKind::timeline);
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 0x55;  // in the checksum
  CHECK(files.kind(damaged) == JsonKind::timeline);
  CHECK_THROWS_WITH(files.heard(packed.substr(0, packed.size() - 4)), Containing("is cut short"));
}

}  // namespace
}  // namespace lapscope::kineto
