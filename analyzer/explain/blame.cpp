#include "analyzer/explain/blame.h"

#include <algorithm>
#include <array>
#include <map>

namespace lapscope::analyzer {

std::string_view name_of(BlameKind kind) { return kind == BlameKind::work ? "work" : "wait"; }

std::vector<BlameRow> blame_of(std::span<const Part> path, std::uint16_t device) {
  std::array<Ns, cause_count> waited{};
  std::array<Ns, all_engines.size()> worked{};
  Ns worked_elsewhere = 0;
  for (const Part& part : path) {
    Ns& ns = !part.is_work           ? waited[static_cast<std::size_t>(part.cause)]
             : part.device != device ? worked_elsewhere
                                     : worked[static_cast<std::size_t>(part.engine)];
    ns += part.interval.length();
  }
  std::map<std::pair<BlameKind, std::string_view>, Ns> time;
  const auto note = [&time](BlameKind kind, std::string_view code, Ns ns) {
    if (ns > 0) time[{kind, code}] += ns;
  };
  for (std::size_t cause = 0; cause < cause_count; ++cause) {
    note(BlameKind::wait, code_of(static_cast<Cause>(cause)), waited[cause]);
  }
  for (const Engine engine : all_engines) {
    note(BlameKind::work, name_of(engine), worked[static_cast<std::size_t>(engine)]);
  }
  note(BlameKind::work, "other-device", worked_elsewhere);
  std::vector<BlameRow> rows;
  for (const auto& [key, ns] : time) rows.push_back({key.second, key.first, ns});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const BlameRow& a, const BlameRow& b) { return a.ns > b.ns; });
  return rows;
}

Share unexplained_share(std::span<const BlameRow> blame, Ns wall_ns) {
  Ns ns = 0;
  for (const BlameRow& row : blame) {
    const bool is_nobodys =
        row.code == code_of(Cause::unexplained) || row.code == code_of(Cause::not_issued);
    if (is_nobodys) ns += row.ns;
  }
  return portion(ns, wall_ns);
}

}  // namespace lapscope::analyzer
