#include "analyzer/findings/looked_for.h"

#include <algorithm>
#include <array>

#include "analyzer/fixes/fix.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/evidence.h"

namespace lapscope::analyzer {
namespace {

// Every answer rests on these kinds of records.
constexpr std::array<std::string_view, 3> ops = {"CONCURRENT_KERNEL", "MEMCPY", "MEMSET"};

Ns waited_for(const CausesResult& result, auto&& counts) {
  Ns ns = 0;
  for (const BlameRow& row : result.blame) {
    const auto cause = cause_of_code(row.code);
    if (row.kind == BlameKind::wait && cause && counts(*cause)) ns += row.ns;
  }
  return ns;
}

// If the records of `cause` are missing, its delays appear under other causes. Returns whether
// `cause` may have cost the scope enough time for a finding.
bool may_be_about(const Trace& trace, const CausesResult& result, Cause cause,
                  const ScopeTime& time) {
  const auto is_much = [&time](Ns ns) {
    return static_cast<double>(ns) >= assumed::least_saving * static_cast<double>(time.wall);
  };
  if (time.idle) {
    const bool is_of_copies = cause == Cause::small_copies || cause == Cause::pageable_copy;
    if (!is_much(*time.idle + (is_of_copies ? time.copies : 0))) return false;
  }
  switch (cause) {
    case Cause::module_load:
      // Without records of loads, a load appears under the cause of the call that it delayed.
      return is_much(waited_for(result, [](Cause cause_of_wait) {
        return cause_of_wait == Cause::launch_overhead || cause_of_wait == Cause::host_call ||
               cause_of_wait == Cause::launch_latency || cause_of_wait == Cause::module_load ||
               cause_of_wait == Cause::unexplained;
      }));
    case Cause::queue_alias:
      return streams_used(trace) > assumed::usual_connections;
    default:
      break;
  }
  if (!is_of_host(cause)) return true;
  return is_much(waited_for(result, [](Cause) { return true; }));
}

}  // namespace

std::vector<std::string_view> rests_on(Cause cause) {
  std::vector<std::string_view> kinds(ops.begin(), ops.end());
  const auto records = records_of(cause);
  kinds.insert(kinds.end(), records.begin(), records.end());
  return kinds;
}

namespace {

// Whether a question is open only because the GPU's limits (DEVICE records) are missing. A fix that
// lets kernels run at the same time saves nothing if the GPU has no room for them.
bool asks_for_room(const Trace& trace, const CausesResult& result, std::string_view code) {
  const auto& recorded = trace.facts.recorded;
  const bool is_known = std::ranges::find(recorded, "DEVICE") != recorded.end();
  return !is_known && std::ranges::any_of(result.questions, [code](const FindingResult& question) {
    return question.code == code && question.if_apart;
  });
}

}  // namespace

std::vector<LookedFor> looked_for(const Trace& trace, const CausesResult& result,
                                  const ScopeTime& time) {
  std::vector<LookedFor> all;
  for (const Fix* fix : fixes()) {
    LookedFor one;
    one.code = code_of(fix->cause);
    one.is_found = std::ranges::any_of(
        result.findings, [&one](const FindingResult& finding) { return finding.code == one.code; });
    one.rests_on = rests_on(fix->cause);
    one.missing = missing_records(trace.facts, fix->cause);
    one.leaves_open = !one.missing.empty() && may_be_about(trace, result, fix->cause, time);
    if (asks_for_room(trace, result, one.code)) {
      if (std::ranges::find(one.missing, "DEVICE") == one.missing.end()) {
        one.missing.push_back("DEVICE");
      }
      one.leaves_open = true;
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<OpenQuestion> CausesResult::open_questions() const {
  std::vector<OpenQuestion> questions;
  for (const LookedFor& one : looked_for) {
    if (!one.leaves_open) continue;
    const auto same = std::ranges::find(questions, one.missing, &OpenQuestion::missing);
    if (same == questions.end()) {
      questions.push_back({one.missing, {one.code}});
    } else {
      same->codes.push_back(one.code);
    }
  }
  return questions;
}

}  // namespace lapscope::analyzer
