#include "workloads/streams/list.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "workloads/harness/cuda_versions.h"

namespace lapscope::workloads::streams {
namespace {

using Json = nlohmann::ordered_json;

std::string needs_text(const Needs& needs) {
  std::string text = needs.gpus > 1 ? std::to_string(needs.gpus) + " GPUs" : "";
  for (const std::string& library : needs.libraries) {
    text.append(text.empty() ? "" : ", ").append(library);
  }
  return text.empty() ? "-" : text;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

Json variant_json(const Variant& variant) {
  Json causes = Json::array();
  for (const Cause cause : variant.causes) causes.push_back(cause_code(cause));
  Json environment = Json::object();
  for (const auto& [name, value] : variant.environment) environment[name] = value;
  return {{"name", variant.name},
          {"causes", causes},
          {"environment", environment},
          {"wall_tolerance", variant.wall_tolerance},
          {"sum_tolerance", variant.sum_tolerance}};
}

Json case_json(const Case& listed) {
  Json variants = Json::array();
  for (const Variant& variant : listed.variants) variants.push_back(variant_json(variant));
  return {{"name", listed.name},
          {"wrong", listed.wrong},
          {"fix", listed.fix},
          {"gpus", listed.needs.gpus},
          {"libraries", listed.needs.libraries},
          {"once", listed.once},
          {"variants", variants}};
}

}  // namespace

void list_as_text(std::ostream& out, const std::vector<Case>& cases) {
  constexpr std::size_t name_width = 28;
  constexpr std::size_t variant_width = 18;
  constexpr std::size_t cause_width = 24;
  const auto line = [&](const std::string& name, const std::string& variant,
                        const std::string& cause, const std::string& needs) {
    out << padded(name, name_width) << padded(variant, variant_width) << padded(cause, cause_width)
        << needs << '\n';
  };
  line("case", "variant", "planted cause", "needs");
  for (const Case& listed : cases) {
    for (const Variant& variant : listed.variants) {
      line(listed.name, variant.name, cause_codes(variant.causes), needs_text(listed.needs));
    }
  }
}

void list_as_json(std::ostream& out, const std::vector<Case>& cases) {
  Json all = Json::array();
  for (const Case& listed : cases) all.push_back(case_json(listed));
  out << Json{{"schema", "lapscope-cases/1"},
              {"cuda", cuda_version_text(CUDART_VERSION)},
              {"cases", all}}
             .dump(2)
      << '\n';
}

}  // namespace lapscope::workloads::streams
