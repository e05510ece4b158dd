#include <exception>
#include <iostream>
#include <string_view>

#include "reports/html/render_html.h"
#include "tests/reports/support/sample_reports.h"

// sample_page findings|hostile: writes a page that no recorded trace gives, for tests in a browser.
int main(int argc, char** argv) {
  using namespace lapscope;
  const std::string_view which = argc == 2 ? argv[1] : "";
  if (which != "findings" && which != "hostile") {
    std::cerr << "usage: sample_page findings|hostile\n";
    return 2;
  }
  try {
    const analyzer::Report report =
        which == "hostile" ? test::hostile_report() : test::report_with_findings();
    reports::render_html(std::span(&report, 1), std::cout);
  } catch (const std::exception& error) {
    std::cerr << "sample_page: " << error.what() << '\n';
    return 4;
  }
  return 0;
}
