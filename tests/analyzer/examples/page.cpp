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

Every figure is about one device and one scope: the whole trace, an interval of it, or the work of an NVTX
range. All arithmetic is on unions of intervals of integer nanoseconds, so that nothing counts twice; a ratio
is turned into a decimal only when it is shown.

The pictures are traces, and the tests check that `analyze` says of each what stands below it. This page is
written by `lapscope_measures_page` from those tests (`tests/analyzer/examples/`).

A line is a stream, a letter a nanosecond, and a run of a letter an op. The line's first letter shows what
runs there: K kernels, N communication kernels, M memsets, H copies to the device, D copies to the host,
P copies from another device, C copies within the device, V copies to the device on a compute channel,
W copies of pageable memory to the device, I and J copies to the device of 1 KiB and 1 MiB, U migrations of
managed memory; L kernels in the legacy default stream, B kernels in blocking streams, A kernels of streams that
share a hardware queue, G launches of one executable graph. A number behind it is the stream's, where two lines
are one stream.

Where a line T, a host thread, is drawn, a letter is a microsecond. A small letter is the call that issued
the op of that letter; S is a synchronising call, M an allocation, P an allocation of page-locked memory,
Q a cudaEventRecord behind the op before, E a cudaStreamWaitEvent of that event, F a cudaLaunchHostFunc, X
another call. A line R has NVTX ranges of the thread above,
named by letter, a line O what blocked it : p tracing, m module loading, b a full command buffer.
)";

constexpr std::string_view gaps = R"(
## Gaps

Each gap is partitioned in time by what kept the next op from starting: by the constraint graph, from which
blame, findings and predictions come as well ([model.md](model.md)). Without it (`--no-causes`) gaps are listed
and not explained.
)";

constexpr std::string_view after_gaps = R"(
That a stream *could* have run something else in the meantime is not said here: from one op to the next in its
stream an H200 takes about 1.3 µs, and that is `stream-order`, too.
)";

// "4/6" with its decimal.
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
