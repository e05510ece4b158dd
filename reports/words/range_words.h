#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// "range 'step' of device 0 (NVIDIA H200), 12 times"; printable. Without `device` of none.
std::string title_of(const analyzer::RangeResult& range,
                     const analyzer::DeviceResult* device = nullptr);

// The verdict on a range, as headline(DeviceResult) says it of a device.
std::string headline(const analyzer::RangeResult& range);

// Who issued its ops, where that was not only the thread that opened it, and for how long the
// device ran nothing of it but something else; empty when there is neither. Sentences.
std::string work_sentences(const analyzer::RangeResult& range);

// The command that asks for a finding's fix, of the range if it is one's; printable, for a shell.
std::string whatif_command(const analyzer::FindingResult& finding,
                           const analyzer::RangeResult* range);

// A finding of a report and what it is of.
struct ShownFinding {
  const analyzer::DeviceResult* device = nullptr;
  const analyzer::FindingResult* finding = nullptr;
};

// Every finding, in the order in which a page shows and numbers them: device by device, what was
// asked for before the whole.
std::vector<ShownFinding> shown_findings(const analyzer::Report& report);

}  // namespace lapscope::reports
