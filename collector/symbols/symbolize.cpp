#include "collector/symbols/symbolize.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include "collector/schema/capture_facts.h"
#include "collector/symbols/elf_file.h"
#include "collector/symbols/module_symbols.h"
#include "collector/symbols/stored_chains.h"

namespace lapscope::symbols {
namespace {

namespace fs = std::filesystem;
using schema::ModuleRow;
namespace known_symbols = schema::known_symbols;

// The environment variable that names debuginfod servers. If it is set, libdw asks these servers.
constexpr const char* debuginfod_urls = "DEBUGINFOD_URLS";

class WithoutDebuginfod {
 public:
  explicit WithoutDebuginfod(bool is_wanted) {
    const char* urls = is_wanted ? nullptr : std::getenv(debuginfod_urls);
    if (!urls) return;
    urls_ = urls;
    ::unsetenv(debuginfod_urls);
  }
  ~WithoutDebuginfod() {
    if (!urls_.empty()) ::setenv(debuginfod_urls, urls_.c_str(), 1);
  }
  WithoutDebuginfod(const WithoutDebuginfod&) = delete;
  WithoutDebuginfod& operator=(const WithoutDebuginfod&) = delete;

 private:
  std::string urls_;
};

// A file from which a process has mapped code. `file` is empty if the file is missing or has
// changed since the recording.
struct Module {
  std::optional<ElfFile> file;
  std::unique_ptr<ModuleSymbols> symbols;
  std::string_view found = known_symbols::none;
};

class Resolver {
 public:
  Resolver(const Options& options, Result& result) : options_(options), result_(result) {
    for (const fs::path& path : options.symbol_files) {
      auto file = ElfFile::open(path);
      if (file && !file->build_id().empty()) by_build_id_.emplace(file->build_id(), path);
    }
  }

  void resolve(const ModuleRow& row, std::int64_t address) {
    Module& module = module_of(row);
    StoredChains::Told& told = told_[{row.id, address}];
    const std::int64_t in_file = address - row.start + row.fileOffset;
    std::int64_t offset = in_file;
    if (module.file && in_file > 0) {
      // Looks up the byte before the return address, because that byte belongs to the call. The
      // return address itself may already be in the next function.
      const auto linked = module.file->address_of(static_cast<std::uint64_t>(in_file) - 1);
      if (linked) {
        offset = static_cast<std::int64_t>(*linked + 1);
        told.frames = module.symbols->at(*linked);
        for (SourceFrame& frame : told.frames) {
          frame.file = stored_path(frame.file, options_.working_directory);
        }
      }
    }
    told.otherwise = fmt::format("{}+{:#x}", fs::path(row.path).filename().string(), offset);
    ++result_.addresses;
    const bool is_named = !told.frames.empty() && !told.frames.back().function.empty();
    const bool has_line = !told.frames.empty() && told.frames.front().line > 0;
    result_.named += is_named ? 1 : 0;
    result_.with_lines += has_line ? 1 : 0;
    if (has_line) {
      module.found = known_symbols::lines;
    } else if (is_named && module.found == known_symbols::none) {
      module.found = module.symbols->has_unread_lines() ? known_symbols::unread_lines
                                                        : known_symbols::functions;
    }
  }

  // Returns which symbols were found for a module. If an earlier symbolize() read the file, but the
  // file is missing or changed now, returns nothing. The trace then keeps the earlier entry.
  std::optional<std::string_view> found_in(const ModuleRow& row) const {
    const auto known = modules_.find(key_of(row));
    if (known == modules_.end()) return std::nullopt;
    const bool was_read = row.symbols && row.symbols != known_symbols::missing &&
                          row.symbols != known_symbols::changed;
    if (was_read && !known->second.file) return std::nullopt;
    return known->second.found;
  }

  const StoredChains::Told& told(std::int64_t module, std::int64_t address) const {
    static const StoredChains::Told nothing;
    const auto found = told_.find({module, address});
    return found == told_.end() ? nothing : found->second;
  }

 private:
  // The segments of a file share one module, wherever they are mapped.
  static std::pair<std::string, std::string> key_of(const ModuleRow& row) {
    return {row.path, row.buildId.value_or("")};
  }

  Module& module_of(const ModuleRow& row) {
    const auto [known, is_new] = modules_.try_emplace(key_of(row));
    if (is_new) open(row.path, row.buildId.value_or(""), known->second);
    return known->second;
  }

  void open(const std::string& stored, const std::string& build_id, Module& module) {
    ++result_.files;
    fs::path path = stored;
    if (path.is_relative()) path = options_.working_directory / path;
    const auto with_symbols = by_build_id_.find(build_id);
    const bool is_other = !build_id.empty() && with_symbols != by_build_id_.end();
    if (is_other) path = with_symbols->second;
    module.file = ElfFile::open(path);
    if (!module.file) {
      ++result_.missing_files;
      module.found = known_symbols::missing;
      return;
    }
    if (module.file->build_id() != build_id) {
      module.file.reset();
      ++result_.changed_files;
      module.found = known_symbols::changed;
      return;
    }
    result_.unchecked_files += build_id.empty() ? 1 : 0;
    module.symbols = std::make_unique<ModuleSymbols>(path);
  }

  const Options& options_;
  Result& result_;
  std::map<std::string, fs::path> by_build_id_;
  std::map<std::pair<std::string, std::string>, Module> modules_;
  std::map<std::pair<std::int64_t, std::int64_t>, StoredChains::Told> told_;
};

Result symbolized(const fs::path& trace, const Options& options) {
  Result result;
  const WithoutDebuginfod without(options.uses_debuginfod);
  schema::Database database(trace, schema::Database::Mode::read_write);
  constexpr int patience = 2000;  // ms
  database.set_busy_timeout(patience);
  database.execute("BEGIN IMMEDIATE");
  StoredChains chains(database);
  Resolver resolver(options, result);
  chains.for_each_address(
      [&](const ModuleRow& module, std::int64_t address) { resolver.resolve(module, address); });
  if (result.addresses > 0) {
    StoredTexts texts(database);
    chains.rewrite(
        [&](std::int64_t module, std::int64_t address) -> const StoredChains::Told& {
          return resolver.told(module, address);
        },
        texts);
    chains.set_symbols([&](const ModuleRow& module) { return resolver.found_in(module); });
    chains.make_relative(options.working_directory, texts);
  }
  database.execute("COMMIT");
  return result;
}

// The result, as the child process sends it.
struct Message {
  std::array<std::int64_t, 7> counts{};
  std::array<char, 1024> problem{};
};

Message message_of(const Result& result) {
  Message message;
  message.counts = {result.addresses,     result.named,         result.with_lines,     result.files,
                    result.missing_files, result.changed_files, result.unchecked_files};
  result.problem.copy(message.problem.data(), message.problem.size() - 1);
  return message;
}

Result result_of(const Message& message) {
  const auto& c = message.counts;
  return {c[0], c[1], c[2], c[3], c[4], c[5], c[6], message.problem.data()};
}

// Returns whether the whole message came within `limit`. A pipe delivers the message in one piece.
bool receive(int from, std::chrono::seconds limit, Message& message) {
  pollfd wanted{from, POLLIN, 0};
  const auto until = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    const int ready = ::poll(&wanted, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0 &&
           ::read(from, &message, sizeof message) == static_cast<ssize_t>(sizeof message);
  }
}

}  // namespace

Result symbolize(const fs::path& trace, const Options& options) {
  try {
    return symbolized(trace, options);
  } catch (const std::exception& error) {
    Result result;
    result.problem =
        fmt::format("names could not be added to '{}': {}", trace.string(), error.what());
    return result;
  }
}

Result symbolize_apart(const fs::path& trace, const Options& options, std::chrono::seconds limit) {
  int ends[2];
  if (::pipe(ends) != 0) return symbolize(trace, options);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    const Message message = message_of(symbolize(trace, options));
    const bool is_sent =
        ::write(ends[1], &message, sizeof message) == static_cast<ssize_t>(sizeof message);
    ::_exit(is_sent ? 0 : 1);
  }
  ::close(ends[1]);
  Message message;
  const bool is_told = child > 0 && receive(ends[0], limit, message);
  ::close(ends[0]);
  if (child > 0) {
    if (!is_told) ::kill(child, SIGKILL);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (is_told) return result_of(message);
  Result result;
  result.problem = fmt::format("the names of '{}' could not be resolved within {} s",
                               trace.string(), limit.count());
  return result;
}

}  // namespace lapscope::symbols
