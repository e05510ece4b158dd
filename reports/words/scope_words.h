#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/summary/wording.h"

// What a scope is called, whose work it has, and why it is the one that is evaluated.
namespace lapscope::reports {

// "device 0 (NVIDIA H200)", printable
std::string title_of(const analyzer::DeviceResult& device);

// "range 'step' of device 0 (NVIDIA H200), 12 times"; printable. Without `device` of none.
std::string title_of(const analyzer::RangeResult& range,
                     const analyzer::DeviceResult* device = nullptr);

// Who issued its ops, where that was not only the thread that opened it, and for how long the
// device ran nothing of it but something else; empty when there is neither. Sentences.
std::string work_sentences(const analyzer::RangeResult& range);

// The verdict on a scope; on several devices, with the device it belongs to. `range` is null for a
// whole device.
std::string first_line(const analyzer::Report& report, const analyzer::DeviceResult& device,
                       const analyzer::RangeResult* range);

// What the verdict is on: "'train_step' (30 ×): 96 ops on device 0 (NVIDIA H200), 0.140 ms
// to 23.005 ms of app.sqlite. Before it: 3.90 s of set-up."
std::string second_line(const analyzer::Report& report, const analyzer::DeviceResult& device,
                        const analyzer::RangeResult* range);

// A few words for both, where there are many: "'train_step' (30 ×): host-sync 60 %".
std::string short_line(const analyzer::Report& report, const analyzer::DeviceResult& device,
                       const analyzer::RangeResult* range);

// What repeats in a loop: "NVTX range 'step *'", "sequence of 5 ops". As it is in the trace.
std::string loop_of(const std::string& range, std::int64_t sequence);

// What a steady state is. As it is in the trace.
analyzer::SteadyWords words_of(const analyzer::SteadyState& state);

// What a default scope is and why, as "Scope: the loop, 30 iterations of NVTX range 'step *'.".
// `state` is null for a whole run; `source` is SteadyWords::source of it.
std::string default_scope_sentence(const analyzer::SteadyState* state, std::string_view source);

// What is evaluated if nothing was named and why, and what the rest of the run was: a sentence or
// two each. Empty if something was named.
std::vector<std::string> focus_sentences(const analyzer::DeviceResult& device);

}  // namespace lapscope::reports
