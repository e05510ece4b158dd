#include "collector/launch/manifest.h"

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "collector/trace/output_name.h"

namespace lapscope::launch {
namespace {

nlohmann::ordered_json number_or_null(const std::string& text) {
  if (text.empty()) return nullptr;
  return std::stoll(text);
}

}  // namespace

void write_manifest(const std::filesystem::path& path, const RecordOptions& options,
                    const Recording& recording, const std::string& session) {
  nlohmann::ordered_json manifest = {{"schema", "lapscope-recording/1"},
                                     {"session", session},
                                     {"host", trace::host_name()},
                                     {"command", options.command},
                                     {"exit_status", recording.program.exit_status},
                                     {"elapsed_ns", recording.program.elapsed_ns},
                                     {"traces", nlohmann::ordered_json::array()}};
  for (const trace::Content& content : recording.traces) {
    manifest["traces"].push_back({{"file", content.path.filename().string()},
                                  {"ops", content.ops},
                                  {"lost", content.losses},
                                  {"complete", content.complete},
                                  {"pid", number_or_null(content.pid)},
                                  {"rank", number_or_null(content.rank)}});
  }
  std::ofstream file(path);
  // Arguments may be no UTF-8; the manifest is.
  file << manifest.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  file.close();
  if (!file) throw std::system_error(errno, std::generic_category(), path.string());
}

}  // namespace lapscope::launch
