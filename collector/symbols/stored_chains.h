#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collector/schema/sqlite.h"
#include "collector/schema/tables.h"
#include "collector/symbols/module_symbols.h"

namespace lapscope::symbols {

// The texts of a trace, to which others can be added.
class StoredTexts {
 public:
  explicit StoredTexts(schema::Database& database);
  std::int64_t id_of(const std::string& text);
  // Empty for an id that does not exist.
  const std::string& text(std::int64_t id) const;
  // Gives a text's rows another text, if no row has that one.
  void rename(std::int64_t id, const std::string& text);

 private:
  schema::Database& database_;
  std::unordered_map<std::string, std::int64_t> ids_;
  std::unordered_map<std::int64_t, std::string> texts_;
  std::int64_t next_ = 0;
};

// The call stacks of a trace as rows. A return address is one row, or several: the functions that
// are inlined there come before it.
class StoredChains {
 public:
  explicit StoredChains(schema::Database& database);

  const std::vector<schema::ModuleRow>& modules() const { return modules_; }
  // Calls f(module, address) for each different address once.
  void for_each_address(const std::function<void(const schema::ModuleRow&, std::int64_t)>& f) const;

  // What replaces an address: its functions, innermost first, or none to leave its rows as they are
  // except for `otherwise`, the name of an address that has none.
  struct Told {
    std::vector<SourceFrame> frames;
    std::string otherwise;
  };
  using Tell = std::function<const Told&(std::int64_t module, std::int64_t address)>;
  void rewrite(const Tell& tell, StoredTexts& texts);

  // Says of modules what names were found in, as schema::known_symbols; nothing leaves it.
  void set_symbols(
      const std::function<std::optional<std::string_view>(const schema::ModuleRow&)>& of);

  // Makes paths relative that lie below a folder.
  void make_relative(const std::filesystem::path& folder, StoredTexts& texts);

 private:
  schema::Database& database_;
  std::vector<schema::CallchainRow> rows_;  // by chain, innermost frame first
  std::vector<schema::ModuleRow> modules_;
};

// The path as it is stored: relative where it lies below the folder.
std::string stored_path(const std::string& path, const std::filesystem::path& folder);

}  // namespace lapscope::symbols
