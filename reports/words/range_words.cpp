#include "reports/words/range_words.h"

#include <fmt/format.h>

#include "reports/words/cause_words.h"
#include "reports/words/format.h"
#include "reports/words/printable.h"
#include "reports/words/verdict.h"

namespace lapscope::reports {

std::string title_of(const analyzer::RangeResult& range, const analyzer::DeviceResult* device) {
  const bool is_nvtx = range.kind == analyzer::ScopeKind::nvtx;
  return fmt::format("{}{}, {}",
                     is_nvtx ? "range '" + printable(range.name) + "'" : printable(range.name),
                     device ? " of " + title_of(*device) : "",
                     range.instances == 1 ? "once" : fmt::format("{} times", range.instances));
}

std::string headline(const analyzer::RangeResult& range) {
  // What is said of a device is said of its scope.
  analyzer::DeviceResult device;
  device.scope = range.scope;
  return headline(device);
}

std::string work_sentences(const analyzer::RangeResult& range) {
  std::string text;
  const auto threads = [](std::int64_t count) {
    return fmt::format("{} other thread{}", count, count == 1 ? "" : "s");
  };
  const analyzer::Issuers issuers = range.issuers.value_or(analyzer::Issuers{});
  if (issuers.helpers > 0) {
    text += fmt::format("{} ops were issued by the thread of the range, {} by {} that helped it.",
                        issuers.opener, issuers.helpers, threads(issuers.helper_threads));
  }
  if (issuers.undecided > 0) {
    text += fmt::format(
        "{}{} ops of {} are left out: their thread had a range of its own open, and nothing tells "
        "whether it worked for this one.",
        text.empty() ? "" : " ", issuers.undecided, threads(issuers.undecided_threads));
  }
  const std::int64_t other_ns = ns_of(range.scope, analyzer::other_work.name);
  if (other_ns > 0) {
    text += fmt::format("{}For {} of the time, {}, the device ran other work only.",
                        text.empty() ? "" : " ",
                        format_share(other_ns, range.scope.window.length()), format_ns(other_ns));
  }
  return text;
}

std::string whatif_command(const analyzer::FindingResult& finding,
                           const analyzer::RangeResult* range) {
  std::string scope;
  if (range && range->kind == analyzer::ScopeKind::profiler) scope = " --profiler-brackets";
  if (range && range->kind == analyzer::ScopeKind::nvtx) {
    scope = " --range '";
    for (const char c : printable(range->name)) scope += c == '\'' ? "'\\''" : std::string(1, c);
    scope += "'";
  }
  return "lapscope whatif" + scope + " --fix " + printable(fix_argument(finding));
}

std::vector<ShownFinding> shown_findings(const analyzer::Report& report) {
  std::vector<ShownFinding> shown;
  for (const analyzer::DeviceResult& device : report.devices) {
    const auto add = [&](const analyzer::ScopeResult& scope) {
      if (!scope.causes) return;
      for (const auto& finding : scope.causes->findings) shown.push_back({&device, &finding});
    };
    for (const analyzer::RangeResult& range : device.ranges) add(range.scope);
    add(device.scope);
  }
  return shown;
}

}  // namespace lapscope::reports
