#include "reports/text/details.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <map>

#include "reports/text/table.h"
#include "reports/words/engine_words.h"
#include "reports/words/format.h"
#include "reports/words/printable.h"
#include "reports/words/verdict.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::ScopeResult;
using Align = Table::Align;

constexpr std::size_t indent = 2;

void print_measures(const ScopeResult& scope, std::ostream& out) {
  Table table({Align::left, Align::right, Align::left});
  for (const auto& result : scope.measures) {
    const auto* undefined = std::get_if<analyzer::Undefined>(&result.value);
    table.add({std::string(result.measure->name), format_value(result.value),
               std::string(undefined ? undefined->reason : result.measure->definition)});
  }
  table.print(out, indent);
}

void print_states(const ScopeResult& scope, std::ostream& out) {
  fmt::print(out, "\n  active at the same time\n");
  Table table({Align::left, Align::right, Align::right});
  for (const auto& state : scope.states) {
    table.add(
        {words_of(state), format_ns(state.ns), format_share(state.ns, scope.window.length())});
  }
  table.print(out, 2 * indent);
}

// What made up a gap, most time first: parts of one cause and detail as one row.
void print_parts(const analyzer::GapResult& gap, std::ostream& out) {
  constexpr std::size_t shown = 5;
  std::map<std::pair<std::string_view, std::string>, std::int64_t> times;
  for (const auto& part : gap.parts) {
    times[{code_of(part.cause), part.detail}] += part.interval.length();
  }
  std::vector<std::pair<std::int64_t, std::pair<std::string_view, std::string>>> rows;
  for (const auto& [what, ns] : times) rows.emplace_back(ns, what);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  Table parts({Align::right, Align::left, Align::left});
  std::int64_t rest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [ns, what] = rows[i];
    if (i >= shown) {
      rest += ns;
      continue;
    }
    parts.add({format_ns(ns), std::string(what.first), printable(what.second)});
  }
  if (rest > 0) parts.add({format_ns(rest), fmt::format("{} more", rows.size() - shown), ""});
  parts.print(out, 3 * indent);
}

void print_gaps(const ScopeResult& scope, std::ostream& out) {
  if (scope.gaps.count == 0) return;
  fmt::print(out, "\n  {} idle gaps, by what kept the next op from starting\n", scope.gaps.count);
  Table causes({Align::left, Align::right, Align::right});
  for (const auto& [cause, ns] : causes_of(scope.gaps)) {
    causes.add({cause, format_ns(ns), format_share(ns, scope.gaps.total_ns)});
  }
  causes.print(out, 2 * indent);
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(shown, scope.gaps.longest.size()); ++i) {
    const auto& gap = scope.gaps.longest[i];
    fmt::print(out, "    gap of {} at {}{}{}\n", format_ns(gap.interval.length()),
               format_ns(gap.interval.start - scope.window.start),
               gap.next.empty() ? "" : ", before " + printable(gap.next),
               gap.thread.empty() ? "" : " of " + gap.thread);
    print_parts(gap, out);
  }
}

void print_scope(const ScopeResult& scope, std::ostream& out) {
  print_measures(scope, out);
  print_states(scope, out);
  print_gaps(scope, out);
}

void print_engines(const DeviceResult& device, std::ostream& out) {
  fmt::print(out, "\n  engines\n");
  Table table({Align::left, Align::right, Align::right, Align::left});
  for (const auto& engine : device.engines) {
    table.add({std::string(word_of(engine.engine)), format_ns(engine.busy_ns),
               format_share(engine.busy_ns, device.scope.window.length()),
               fmt::format("{} ops", engine.ops)});
  }
  table.print(out, 2 * indent);
}

void print_streams(const DeviceResult& device, std::ostream& out) {
  fmt::print(out, "\n  streams\n");
  Table table({Align::right, Align::left, Align::right, Align::right, Align::left});
  for (const auto& result : device.streams) {
    table.add({fmt::format("{}", result.stream.id), std::string(name_of(result.stream.kind)),
               format_ns(result.busy_ns),
               format_share(result.busy_ns, device.scope.window.length()),
               fmt::format("{} ops", result.ops)});
  }
  table.print(out, 2 * indent);
}

// The pairs of streams that ran at the same time for longest.
void print_stream_overlaps(const DeviceResult& device, std::ostream& out) {
  if (device.stream_overlaps.empty()) return;
  constexpr std::size_t shown = 8;
  auto pairs = device.stream_overlaps;
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.ns > b.ns; });
  fmt::print(out, "\n  streams at the same time\n");
  Table table({Align::left, Align::right, Align::right});
  for (std::size_t i = 0; i < std::min(shown, pairs.size()); ++i) {
    table.add({fmt::format("{} and {}", pairs[i].a.id, pairs[i].b.id), format_ns(pairs[i].ns),
               format_share(pairs[i].ns, device.scope.window.length())});
  }
  table.print(out, 2 * indent);
  if (pairs.size() > shown) fmt::print(out, "    and {} more pairs\n", pairs.size() - shown);
}

void print_collectives(const DeviceResult& device, std::ostream& out) {
  if (device.collectives.empty()) return;
  fmt::print(out, "\n  communication kernels, and how much of each other compute hid\n");
  Table table({Align::left, Align::right, Align::right, Align::right});
  for (const auto& collective : device.collectives) {
    table.add({printable(collective.name), format_ns(collective.sum_ns),
               fmt::format("{} ops", collective.ops),
               format_share(collective.hidden_ns, collective.sum_ns)});
  }
  table.print(out, 2 * indent);
}

std::string format_number(double value, const analyzer::Measure& measure) {
  if (measure.unit == analyzer::MeasureUnit::ns) {
    return format_ns(static_cast<std::int64_t>(value));
  }
  return fmt::format("{:.3f}", value);
}

void print_iterations(const DeviceResult& device, std::ostream& out) {
  if (!device.iterations) return;
  const auto& iterations = *device.iterations;
  fmt::print(out, "\n  {} iterations of {} ops: {}\n", iterations.count,
             iterations.ops_per_iteration, printable(iterations.source));
  Table table({Align::left, Align::right, Align::left, Align::right});
  table.add({"", "median", "quartiles", "first"});
  for (std::size_t i = 0; i < iterations.steady.size(); ++i) {
    const auto& spread = iterations.steady[i];
    if (spread.defined == 0) continue;
    table.add({std::string(spread.measure->name), format_number(spread.median, *spread.measure),
               fmt::format("{} to {}", format_number(spread.quartile1, *spread.measure),
                           format_number(spread.quartile3, *spread.measure)),
               i < iterations.first.size() ? format_value(iterations.first[i]) : ""});
  }
  table.print(out, 2 * indent);
}

void print_series(const DeviceResult& device, std::ostream& out) {
  if (device.series.empty()) return;
  constexpr std::array columns = {"busy", "overlap_ratio", "copy_hidden", "idle_ratio"};
  fmt::print(out, "\n  over time\n");
  std::vector<Align> aligns(columns.size() + 2, Align::right);
  Table table(std::move(aligns));
  std::vector<std::string> head = {"from", "ops"};
  head.insert(head.end(), columns.begin(), columns.end());
  table.add(std::move(head));
  for (const auto& bin : device.series) {
    std::vector<std::string> row = {format_ns(bin.window.start - device.scope.window.start),
                                    fmt::format("{}", bin.ops)};
    for (const char* column : columns) {
      for (std::size_t i = 0; i < bin.values.size(); ++i) {
        if (analyzer::measures()[i]->name == column) row.push_back(format_value(bin.values[i]));
      }
    }
    table.add(std::move(row));
  }
  table.print(out, 2 * indent);
}

// How near copies came to what their link carries, or else what it was seen to carry.
std::string words_of_link(const analyzer::OpGroup& group) {
  if (group.bytes_per_s && group.link_bytes_per_s) {
    return fmt::format("{} of {} link", format_share(*group.bytes_per_s, *group.link_bytes_per_s),
                       format_rate(*group.link_bytes_per_s));
  }
  return group.best_bytes_per_s ? "best " + format_rate(*group.best_bytes_per_s) : "";
}

void print_groups(const DeviceResult& device, std::ostream& out) {
  fmt::print(out, "\n  most time\n");
  constexpr std::size_t shown = 8;
  Table table({Align::left, Align::right, Align::right, Align::right, Align::left});
  for (std::size_t i = 0; i < std::min(shown, device.groups.size()); ++i) {
    const auto& group = device.groups[i];
    table.add({printable(group.name), format_ns(group.sum_ns), fmt::format("{} ops", group.ops),
               group.bytes_per_s ? format_rate(*group.bytes_per_s) : "", words_of_link(group)});
  }
  table.print(out, 2 * indent);
}

}  // namespace

void print_details(const DeviceResult& device, std::ostream& out) {
  print_scope(device.scope, out);
  print_engines(device, out);
  print_streams(device, out);
  print_stream_overlaps(device, out);
  print_collectives(device, out);
  print_groups(device, out);
  print_iterations(device, out);
  print_series(device, out);
}

void print_range(const analyzer::RangeResult& range, std::ostream& out) {
  fmt::print(out, "\n{} '{}', {} times: {} ops\n",
             range.kind == analyzer::RangeKind::nvtx ? "range" : "bracket", printable(range.name),
             range.instances, range.scope.ops);
  print_scope(range.scope, out);
}

}  // namespace lapscope::reports
