#include "analyzer/measures/measure.h"

// Measures of what a scope's main thread did between its calls, as shares of the scope's time on
// the host. They come from samples of host threads, which an Activity does not have. So compute()
// of these measures returns Undefined, and the analysis sets their values.
namespace lapscope::analyzer {
namespace {

Value nobody_looked(const Activity&) {
  return Undefined{"no samples of host threads were taken (record --host-samples)"};
}

constexpr Measure of_host(std::string_view name, std::string_view definition) {
  return {name, MeasureUnit::ratio, definition, nobody_looked, Better::less};
}

}  // namespace

constinit const Measure host_data_loading =
    of_host("host_data_loading", "share of time in which the main thread makes batches");
constinit const Measure host_dispatch =
    of_host("host_dispatch", "share of time in which an array library issues operators");
constinit const Measure host_optimizer =
    of_host("host_optimizer", "share of time in which the optimizer runs between its calls");
constinit const Measure host_garbage_collection =
    of_host("host_garbage_collection", "share of time in which Python collects garbage");
constinit const Measure host_logging_and_io =
    of_host("host_logging_and_io", "share of time in which the main thread logs, reads or writes");
constinit const Measure host_lock = of_host(
    "host_lock", "share of time in which the main thread waits for a lock or another thread");
constinit const Measure host_process_wait = of_host(
    "host_process_wait", "share of time in which the main thread waits for another process");
constinit const Measure host_sleep =
    of_host("host_sleep", "share of time in which the main thread sleeps");
constinit const Measure host_user =
    of_host("host_user", "share of time in which the program's own code runs between its calls");
constinit const Measure host_other =
    of_host("host_other", "share of time in which other libraries run between calls");
constinit const Measure host_unknown =
    of_host("host_unknown", "share of time between calls in which the activity is not known");

}  // namespace lapscope::analyzer
