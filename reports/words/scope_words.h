#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/summary/wording.h"

// Describes a scope: its title, its work, and the reason why it is evaluated.
namespace lapscope::reports {

// Returns the number and the model of a device, such as "device 0 (NVIDIA H200)". Printable.
std::string title_of(const analyzer::DeviceResult& device);

// Returns a range with its device and its repetitions, such as "range 'step' of device 0 (NVIDIA
// H200), 12 times". For a steady state, returns "device 0 (NVIDIA H200), steady state". Printable.
// If `device` is null, names no device.
std::string title_of(const analyzer::RangeResult& range,
                     const analyzer::DeviceResult* device = nullptr);

// States these facts about a range, if they apply:
// - the number of ops that other threads issued
// - the number of ops that are excluded, because they may belong to another range
// - the time in which the device ran only other work
// - the basis of the causes
std::string work_sentences(const analyzer::RangeResult& range);

// Returns the verdict on a scope. If there are several devices, the text begins with the device.
// `range` is null for a whole device.
std::string first_line(const analyzer::Report& report, const analyzer::DeviceResult& device,
                       const analyzer::RangeResult* range);

// Describes the scope of the verdict: "'train_step' (30 ×): 96 ops on device 0 (NVIDIA H200), 0.140
// ms to 23.005 ms of app.sqlite. Before it: 3.90 s of set-up."
std::string second_line(const analyzer::Report& report, const analyzer::DeviceResult& device,
                        const analyzer::RangeResult* range);

// Returns the scope and its verdict in a few words: "'train_step' (30 ×): host-sync 60 %".
std::string short_line(const analyzer::Report& report, const analyzer::DeviceResult& device,
                       const analyzer::RangeResult* range);

// Returns what repeats in a loop: "NVTX range 'step *'", "sequence of 5 ops". Not escaped.
std::string loop_of(const std::string& range, std::int64_t sequence);

// Describes a steady state. Not escaped.
analyzer::SteadyWords words_of(const analyzer::SteadyState& state);

// Names the default scope: "Scope: the loop, 30 iterations of NVTX range 'step *'." `state` is null
// if the scope is the whole run. `source` is the state's SteadyWords::source.
std::string default_scope_sentence(const analyzer::SteadyState* state, std::string_view source);

// Returns sentences about the default scope: which scope it is, why it is evaluated, and how long
// the run was outside this scope. Empty if the user named a scope.
std::vector<std::string> focus_sentences(const analyzer::DeviceResult& device);

}  // namespace lapscope::reports
