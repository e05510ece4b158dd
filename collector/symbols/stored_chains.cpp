#include "collector/symbols/stored_chains.h"

#include <algorithm>
#include <map>
#include <set>

#include "collector/schema/statements.h"

namespace lapscope::symbols {
namespace {

using schema::CallchainRow;
using schema::Database;
using schema::ModuleRow;
using schema::Selection;
using schema::Statement;
using schema::StringRow;

constexpr std::string_view nameless = "[unknown]";

using ChainColumns = Selection<COLUMNS(CallchainRow, id, symbol, module, unresolved, originalIP,
                                       stackDepth, moduleId, sourceFile, sourceLine, isInlined)>;
using ModuleColumns =
    Selection<COLUMNS(ModuleRow, id, path, buildId, start, end, fileOffset, symbols)>;

}  // namespace

StoredTexts::StoredTexts(Database& database) : database_(database) {
  using Columns = Selection<COLUMNS(StringRow, id, value)>;
  Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    const StringRow row = Columns::read(rows);
    next_ = std::max(next_, row.id + 1);
    ids_.try_emplace(row.value, row.id);
    texts_.emplace(row.id, row.value);
  }
}

std::int64_t StoredTexts::id_of(const std::string& text) {
  const auto [known, is_new] = ids_.try_emplace(text, next_);
  if (is_new) {
    texts_.emplace(next_, text);
    StringRow row;
    row.id = next_++;
    row.value = text;
    Statement insert(database_, schema::insert_sql(schema::describe<StringRow>));
    schema::bind_row(insert, row);
    insert.execute();
  }
  return known->second;
}

const std::string& StoredTexts::text(std::int64_t id) const {
  static const std::string none;
  const auto found = texts_.find(id);
  return found == texts_.end() ? none : found->second;
}

void StoredTexts::rename(std::int64_t id, const std::string& text) {
  if (ids_.contains(text)) return;
  ids_.erase(texts_[id]);
  ids_.emplace(text, id);
  texts_[id] = text;
  Statement update(database_,
                   "UPDATE " + schema::table_name<StringRow>() + " SET value = ?1 WHERE id = ?2");
  update.bind(1, text);
  update.bind(2, id);
  update.execute();
}

StoredChains::StoredChains(Database& database) : database_(database) {
  if (!database.has_table(schema::describe<CallchainRow>.name) ||
      !database.has_table(schema::describe<ModuleRow>.name)) {
    return;
  }
  Statement chains(database, ChainColumns::sql(database));
  while (chains.step()) rows_.push_back(ChainColumns::read(chains));
  std::stable_sort(rows_.begin(), rows_.end(), [](const CallchainRow& a, const CallchainRow& b) {
    return a.id != b.id ? a.id < b.id : a.stackDepth < b.stackDepth;
  });
  Statement modules(database, ModuleColumns::sql(database));
  while (modules.step()) modules_.push_back(ModuleColumns::read(modules));
}

void StoredChains::for_each_address(
    const std::function<void(const ModuleRow&, std::int64_t)>& f) const {
  std::map<std::int64_t, const ModuleRow*> by_id;
  for (const ModuleRow& module : modules_) by_id.emplace(module.id, &module);
  std::set<std::pair<std::int64_t, std::int64_t>> seen;
  for (const CallchainRow& row : rows_) {
    if (!row.originalIP || !row.moduleId) continue;
    const auto module = by_id.find(*row.moduleId);
    if (module == by_id.end() || !seen.emplace(*row.moduleId, *row.originalIP).second) continue;
    f(*module->second, *row.originalIP);
  }
}

void StoredChains::rewrite(const Tell& tell, StoredTexts& texts) {
  std::vector<CallchainRow> all;
  std::vector<CallchainRow> inlined;  // rows that belong to the next address
  std::int64_t depth = 0;
  const auto add = [&](CallchainRow row) {
    depth = !all.empty() && all.back().id == row.id ? depth + 1 : 0;
    row.stackDepth = depth;
    all.push_back(std::move(row));
  };
  for (const CallchainRow& row : rows_) {
    if (!inlined.empty() && inlined.back().id != row.id) {
      for (const CallchainRow& one : inlined) add(one);
      inlined.clear();
    }
    if (!row.originalIP && row.isInlined == 1) {
      inlined.push_back(row);
      continue;
    }
    static const Told nothing;
    const Told& told =
        row.originalIP && row.moduleId ? tell(*row.moduleId, *row.originalIP) : nothing;
    if (told.frames.empty()) {
      for (const CallchainRow& one : inlined) add(one);
      CallchainRow same = row;
      const bool has_no_name =
          !row.symbol || texts.text(*row.symbol).empty() || texts.text(*row.symbol) == nameless;
      if (has_no_name && !told.otherwise.empty()) same.symbol = texts.id_of(told.otherwise);
      add(same);
    }
    for (const SourceFrame& frame : told.frames) {
      CallchainRow made = row;
      const bool is_named = !frame.function.empty();
      made.symbol = texts.id_of(is_named ? frame.function : told.otherwise);
      made.unresolved = is_named ? std::nullopt : std::optional<std::int64_t>(1);
      made.sourceFile = made.sourceLine = made.isInlined = std::nullopt;
      if (!frame.file.empty()) made.sourceFile = texts.id_of(frame.file);
      if (!frame.file.empty() && frame.line > 0) made.sourceLine = frame.line;
      if (frame.is_inlined) {
        made.isInlined = 1;
        made.originalIP = std::nullopt;
      }
      add(made);
    }
    inlined.clear();
  }
  for (const CallchainRow& one : inlined) add(one);

  database_.execute("DELETE FROM " + schema::table_name<CallchainRow>());
  schema::insert_rows<CallchainRow>(database_, all);
  rows_ = std::move(all);
}

void StoredChains::set_symbols(
    const std::function<std::optional<std::string_view>(const ModuleRow&)>& of) {
  const std::string table(schema::describe<ModuleRow>.name);
  if (!database_.has_column(table, "symbols")) {
    database_.execute("ALTER TABLE " + table + " ADD COLUMN symbols TEXT");
  }
  Statement update(database_, "UPDATE " + table + " SET symbols = ?1 WHERE id = ?2");
  for (ModuleRow& module : modules_) {
    const auto symbols = of(module);
    if (!symbols) continue;
    module.symbols = *symbols;
    update.bind(1, *module.symbols);
    update.bind(2, module.id);
    update.execute();
  }
}

void StoredChains::make_relative(const std::filesystem::path& folder, StoredTexts& texts) {
  std::map<std::int64_t, std::int64_t> changed;  // from an id to the id that has its new text
  std::set<std::int64_t> seen;
  for (const CallchainRow& row : rows_) {
    for (const auto& id : {row.module, row.sourceFile}) {
      if (!id || !seen.insert(*id).second) continue;
      const std::string path = stored_path(texts.text(*id), folder);
      if (path == texts.text(*id)) continue;
      texts.rename(*id, path);
      if (texts.text(*id) != path) changed[*id] = texts.id_of(path);
    }
  }
  for (const auto& [from, to] : changed) {
    for (const char* column : {"module", "sourceFile"}) {
      database_.execute("UPDATE " + schema::table_name<CallchainRow>() + " SET " + column + " = " +
                        std::to_string(to) + " WHERE " + column + " = " + std::to_string(from));
    }
  }
  Statement update(database_,
                   "UPDATE " + schema::table_name<ModuleRow>() + " SET path = ?1 WHERE id = ?2");
  for (const ModuleRow& module : modules_) {
    const std::string path = stored_path(module.path, folder);
    if (path == module.path) continue;
    update.bind(1, path);
    update.bind(2, module.id);
    update.execute();
  }
}

std::string stored_path(const std::string& path, const std::filesystem::path& folder) {
  // The root is not accepted as a folder, because every path lies below the root.
  if (path.empty() || path.front() != '/' || folder.empty() || folder == folder.root_path()) {
    return path;
  }
  const std::filesystem::path relative =
      std::filesystem::path(path).lexically_normal().lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..") return path;
  return relative.string();
}

}  // namespace lapscope::symbols
