#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collector/schema/sqlite.h"
#include "collector/schema/tables.h"
#include "collector/symbols/module_symbols.h"

namespace lapscope::symbols {

// The texts of a trace (StringIds). Texts can be added.
class StoredTexts {
 public:
  explicit StoredTexts(schema::Database& database);
  std::int64_t id_of(const std::string& text);
  // Returns the text of an id; empty if the id does not exist.
  const std::string& text(std::int64_t id) const;
  // Changes the text of an id. Does nothing if this or another id already has the new text.
  void rename(std::int64_t id, const std::string& text);

 private:
  schema::Database& database_;
  std::unordered_map<std::string, std::int64_t> ids_;
  std::unordered_map<std::int64_t, std::string> texts_;
  std::int64_t next_ = 0;
};

// The call stacks of a trace as rows. Each return address has one row. Before this row, each
// function that is inlined at the address has a row, too.
class StoredChains {
 public:
  explicit StoredChains(schema::Database& database);

  const std::vector<schema::ModuleRow>& modules() const { return modules_; }
  // Calls f(module, address) for each different address once.
  void for_each_address(const std::function<void(const schema::ModuleRow&, std::int64_t)>& f) const;

  // What to write for an address. `frames` are the functions at the address, innermost first. A
  // frame without a function name gets the name `otherwise`. If `frames` is empty, the address
  // keeps its name, and gets the name `otherwise` only if it has no name.
  struct Told {
    std::vector<SourceFrame> frames;
    std::string otherwise;
  };
  using Tell = std::function<const Told&(std::int64_t module, std::int64_t address)>;
  void rewrite(const Tell& tell, StoredTexts& texts);

  // Stores which symbols were found for each module: the result of the function `of`, one of the
  // values in schema::known_symbols. Does not change a module for which the result is empty.
  void set_symbols(
      const std::function<std::optional<std::string_view>(const schema::ModuleRow&)>& of);

  // Makes paths below `folder` relative to it.
  void make_relative(const std::filesystem::path& folder, StoredTexts& texts);

 private:
  schema::Database& database_;
  std::vector<schema::CallchainRow> rows_;  // by chain, innermost frame first
  std::vector<schema::ModuleRow> modules_;
};

// Returns the path in the form that is stored: relative to `folder` if it lies below `folder`.
std::string stored_path(const std::string& path, const std::filesystem::path& folder);

}  // namespace lapscope::symbols
