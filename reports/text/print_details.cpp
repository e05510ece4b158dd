#include "reports/text/text_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>
#include <vector>

#include "reports/text/layout.h"
#include "reports/words/activity_words.h"
#include "reports/words/format.h"
#include "reports/words/host_time_words.h"
#include "reports/words/verdict_words.h"
#include "reports/words/word_tables.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Ns;
using analyzer::ScopeResult;
using Align = Table::Align;

constexpr std::size_t detail_indent = 2;

void print_measures(const ScopeResult& scope, std::ostream& out) {
  Table table({Align::left, Align::right, Align::left});
  for (const auto& result : scope.measures) {
    const auto* undefined = std::get_if<analyzer::Undefined>(&result.value);
    table.add({std::string(result.measure->name), format_value(result.value),
               std::string(undefined ? undefined->reason : result.measure->definition)});
  }
  table.print(out, detail_indent);
}

void print_states(const ScopeResult& scope, std::ostream& out) {
  out << "\n  active at the same time\n";
  Table table({Align::left, Align::right, Align::right});
  for (const auto& state : scope.states) {
    table.add(
        {words_of(state), format_ns(state.ns), format_share(state.ns, scope.window.length())});
  }
  table.print(out, 2 * detail_indent);
}

// Prints the parts of a gap, the longest first. Parts with the same cause and detail share a row.
void print_parts(const analyzer::GapResult& gap, std::ostream& out) {
  constexpr std::size_t shown = 5;
  std::map<std::pair<std::string_view, std::string>, Ns> times;
  for (const auto& part : gap.parts) {
    times[{code_of(part.cause), part.detail}] += part.interval.length();
  }
  std::vector<std::pair<Ns, std::pair<std::string_view, std::string>>> rows;
  for (const auto& [what, ns] : times) rows.emplace_back(ns, what);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  Table parts({Align::right, Align::left, Align::left});
  Ns rest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [ns, what] = rows[i];
    if (i >= shown) {
      rest += ns;
      continue;
    }
    parts.add({format_ns(ns), std::string(what.first), printable(what.second)});
  }
  if (rest > 0) parts.add({format_ns(rest), fmt::format("{} more", rows.size() - shown), ""});
  parts.print(out, 3 * detail_indent);
}

void print_gaps(const ScopeResult& scope, Ns first_op, std::ostream& out) {
  if (scope.gaps.count == 0) return;
  out << fmt::format("\n  {} idle gaps{}\n", scope.gaps.count,
                     scope.gaps.by_cause ? ", idle time by cause" : "");
  Table causes({Align::left, Align::right, Align::right});
  for (const auto& [cause, ns] : causes_of(scope.gaps)) {
    causes.add({cause, format_ns(ns), format_share(ns, scope.gaps.total_ns)});
  }
  causes.print(out, 2 * detail_indent);
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(shown, scope.gaps.longest.size()); ++i) {
    const auto& gap = scope.gaps.longest[i];
    out << fmt::format("    gap of {} at {}{}{}\n", format_ns(gap.interval.length()),
                       format_instant(gap.interval.start - first_op),
                       gap.next.empty() ? "" : ", before " + printable(gap.next),
                       gap.thread.empty() ? "" : " of " + gap.thread);
    print_parts(gap, out);
  }
}

void print_engines(const DeviceResult& device, std::ostream& out) {
  out << "\n  engines\n";
  Table table({Align::left, Align::right, Align::right, Align::left});
  for (const auto& engine : device.engines) {
    table.add({std::string(word_of(engine.engine)), format_ns(engine.busy_ns),
               format_share(engine.busy_ns, device.scope.window.length()),
               counted(engine.ops, "op")});
  }
  table.print(out, 2 * detail_indent);
}

void print_streams(const DeviceResult& device, std::ostream& out) {
  out << "\n  streams\n";
  Table table({Align::right, Align::left, Align::right, Align::right, Align::left});
  for (const auto& result : device.streams) {
    table.add({fmt::format("{}", result.stream.id), std::string(name_of(result.stream.kind)),
               format_ns(result.busy_ns),
               format_share(result.busy_ns, device.scope.window.length()),
               counted(result.ops, "op")});
  }
  table.print(out, 2 * detail_indent);
}

// Prints the pairs of streams that overlapped the longest.
void print_stream_overlaps(const DeviceResult& device, std::ostream& out) {
  if (device.stream_overlaps.empty()) return;
  constexpr std::size_t shown = 8;
  auto pairs = device.stream_overlaps;
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.ns > b.ns; });
  out << "\n  streams at the same time\n";
  Table table({Align::left, Align::right, Align::right});
  for (std::size_t i = 0; i < std::min(shown, pairs.size()); ++i) {
    table.add({fmt::format("{} and {}", pairs[i].a.id, pairs[i].b.id), format_ns(pairs[i].ns),
               format_share(pairs[i].ns, device.scope.window.length())});
  }
  table.print(out, 2 * detail_indent);
  if (pairs.size() > shown) {
    out << fmt::format("    and {}\n",
                       counted(static_cast<std::int64_t>(pairs.size() - shown), "more pair"));
  }
}

void print_collectives(const DeviceResult& device, std::ostream& out) {
  if (device.collectives.empty()) return;
  out << "\n  communication kernels, and the share of each that other compute hides\n";
  Table table({Align::left, Align::right, Align::right, Align::right});
  for (const auto& collective : device.collectives) {
    table.add({printable(collective.name), format_ns(collective.sum_ns),
               counted(collective.ops, "op"),
               format_share(collective.hidden_ns, collective.sum_ns)});
  }
  table.print(out, 2 * detail_indent);
}

// Returns a group's copy rate as a share of the link's rate. If the link's rate is unknown, returns
// the highest rate of the group's copies.
std::string words_of_link(const analyzer::OpGroup& group) {
  if (group.bytes_per_s && group.link_bytes_per_s) {
    return fmt::format("{} of {} link", format_share(*group.bytes_per_s, *group.link_bytes_per_s),
                       format_rate(*group.link_bytes_per_s));
  }
  return group.best_bytes_per_s ? "best " + format_rate(*group.best_bytes_per_s) : "";
}

void print_groups(const DeviceResult& device, std::ostream& out) {
  out << "\n  most time\n";
  constexpr std::size_t shown = 8;
  Table table({Align::left, Align::right, Align::right, Align::right, Align::left});
  for (std::size_t i = 0; i < std::min(shown, device.groups.size()); ++i) {
    const auto& group = device.groups[i];
    table.add({printable(group.name), format_ns(group.sum_ns), counted(group.ops, "op"),
               group.bytes_per_s ? format_rate(*group.bytes_per_s) : "", words_of_link(group)});
  }
  table.print(out, 2 * detail_indent);
}

}  // namespace

void print_table(const WordTable& words, std::ostream& out) {
  if (words.rows.empty()) return;
  std::vector<Align> aligns;
  for (const char align : words.aligns) {
    aligns.push_back(align == 'r' ? Align::right : Align::left);
  }
  out << fmt::format("\n  {}\n", printable(words.caption));
  Table table(std::move(aligns));
  table.add(words.head);
  constexpr std::size_t name_width = 60;
  for (auto row : words.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (words.aligns[i] == 'n') row[i] = shortened(row[i], name_width);
    }
    table.add(std::move(row));
  }
  table.print(out, 2 * detail_indent);
}

void print_details(const ScopeResult& scope, Ns first_op, std::ostream& out) {
  print_measures(scope, out);
  print_states(scope, out);
  print_gaps(scope, first_op, out);
  print_table(looked_for_table(scope), out);
  constexpr std::size_t functions_of_thread = 12;
  print_table(host_time_table(scope, functions_of_thread), out);
}

void print_details(const DeviceResult& device, Ns first_op, std::ostream& out) {
  print_details(device.scope, first_op, out);
  print_engines(device, out);
  print_streams(device, out);
  print_stream_overlaps(device, out);
  print_collectives(device, out);
  print_groups(device, out);
  print_table(iterations_table(device), out);
  print_table(series_table(device, first_op), out);
}

}  // namespace lapscope::reports
