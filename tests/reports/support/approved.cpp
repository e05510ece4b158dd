#include "tests/reports/support/approved.h"

#include <sstream>

#include "reports/html/sections.h"
#include "reports/renderer.h"
#include "tests/reports/support/sample_reports.h"

namespace lapscope::test {
namespace {

std::string rendered(const reports::Renderer& renderer, const analyzer::Report& report,
                     const reports::TextStyle& style = {}) {
  std::ostringstream out;
  renderer.render(std::span(&report, 1), style, out);
  return out.str();
}

}  // namespace

std::vector<Approved> outputs_to_approve() {
  std::vector<Approved> outputs;
  const auto add_all = [&outputs](const std::string& name, const analyzer::Report& report) {
    for (const reports::Renderer& renderer : reports::renderers()) {
      if (renderer.draws) continue;  // compressed data; their own tests look into it
      outputs.push_back({name + "." + std::string(renderer.name), rendered(renderer, report)});
    }
  };
  for (const char* name :
       {"stream_pipeline-serial", "stream_pipeline-default-stream", "stream_pipeline-overlapped"}) {
    add_all(name, recorded_report(name));
  }
  const analyzer::Report found = report_with_findings();
  add_all("made-up-findings", found);
  const reports::Renderer& text = *reports::find_renderer("text");
  outputs.push_back({"made-up-findings.verbose.text", rendered(text, found, {.verbose = true})});
  outputs.push_back(
      {"made-up-findings.plain.text", rendered(text, found, {.width = 60, .unicode = false})});
  outputs.push_back({"made-up-findings.colour.text", rendered(text, found, {.colour = true})});
  const analyzer::DeviceResult& device = found.devices.front();
  outputs.push_back({"made-up-findings.html-part",
                     reports::header_section(found) + reports::device_section(device, 0, 0) +
                         reports::tables_section(device, 0, found.timeline->extent.start) +
                         reports::trust_section(found)});
  outputs.push_back({"bound-by-engine.text", rendered(text, report_bound_by_engine())});
  outputs.push_back(
      {"several-devices.text", rendered(text, recorded_report("nccl-all-reduce-broken"))});
  return outputs;
}

}  // namespace lapscope::test
