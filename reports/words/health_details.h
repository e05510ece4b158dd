#pragma once

#include "analyzer/model/details.h"

// Convert the details of a health row (analyzer/model/health.h) to the texts of its sentences, in
// the order of the placeholders. Rows whose details already fit need no conversion.
namespace lapscope::reports::health_details {

using analyzer::Details;

Details in_brackets(const Details& details);
Details stretch(const Details& details);
Details law(const Details& details);
Details incomplete_stacks(const Details& details);
Details by_fault(const Details& details);
Details by_table(const Details& details);
Details came(const Details& details);
Details overhead(const Details& details);
Details pace(const Details& details);
Details other_ranges(const Details& details);
Details unknown_rate(const Details& details);
Details and_kernels(const Details& details);
Details and_copies(const Details& details);

}  // namespace lapscope::reports::health_details
