#pragma once

#include <filesystem>
#include <vector>

#include "collector/schema/tables/link_rows.h"

namespace lapscope::inject {

// Returns the PCI Express links of the machine's GPUs. Reads the NVIDIA driver's list of GPUs below
// /proc, and the current speed and width of the links below /sys. Both folders are looked up below
// `root`. A GPU has no row if a virtual machine hides its link. Files that are missing or not
// readable cause no exception.
//
// CUPTI's kind PCIE reports the same facts, but would change the behaviour of the program: while
// this kind is enabled, CUDA loads all modules at once instead of lazily (with CUPTI 130001).
std::vector<schema::LinkRow> pcie_links(const std::filesystem::path& root = "/");

}  // namespace lapscope::inject
