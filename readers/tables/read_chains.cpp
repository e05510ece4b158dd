#include "readers/tables/read_chains.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "analyzer/model/harmless_text.h"
#include "collector/schema/known_symbols.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {

using schema::CallchainRow;

StoredChains::StoredChains(schema::Database& database, const Names& names, bool is_asked) {
  if (!is_asked) return;
  using Columns = schema::TolerantSelection<CallchainRow, &CallchainRow::id,
                                            &CallchainRow::stackDepth, &CallchainRow::symbol,
                                            &CallchainRow::module, &CallchainRow::sourceFile,
                                            &CallchainRow::sourceLine, &CallchainRow::isInlined>;
  constexpr std::string_view nameless = "[unknown]";
  const auto text = [&names](std::optional<std::int64_t> id) {
    return id ? names.index_of(*id) : 0;
  };
  for_each_row<Columns>(database, [&](const CallchainRow& row) {
    if (row.id == schema::no_integer) return;
    Frame frame{text(row.symbol), text(row.module), text(row.sourceFile)};
    if (names.text(frame.function) == nameless) frame.function = 0;
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const std::int64_t line = row.sourceLine.value_or(0);
    if (0 < line && line <= most) frame.line = static_cast<std::uint32_t>(line);
    frame.is_inlined = row.isInlined.value_or(0) == 1;
    frames_.push_back({row.id, row.stackDepth, frame});
  });
  std::stable_sort(frames_.begin(), frames_.end(), [](const StoredFrame& a, const StoredFrame& b) {
    return std::tie(a.chain, a.depth) < std::tie(b.chain, b.depth);
  });
}

std::vector<std::int64_t> StoredChains::add_to(
    CallStacks& stacks, const std::function<bool(std::int64_t)>& is_wanted) const {
  std::vector<std::int64_t> ids;
  std::vector<Frame> chain;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    chain.push_back(frames_[i].frame);
    if (i + 1 < frames_.size() && frames_[i + 1].chain == frames_[i].chain) continue;
    if (is_wanted(frames_[i].chain)) {
      ids.push_back(frames_[i].chain);
      stacks.add_chain(chain);
    }
    chain.clear();
  }
  return ids;
}

std::map<std::string, CodeFile, std::less<>> code_files_of(schema::Database& database) {
  using schema::ModuleRow;
  namespace known = schema::known_symbols;
  using Columns = schema::TolerantSelection<ModuleRow, &ModuleRow::path, &ModuleRow::buildId,
                                            &ModuleRow::symbols>;
  constexpr std::pair<std::string_view, CodeNames> codes[] = {
      {known::lines, CodeNames::lines},     {known::functions, CodeNames::functions},
      {known::none, CodeNames::none},       {known::unread_lines, CodeNames::unread_lines},
      {known::missing, CodeNames::missing}, {known::changed, CodeNames::changed}};
  std::map<std::string, CodeFile, std::less<>> files;
  for_each_row<Columns>(database, [&](const ModuleRow& row) {
    CodeFile file{row.buildId.value_or("")};
    const auto found = std::find_if(std::begin(codes), std::end(codes), [&row](const auto& code) {
      return code.first == row.symbols.value_or("");
    });
    if (found != std::end(codes)) file.names = found->second;
    files.try_emplace(kept_name(row.path), std::move(file));
  });
  return files;
}

std::uint32_t chain_with(std::int64_t id, const std::vector<std::int64_t>& ids) {
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  if (found == ids.end() || *found != id) return CallStacks::none;
  return static_cast<std::uint32_t>(found - ids.begin());
}

}  // namespace lapscope::analyzer
