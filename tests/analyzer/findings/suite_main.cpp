// lapscope_suite TRACES [CASE-VARIANT...]: what the analysis says of each trace of a catalogue.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "analyzer/analysis/analyze.h"
#include "analyzer/reader/read_trace.h"

using namespace lapscope;

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  std::ifstream file(folder + "/catalogue.json");
  const auto catalogue = nlohmann::json::parse(file);
  for (const auto& entry : catalogue["traces"]) {
    const std::string name = entry["trace"];
    bool wanted = argc < 3;
    for (int i = 2; i < argc; ++i) wanted |= name.starts_with(argv[i]);
    if (!wanted) continue;
    analyzer::AnalyzeOptions options;
    options.ranges = {entry["case"].get<std::string>()};
    if (argc > 2) options.causes.least_saving = 0.001;
    const auto trace = analyzer::read_trace(folder + "/" + name);
    const auto report = analyzer::analyze(trace, options);
    for (const auto& device : report.devices) {
      for (const auto& range : device.ranges) {
        if (!range.scope.causes) continue;
        const auto& causes = *range.scope.causes;
        std::string planted;
        for (const auto& c : entry["causes"]) planted += c.get<std::string>() + " ";
        const double wall = static_cast<double>(range.scope.window.end - range.scope.window.start);
        fmt::print("{:<38} d{} wall {:8.3f} replay {:+6.2f}%  planted {:<24}", name, device.id,
                   wall / 1e6, causes.replay.error * 100, planted);
        const auto& bare = entry["bare_wall_ms"];
        for (const auto& f : causes.findings) {
          fmt::print(" {}={:.1f}%({:.3f})", f.code, f.saving_share * 100,
                     static_cast<double>(f.predicted.wall_ns) / 1e6);
        }
        if (bare.is_object() && !bare["fixed"].is_null()) {
          fmt::print("  [fixed {:.3f}]", bare["fixed"].get<double>());
        }
        fmt::print("\n");
        if (argc > 2) {
          for (const auto& row : causes.blame) {
            fmt::print("      {} {:<24} {:10.3f} us {:5.1f}%\n", name_of(row.kind), row.code,
                       static_cast<double>(row.ns) / 1e3, static_cast<double>(row.ns) / wall * 100);
          }
        }
      }
    }
  }
}
