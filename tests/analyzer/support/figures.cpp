#include "tests/analyzer/support/figures.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"

namespace lapscope::test {
namespace {

namespace fs = std::filesystem;
using analyzer::Engine;

std::string text_of(const analyzer::Value& value) {
  if (const auto* ns = std::get_if<analyzer::Nanoseconds>(&value)) return std::to_string(ns->count);
  if (const auto* ratio = std::get_if<analyzer::Ratio>(&value)) {
    return std::to_string(ratio->numerator) + "/" + std::to_string(ratio->denominator);
  }
  return "n/a";
}

std::string letters_of(const analyzer::StateTime& state) {
  std::string letters;
  for (const Engine engine : analyzer::all_engines) {
    if (state.has(engine)) letters += "KHDON"[static_cast<std::size_t>(engine)];
  }
  return letters.empty() ? "idle" : letters;
}

constexpr std::uint64_t no_figures = 14695981039346656037U;  // FNV-1a

std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

std::string hexadecimal(std::uint64_t number) {
  std::ostringstream text;
  text << std::hex << number;
  return text.str();
}

}  // namespace

std::string figures_of(const std::string& name, const analyzer::Report& report) {
  std::string text;
  for (const analyzer::HealthRow& row : report.health) {
    text += name + " health " + std::string(code_of(row)) + " " + std::to_string(row.count) + "\n";
  }
  for (const analyzer::DeviceResult& device : report.devices) {
    const auto add = [&](const std::string& what, const std::string& value) {
      text.append(name).append(" device ").append(std::to_string(device.id)).append(" ");
      text.append(what).append(" ").append(value).append("\n");
    };
    add("ops", std::to_string(device.scope.ops));
    for (const auto& result : device.scope.measures) {
      add(std::string(result.measure->name), text_of(result.value));
    }
    for (const auto& state : device.scope.states) {
      add("state " + letters_of(state), std::to_string(state.ns));
    }
    for (const auto& engine : device.engines) {
      add("engine " + std::string(name_of(engine.engine)), std::to_string(engine.busy_ns));
    }
    add("gaps", std::to_string(device.scope.gaps.count));
    for (const auto& [code, ns] : times_of(device.scope.gaps)) {
      add("gap " + std::string(code), std::to_string(ns));
    }
    if (device.iterations) {
      const auto& loop = *device.iterations;
      add("iterations",
          std::to_string(loop.count) + " " +
              (loop.range.empty() ? "sequence of " + std::to_string(loop.sequence) + " ops"
                                  : "NVTX range '" + loop.range + "'"));
    }
  }
  return text;
}

const std::map<std::string, analyzer::Report>& reports_of_folder(const std::string& folder) {
  static std::map<std::string, std::map<std::string, analyzer::Report>> by_folder;
  const auto [known, is_new] = by_folder.try_emplace(folder);
  if (is_new) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".sqlite") continue;
      known->second.emplace(entry.path().stem(),
                            analyzer::analyze(analyzer::read_trace(entry.path())));
    }
  }
  return known->second;
}

std::string figures_of_folder(const std::string& folder) {
  std::string text;
  for (const auto& [name, report] : reports_of_folder(folder)) text += figures_of(name, report);
  return text;
}

std::string shortened(const std::string& figures) {
  constexpr std::array<std::string_view, 4> shown = {"overlap_ratio", "copy_hidden", "wall",
                                                     "busy"};
  std::string text;
  std::string device;  // whose line is not complete yet
  std::uint64_t rest = no_figures;
  const auto complete = [&] {
    if (!device.empty()) text += " rest " + hexadecimal(rest) + "\n";
    device.clear();
    rest = no_figures;
  };
  std::istringstream lines(figures);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    std::string kind;
    std::string id;
    std::string figure;
    words >> name >> kind >> id >> figure;
    if (kind != "device") {
      complete();
      text += line + "\n";
      continue;
    }
    const std::string own = name + " device " + id;
    if (own != device) {
      complete();
      text += own;
      device = own;
    }
    const std::string said = line.substr(own.size());
    if (std::ranges::count(shown, figure) > 0) {
      text += said;
    } else {
      rest = hashed(rest, said);
    }
  }
  complete();
  return text;
}

}  // namespace lapscope::test
