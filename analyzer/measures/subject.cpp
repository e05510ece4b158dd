#include "analyzer/measures/subject.h"

#include "analyzer/measures/occupancy.h"

namespace lapscope::analyzer {

Subject::Subject(const Device& judged, std::vector<bool> communicates)
    : device(judged), communication(std::move(communicates)) {
  for (const LaunchGeometry& geometry : judged.ops.geometries) {
    capacity.push_back(resident_blocks(geometry, judged.limits).value_or(0));
  }
}

}  // namespace lapscope::analyzer
