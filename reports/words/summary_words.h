#pragma once

#include "analyzer/summary/wording.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/health_words.h"
#include "reports/words/scope_words.h"

namespace lapscope::reports {

// The texts that summaries contain.
inline constexpr analyzer::Wording wording{
    [](const analyzer::FindingResult& finding) {
      return analyzer::FindingWords{words_of(finding.what), explanation_of(finding),
                                    fix_of(finding)};
    },
    [](const analyzer::HealthRow& row) {
      return analyzer::HealthWords{message_of(row), remedy_of(row)};
    },
    words_of};

}  // namespace lapscope::reports
