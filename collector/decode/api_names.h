#pragma once

#include <cstdint>
#include <unordered_map>

#include "collector/cupti/cupti_api.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::decode {

// StringIds of API functions by CUPTI's callback id, as cudaLaunchKernel_v7000.
class ApiNames {
 public:
  ApiNames(trace::TraceWriter& trace, const cupti::CuptiApi& cupti)
      : trace_(trace), cupti_(cupti) {}

  std::int64_t id(CUpti_CallbackDomain domain, std::uint32_t cbid);

 private:
  trace::TraceWriter& trace_;
  const cupti::CuptiApi& cupti_;
  std::unordered_map<std::uint64_t, std::int64_t> known_;
};

}  // namespace lapscope::decode
