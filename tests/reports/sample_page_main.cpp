#include <exception>
#include <iostream>
#include <string_view>

#include "reports/html/render_html.h"
#include "reports/perfetto/render_perfetto.h"
#include "tests/reports/support/sample_reports.h"

// sample_page findings|hostile [perfetto]: writes a page, or a Perfetto trace, that no recording
// gives, for tests that read it with other programs.
int main(int argc, char** argv) {
  using namespace lapscope;
  const std::string_view which = argc >= 2 ? argv[1] : "";
  if (which != "findings" && which != "hostile") {
    std::cerr << "usage: sample_page findings|hostile [perfetto]\n";
    return 2;
  }
  try {
    const analyzer::Report report =
        which == "hostile" ? test::hostile_report() : test::report_with_findings();
    const auto render = argc > 2 ? reports::render_perfetto : reports::render_html;
    render(std::span(&report, 1), std::cout);
  } catch (const std::exception& error) {
    std::cerr << "sample_page: " << error.what() << '\n';
    return 4;
  }
  return 0;
}
