#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analyzer/model/names.h"
#include "analyzer/model/stacks.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// The rows of CUDA_CALLCHAINS, ordered by chain. Empty if `is_asked` is false.
class StoredChains {
 public:
  StoredChains(schema::Database& database, const Names& names, bool is_asked);

  // Adds the wanted chains to `stacks`. Returns their ids in ascending order. An id in the result
  // has the same index as its chain in `stacks`.
  std::vector<std::int64_t> add_to(CallStacks& stacks,
                                   const std::function<bool(std::int64_t id)>& is_wanted) const;

 private:
  struct StoredFrame {
    std::int64_t chain = 0;
    std::int64_t depth = 0;
    Frame frame;
  };
  std::vector<StoredFrame> frames_;  // by chain and depth
};

// Returns the files of LAPSCOPE_MODULES by path. Several mapped parts of a file are one file.
std::map<std::string, CodeFile, std::less<>> code_files_of(schema::Database& database);

// Returns the index of `id` in a result of StoredChains::add_to(); CallStacks::none if it is
// absent.
std::uint32_t chain_with(std::int64_t id, const std::vector<std::int64_t>& ids);

}  // namespace lapscope::analyzer
