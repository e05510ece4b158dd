#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include "collector/cupti/cupti_api.h"
#include "collector/decode/kinds.h"
#include "collector/inject/api_calls.h"
#include "collector/inject/buffer_pool.h"

// An injected library that shows the least cost of CUPTI's records. It requests the same records as
// lapscope, with the same settings and buffers, and discards them. Environment variables:
//  BARE_CONSUMER_REQUEST   other records, in the format of LAPSCOPE_REQUEST
//  BARE_CONSUMER_KINDS     only these kinds, by name, separated by commas. RUNTIME and DRIVER then
//                          include all functions, whereas lapscope requests single functions
//  BARE_CONSUMER_FLUSH_MS  period in which partly filled buffers are fetched. Without it, a killed
//                          program loses many records
//  BARE_CONSUMER_GRAPH_CALLBACKS  CUPTI also calls back for each node and edge of a CUDA graph
namespace {

using namespace lapscope;

struct Consumer {
  cupti::CuptiApi cupti;
  inject::BufferPool pool;
  pid_t pid = ::getpid();
};

Consumer* consumer = nullptr;

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* size,
                               std::size_t* most_records) {
  *most_records = 0;
  *buffer = ::getpid() == consumer->pid ? consumer->pool.acquire(false) : nullptr;
  *size = *buffer ? inject::BufferPool::buffer_size : 0;
}

void CUPTIAPI buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                               std::size_t) {
  if (consumer->pool.is_out(buffer)) consumer->pool.release(buffer);
}

void flush_forever(std::chrono::milliseconds period) {
  for (;;) {
    std::this_thread::sleep_for(period);
    if (consumer->pool.ever_used()) consumer->cupti.activity_flush_all(0);
  }
}

// Starts the thread that fetches buffers. It must get no signal of the program.
void start_flushing(std::chrono::milliseconds period) {
  sigset_t all;
  sigset_t original;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &original);
  std::thread(flush_forever, period).detach();
  ::pthread_sigmask(SIG_SETMASK, &original, nullptr);
}

bool is_among_kinds(std::string_view name) {
  const char* kinds = std::getenv("BARE_CONSUMER_KINDS");
  return !kinds ||
         ("," + std::string(kinds) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

// Returns whether lapscope requests callbacks instead of the records of this kind.
bool is_left_out(CUpti_ActivityKind kind, const request::Request& request) {
  return !request.wants(request::Group::event_times) &&
         (kind == CUPTI_ACTIVITY_KIND_SYNCHRONIZATION || kind == CUPTI_ACTIVITY_KIND_CUDA_EVENT);
}

void set_up() {
  cupti::LoadResult loaded = cupti::load_cupti(std::nullopt, {});
  if (!loaded.api) return;
  consumer =
      new Consumer{*loaded.api};  // never destroyed: CUPTI calls back until the process has ended
  const cupti::CuptiApi& cupti = consumer->cupti;
  static CUpti_SubscriberHandle subscriber;
  cupti.subscribe(
      &subscriber, [](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}, nullptr);
  cupti.set_thread_id_type(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  std::uint8_t zeroed = 1;
  std::size_t size = sizeof zeroed;
  cupti.activity_set_attribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
  cupti.activity_register_callbacks(buffer_requested, buffer_completed);
  const char* text = std::getenv("BARE_CONSUMER_REQUEST");
  const auto request = request::Request::from_text(text ? text : "");
  const bool chooses = std::getenv("BARE_CONSUMER_KINDS") == nullptr;
  for (const decode::Kind& kind : decode::recorded_kinds()) {
    if (!request.wants(kind.group) || !is_among_kinds(kind.name)) continue;
    // Skips RUNTIME and DRIVER, which record_calls() requests, and kinds that lapscope leaves out.
    if (chooses && (inject::is_of_calls(kind.id) || is_left_out(kind.id, request))) continue;
    cupti.activity_enable(kind.id);
  }
  if (chooses) inject::record_calls(cupti, request);
  if (request.wants(request::Group::event_times) &&
      cupti.activity_enable_cuda_event_device_timestamps) {
    cupti.activity_enable_cuda_event_device_timestamps(1);
  }
  if (std::getenv("BARE_CONSUMER_GRAPH_CALLBACKS") && cupti.enable_callback) {
    for (const CUpti_CallbackId id :
         {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
          CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED}) {
      cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, id);
    }
  }
  const char* period = std::getenv("BARE_CONSUMER_FLUSH_MS");
  if (period) start_flushing(std::chrono::milliseconds(std::atoi(period)));
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (!consumer) set_up();
  return 1;
}
