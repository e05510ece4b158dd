// Replaces xspace.cpp in a build without protozero.
#include "readers/tables/unreadable_trace.h"
#include "readers/xprof/xspace.h"

namespace lapscope::xprof {

Session read_xspace(const std::filesystem::path& path, Taker&, std::atomic<std::int64_t>*) {
  throw analyzer::UnreadableTrace(
      "'" + path.string() +
      "' is a profile of XProf (XSpace), which this lapscope was built without: there was no "
      "protozero (Debian: libprotozero-dev). Install it and build lapscope again, or name the "
      "'.trace.json.gz' that lies beside the file.");
}

}  // namespace lapscope::xprof
