#include "workloads/harness/guard.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>

namespace lapscope::workloads {
namespace {

int fail(std::string_view program, const std::exception& error, ExitCode code) {
  std::cerr << program << (code == exit_skipped ? ": skipped: " : ": ") << error.what() << ".\n";
  return code;
}

}  // namespace

int guard(std::string_view program, const std::function<void()>& body) {
  try {
    body();
    return exit_ok;
  } catch (const UsageError& error) {
    return fail(program, error, exit_usage);
  } catch (const SkippedError& error) {
    return fail(program, error, exit_skipped);
  } catch (const std::exception& error) {
    return fail(program, error, exit_failed);
  }
}

bool parse_command_line(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + " (--help lists the options)");
  }
}

namespace {

// Returns Levenshtein's distance. Computes one row of the table at a time.
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t fewest = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t edits = edits_between(name, candidate);
    if (edits * 2 > candidate.size() || (!best.empty() && edits >= fewest)) continue;
    best = candidate;
    fewest = edits;
  }
  return best;
}

Watchdog::Watchdog(std::chrono::seconds limit, std::string sentence)
    : limit_(limit),
      sentence_(std::move(sentence)),
      deadline_(std::chrono::steady_clock::now() + limit),
      thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::kick() {
  const std::lock_guard lock(mutex_);
  deadline_ = std::chrono::steady_clock::now() + limit_;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (std::chrono::steady_clock::now() >= deadline_) {
      std::cerr << sentence_ << " within " << limit_.count() << " s.\n";
      // std::exit would run destructors, which wait for the device.
      std::_Exit(exit_failed);
    }
    changed_.wait_until(lock, deadline_);
  }
}

}  // namespace lapscope::workloads
