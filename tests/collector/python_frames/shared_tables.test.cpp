#include "collector/python_frames/shared_tables.h"

#include <string>
#include <thread>
#include <vector>

#include "tests/catch.h"

namespace lapscope::python_frames {
namespace {

TEST_CASE("a text has one number, by which it is found again", "[python]") {
  TextTable texts;
  const std::uint32_t train = texts.number_of("train.py");
  CHECK(train != 0);
  CHECK(texts.number_of("model.py") != train);
  CHECK(texts.number_of(std::string("train") + ".py") == train);
  CHECK(texts.text(train) == "train.py");
  CHECK(texts.number_of("") == 0);
  CHECK(texts.text(0).empty());
}

TEST_CASE("a table of texts that is full has no number for another", "[python]") {
  TextTable texts;
  const std::uint32_t first = texts.number_of("first");
  const std::string large(1u << 20, 'x');
  std::size_t kept = 0;
  for (int i = 0; i < 10; ++i) kept += texts.number_of(large + std::to_string(i)) != 0 ? 1u : 0u;
  CHECK(kept == 7);
  CHECK(texts.number_of("another") != 0);
  CHECK(texts.text(first) == "first");
  CHECK(texts.number_of(std::string(TextTable::most_bytes, 'y')) == 0);
}

TEST_CASE("threads that add the same texts get the same numbers", "[python]") {
  TextTable texts;
  std::vector<std::vector<std::uint32_t>> numbers(8);
  std::vector<std::thread> threads;
  for (auto& own : numbers) {
    threads.emplace_back([&own, &texts] {
      for (int i = 0; i < 5000; ++i) own.push_back(texts.number_of("text " + std::to_string(i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& own : numbers) CHECK(own == numbers.front());
  CHECK(texts.text(numbers[3][4321]) == "text 4321");
}

TEST_CASE("a frame is known by its key", "[python]") {
  FrameTable known;
  CHECK_FALSE(known.find(5));
  known.add(5, {1, 2, 3});
  known.add(0, {4, 5, 6});
  CHECK(known.find(5) == PythonFrame{1, 2, 3});
  CHECK(known.find(0) == PythonFrame{4, 5, 6});
  CHECK_FALSE(known.find(5 + FrameTable::most));
}

TEST_CASE("a full table of frames keeps what it has", "[python]") {
  FrameTable known;
  for (std::uint32_t i = 0; i < 2 * FrameTable::most; ++i) {
    known.add(mix(0, i), {i, i, i});
  }
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < 2 * FrameTable::most; ++i) {
    const auto frame = known.find(mix(0, i));
    if (frame && frame->line == i) ++found;
    if (frame && frame->line != i) FAIL("frame " << i << " is another's");
  }
  CHECK(found > FrameTable::most / 2);
  CHECK(found <= FrameTable::most);
}

}  // namespace
}  // namespace lapscope::python_frames
