#pragma once

#include <filesystem>
#include <vector>

#include "collector/schema/tables/link_rows.h"

namespace lapscope::inject {

// The PCI Express links of the machine's GPUs as the kernel reports them (the NVIDIA driver's list
// below /proc, current speed and width below /sys), all below `root`. A GPU whose link is not
// reported has no row: virtual machines may hide it. Never throws for files that are missing or not
// readable.
//
// Not from CUPTI, whose kind PCIE reports the same: while it is enabled, CUDA loads all modules at
// once instead of lazily (seen with CUPTI 130001), and the program no longer behaves as it did.
std::vector<schema::LinkRow> pcie_links(const std::filesystem::path& root = "/");

}  // namespace lapscope::inject
