#include "workloads/harness/guard.h"

#include <iostream>

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

}  // namespace lapscope::workloads
