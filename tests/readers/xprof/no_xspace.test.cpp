#include <string>

#include "readers/tables/unreadable_trace.h"
#include "readers/xprof/xspace.h"
#include "tests/catch.h"

// Tests no_xspace.cpp. It replaces xspace.cpp if lapscope is built without protozero.
namespace lapscope::xprof {
namespace {

class Nobody : public Taker {
  void gpu(std::int64_t, const schema::GpuRow&, bool) override {}
  void line(const Line&) override {}
  void event(const Event&) override {}
};

TEST_CASE("a build without protozero says what is missing, and what to do", "[xprof]") {
  Nobody nobody;
  const auto read = [&nobody] { read_xspace("log/a.xplane.pb", nobody, nullptr); };
  CHECK_THROWS_AS(read(), analyzer::UnreadableTrace);
  CHECK_THROWS_WITH(read(), test::Containing("'log/a.xplane.pb' is a profile of XProf (XSpace)"));
  CHECK_THROWS_WITH(read(), test::Containing("libprotozero-dev"));
  CHECK_THROWS_WITH(read(), test::Containing("'.trace.json.gz'"));
}

}  // namespace
}  // namespace lapscope::xprof
