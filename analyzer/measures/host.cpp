#include "analyzer/measures/measure.h"

// Measures of what a scope's main thread did between its calls, as shares of the scope's time on
// the host. The analysis computes these shares from samples of host threads. An Activity has no
// such samples.
namespace lapscope::analyzer {
namespace {

Value nobody_looked(const Activity&) {
  return Undefined{"nobody looked at host threads (record --host-samples)"};
}

constexpr Measure of_host(std::string_view name, std::string_view definition) {
  return {name, MeasureUnit::ratio, definition, nobody_looked, Better::less};
}

}  // namespace

constinit const Measure host_data_loading =
    of_host("host_data_loading", "time in which the host makes batches");
constinit const Measure host_dispatch =
    of_host("host_dispatch", "time in which an array library issues its operators");
constinit const Measure host_optimizer =
    of_host("host_optimizer", "time of the optimizer between its calls");
constinit const Measure host_garbage_collection =
    of_host("host_garbage_collection", "time in which Python collects garbage");
constinit const Measure host_logging_and_io =
    of_host("host_logging_and_io", "time in which the host logs, reads or writes");
constinit const Measure host_lock =
    of_host("host_lock", "time in which the host waits for a lock or another thread");
constinit const Measure host_process_wait =
    of_host("host_process_wait", "time in which the host waits for another process");
constinit const Measure host_sleep = of_host("host_sleep", "time in which the host sleeps");
constinit const Measure host_user =
    of_host("host_user", "time in which the program's own code runs between its calls");
constinit const Measure host_other =
    of_host("host_other", "time in which other libraries run between calls");
constinit const Measure host_unknown =
    of_host("host_unknown", "time between calls of which nothing was seen");

}  // namespace lapscope::analyzer
