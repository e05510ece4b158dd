// Compares equal kernels in several streams with one kernel alone (see --help).

#include <iostream>

#include "workloads/harness/guard.h"
#include "workloads/harness/measured_region.h"
#include "workloads/side_by_side/forms.h"
#include "workloads/side_by_side/side_by_side_options.h"
#include "workloads/side_by_side/side_by_side_table.h"

namespace lapscope::workloads::side_by_side {
namespace {

void run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) return;
  const DeviceInfo device = open_device();
  MeasuredRegion::prepare();
  Forms forms(*options, device);
  std::vector<Row> rows;
  bool failed = false;
  for (const UsualKind kind : options->kinds) {
    for (const GpuShare share : options->shares) {
      try {
        rows.push_back(forms.measure(kind, share));
      } catch (const SkippedError& error) {
        rows.push_back({.name = name_of(kind, share), .failed = error.what()});
      } catch (const std::exception& error) {
        rows.push_back({.name = name_of(kind, share), .failed = error.what()});
        failed = true;
      }
      std::cerr << rows.back().name << ' ' << rows.back().failed << '\n';
    }
  }
  if (options->json) {
    constexpr const char* forms_by_name[] = {"table", "together", "apart"};
    print_json(std::cout, rows, device.name, forms_by_name[static_cast<int>(options->form)],
               options->seen);
  } else {
    print_text(std::cout, rows, options->at_once);
  }
  std::cout << std::flush;
  if (failed) throw std::runtime_error("not all kernels could be measured");
}

}  // namespace
}  // namespace lapscope::workloads::side_by_side

int main(int argc, char** argv) {
  return lapscope::workloads::guard("side_by_side",
                                    [&] { lapscope::workloads::side_by_side::run(argc, argv); });
}
