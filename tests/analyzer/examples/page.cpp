#include "tests/analyzer/examples/page.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "analyzer/measures/measure.h"
#include "tests/analyzer/examples/example.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::test {
namespace {

constexpr std::string_view introduction = R"(# Measures and gaps

Every figure describes one device and one scope. A scope is the whole trace, an interval of it, or the work of an NVTX
range. Figures are computed in integer nanoseconds. Most figures are the length of a union of intervals: time with
several ops counts once. A ratio becomes a decimal number only when it is shown.

Each picture on this page is a trace, and the figures below it are results of `analyze` for this trace. Tests check
these figures. The program `lapscope_measures_page` writes this page from these tests (`tests/analyzer/examples/`).

Each line of a picture is a stream, and each character is a nanosecond. A sequence of the same letter is an op. The
first letter of a line shows what runs in the stream:

- K: kernels, N: communication kernels, M: memsets.
- H: copies to the device, D: copies to the host, P: copies from another device, C: copies within the device.
- V: copies to the device on a compute channel, W: copies of pageable memory to the device.
- I: copies of 1 KiB to the device, J: copies of 1 MiB to the device.
- L: kernels in the legacy default stream, B: kernels in blocking streams.
- A: kernels in streams that share a hardware queue, G: launches of one executable graph.
- U: migrations of managed memory, which run in no stream.

A number after the first letter is the number of the stream. Lines with the same number are one stream. Times below a
picture are lengths in characters of the picture.

Some pictures also show the host. In such a picture, each character is a microsecond. Three kinds of lines show the
host:

- T: the calls of a host thread. A small letter is the call that issued the op with the same letter. S is a
  synchronising call. M is an allocation. P is an allocation of page-locked memory. F is a call of cudaLaunchHostFunc.
  Q is a call of cudaEventRecord. It records an event in the stream of the thread's previous op. E is a call of
  cudaStreamWaitEvent. It lets the stream of the thread's next op wait for the event of Q. X is any other call.
- R: the NVTX ranges of the thread drawn above. The letter is the name of the range.
- O: what blocked the thread drawn above. p is tracing, m is module loading, b is a full command buffer.
)";

constexpr std::string_view gaps = R"(
## Gaps

Each gap is divided into parts. Each part has a cause: the reason why the op after the gap did not start earlier. Causes
come from the constraint graph ([model.md](model.md)), and so do blame, findings and predictions. With `--no-causes`
there is no constraint graph, and gaps are listed without causes.

Below a picture, `gaps` lists the parts of each gap: the cause and the length of each part. A semicolon separates gaps.
)";

constexpr std::string_view after_gaps = R"(
The cause `stream-order` does not mean that the stream *could* have run something else in the gap. An H200 takes about
1.3 µs from the end of an op to the start of the next op in the same stream. This time is `stream-order`, too.
)";

// Returns a fraction with its decimal number, such as "4/6 = 0.667". Returns any other value
// unchanged.
std::string shown(const std::string& value) {
  long long numerator = 0;
  long long denominator = 0;
  int read = 0;
  if (std::sscanf(value.c_str(), "%lld/%lld%n", &numerator, &denominator, &read) != 2 ||
      static_cast<std::size_t>(read) != value.size()) {
    return value;
  }
  char decimal[32];
  std::snprintf(decimal, sizeof decimal, "%.3f",
                static_cast<double>(numerator) / static_cast<double>(denominator));
  return value + " = " + decimal;
}

class Page {
 public:
  std::string text{introduction};

  void topic(const Topic& topic, const std::string& heading) {
    text.append("\n").append(heading).append("\n\n").append(topic.note).append("\n");
    for (const Example& example : topic.examples) add(example);
  }

  void add(const Example& example) {
    text += "\n";
    if (!example.title.empty()) text.append(example.title).append("\n\n");
    std::istringstream lines{std::string(example.drawing)};
    for (std::string line; std::getline(lines, line);) text += "    " + line + "\n";
    text += "\n";
    const auto values = computed(example, folder_.path());
    std::size_t width = 0;
    for (const Figure& figure : example.figures) width = std::max(width, figure.name.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string name(example.figures[i].name);
      text += "    " + name + std::string(width - name.size() + 2, ' ') + shown(values[i]) + "\n";
    }
  }

 private:
  const TemporaryFolder folder_;
};

void add_measures(Page& page) {
  page.text += "\n## Measures\n";
  const auto topics = measure_topics();
  for (const analyzer::Measure* measure : analyzer::measures()) {
    const auto topic = std::find_if(topics.begin(), topics.end(),
                                    [&](const Topic& t) { return t.title == measure->name; });
    const std::string unit = measure->unit == analyzer::MeasureUnit::ns ? "ns" : "a ratio";
    Topic shown = topic == topics.end() ? Topic{} : *topic;
    const std::string note =
        "`" + std::string(measure->definition) + "`, " + unit + ". " + std::string(shown.note);
    shown.note = note;
    page.topic(shown, "### " + std::string(measure->name));
  }
}

void add_causes(Page& page) {
  page.text += gaps;
  page.text += "\n| code | meaning |\n| --- | --- |\n";
  const auto causes = cause_topics();
  for (const Topic& cause : causes) {
    page.text.append("| ").append(cause.title).append(" | ").append(cause.note).append(" |\n");
  }
  page.text += after_gaps;
  for (const Topic& topic : gap_topics()) page.topic(topic, "### " + std::string(topic.title));
  for (const Topic& cause : causes) {
    page.text.append("\n### ").append(cause.title).append("\n");
    for (const Example& example : cause.examples) page.add(example);
  }
}

}  // namespace

std::string measures_page() {
  Page page;
  page.text += "\n## Scopes\n";
  for (const Topic& topic : scope_topics()) page.topic(topic, "### " + std::string(topic.title));
  add_measures(page);
  page.text += "\n## Tables\n";
  for (const Topic& topic : table_topics()) page.topic(topic, "### " + std::string(topic.title));
  add_causes(page);
  page.text += "\n## Edge cases\n";
  for (const Topic& topic : edge_topics()) page.topic(topic, "### " + std::string(topic.title));
  return page.text;
}

}  // namespace lapscope::test
