#include "collector/inject/session.h"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <system_error>

#include "collector/cupti/cupti_api.h"
#include "collector/inject/process_facts.h"
#include "collector/nvtx/range_payloads.h"
#include "collector/nvtx/watch_calls.h"
#include "collector/process/thread_clock.h"

namespace lapscope::inject {
namespace {

std::atomic<Session*> the_session{nullptr};

// The maximum time that finish() waits for a thread. It is longer than any flush that was measured,
// and shorter than the time after which job schedulers kill a process.
constexpr std::chrono::milliseconds finish_deadline{10'000};

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* size,
                               std::size_t* most_records) {
  *most_records = 0;  // as many as fit
  Session* session = Session::current();
  *buffer = session ? session->pool().acquire(session->may_refuse_buffers()) : nullptr;
  *size = *buffer ? BufferPool::buffer_size : 0;
}

void CUPTIAPI buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                               std::size_t valid) {
  Session* session = Session::current();
  if (!session || !buffer) return;
  if (session->pool().is_out(buffer)) {
    session->writer().push(buffer, valid);
  } else {
    session->writer().push_foreign();
  }
}

// Returns the NVTX ranges that are open. Returns none for an armed process, because each of its
// captures gets the open ranges itself.
std::vector<nvtx::EarlyRanges::Range> early_ranges() {
  const Options options = options_from_environment();
  if (!options.request.capture.is_armed()) {
    return nvtx::early_ranges().take_open();
  }
  nvtx::early_ranges().keep_watching();
  return {};
}

void at_exit() {
  if (Session* session = Session::current()) session->finish();
}

}  // namespace

Session::Session() : pid_(::getpid()), writer_(options_from_environment(), pool_, early_ranges()) {}

Session* Session::current() noexcept {
  Session* session = the_session.load(std::memory_order_acquire);
  return session && session->pid_ == ::getpid() ? session : nullptr;
}

void Session::start() noexcept {
  static std::once_flag once;
  try {
    std::call_once(once, [] {
      Session* session = new Session;  // never deleted: CUPTI may call back until the process ends
      the_session.store(session, std::memory_order_release);
      session->begin();
      std::atexit(at_exit);
      ::at_quick_exit(at_exit);
    });
  } catch (...) {
    // There is no memory, or a thread cannot be made. The program continues without recording, and
    // `lapscope record` reports that nothing was recorded.
    Session* session = the_session.exchange(nullptr);
    if (session) session->finish();
  }
}

void Session::begin() {
  writer_.start();
  const Options options = options_from_environment();
  TracingStart tracing;
  cupti::LoadResult loaded;
  if (nvtx::early_ranges().is_own_process()) {
    loaded = cupti::load_cupti(options.cupti, own_folder());
  } else {
    // CUPTI's NVTX entry point starts a thread. A child that is forked later lacks this thread: in
    // the child, CUPTI records nothing, and cuptiActivityFlushAll() never returns (libcupti 13.0).
    loaded.problem =
        "it was forked after an NVTX call of its parent, and CUPTI does not work in such a "
        "process: start it with spawn instead of fork, or record with --no-nvtx";
  }
  if (loaded.api && cupti::is_usable(*loaded.api, tracing.problem)) {
    cupti_ = std::move(loaded.api);
    listener_.emplace(*cupti_, callbacks::stream_is_capturing_of_driver());
    nvtx::early_ranges().send_ends_to(listener_->events());
    std::string no_python_frames;
    if (options.request.wanted_stacks() != request::Stacks::off &&
        stacks::CallStacks::are_supported()) {
      no_python_frames = prepare_stacks();
    }
    tracing =
        prepare_tracing(*cupti_, options.request, *listener_, buffer_requested, buffer_completed);
    tracing.no_python_frames = std::move(no_python_frames);
  } else if (!loaded.api) {
    tracing.problem = loaded.problem;
  }
  if (options.request.capture.is_armed() && tracing.problem.empty()) {
    arm(options, std::move(tracing));
    return;
  }
  if (tracing.problem.empty()) {
    nvtx::range_payloads().keep(true);
    start_tracing(*cupti_, options.request, *listener_, stacks_ ? &*stacks_ : nullptr, tracing);
    sample_host(options.request, tracing);
  }
  writer_.arm(cupti_ ? &*cupti_ : nullptr, std::move(tracing),
              listener_ ? &listener_->events() : nullptr);
}

void Session::arm(const Options& options, TracingStart prepared) {
  try {
    if (!cupti_->activity_disable) {
      prepared.problem = "this libcupti (" + cupti_->path + ") cannot end a capture";
    } else {
      control_.emplace(options.control, writer_, nvtx::early_ranges().iterations(),
                       options.request.wants(request::Group::nvtx));
      control_->start();
    }
  } catch (const std::system_error& error) {
    prepared.problem = std::string("no socket for `lapscope ctl` could be made: ") + error.what();
  }
  if (!prepared.problem.empty()) {
    writer_.arm(&*cupti_, std::move(prepared), &listener_->events());
    return;
  }
  prepared_ = std::move(prepared);
  const request::Request request = options.request;
  writer_.arm_for_captures(
      *cupti_,
      {.on = [this,
              request](const request::Request& wanted) { return start_capture(request, wanted); },
       .off =
           [this] {
             nvtx::range_payloads().keep(false);
             if (sampler_) sampler_->stop(finish_deadline);
             switch_tracing(*cupti_, *listener_, *captured_, {});
           }},
      listener_->events());
}

// Begins a capture, in the writer's thread. The first capture enables all kinds and callbacks of
// the request `all`. CUPTI's results are stored for the later captures. Each capture, also the
// first one, disables the kinds and callbacks that are not in the request `wanted`.
TracingStart Session::start_capture(const request::Request& all, const request::Request& wanted) {
  nvtx::range_payloads().take();
  nvtx::range_payloads().keep(true);
  const auto stacks_before = stacks_ ? stacks_->counts() : stacks::CallStacks::Counts{};
  if (prepared_) {
    captured_ = std::move(prepared_);
    prepared_.reset();
    start_tracing(*cupti_, all, *listener_, stacks_ ? &*stacks_ : nullptr, *captured_);
  }
  TracingStart tracing = wanted_part(*cupti_, wanted, *captured_);
  switch_tracing(*cupti_, *listener_, *captured_, tracing);
  tracing.stacks_before = stacks_before;
  sample_host(wanted, tracing);
  return tracing;
}

// Prepares the recording of call stacks. If the program has loaded Python, but the stacks will have
// no Python frames, returns the reason. Otherwise, returns "". If the program loads Python later,
// the stacks have no Python frames either, and no reason is returned.
std::string Session::prepare_stacks() {
  stacks_.emplace();
  stacks_->skip_frames_of(reinterpret_cast<std::uintptr_t>(&buffer_requested));
  stacks_->skip_frames_of(reinterpret_cast<std::uintptr_t>(cupti_->subscribe));
  const python_frames::FoundInterpreter found = python_frames::find_interpreter();
  if (!found.interpreter) return found.is_python ? found.why_not : "";
  python_.emplace(*found.interpreter);
  stacks_->set_python(*python_,
                      python_frames::find_autograd_loop().value_or(process::AddressRange{}));
  return "";
}

// Starts the host sampler if the request wants host samples. If its thread cannot be made, only the
// host samples are missing.
void Session::sample_host(const request::Request& request, TracingStart& tracing) {
  const unsigned rate = request.wanted_host_samples();
  if (rate == 0) return;
  const std::chrono::nanoseconds interval(1'000'000'000 / rate);
  const int refusal = stacks_ ? process::thread_clock_refusal() : 0;
  if (refusal != 0) tracing.no_native_frames = process::describe_refusal(refusal);
  if (!sampler_) {
    sampler_.emplace(listener_->threads(), listener_->events(), stacks_ ? &*stacks_ : nullptr,
                     interval, refusal == 0);
  }
  try {
    sampler_->start();
  } catch (const std::system_error&) {
    return;
  }
  tracing.sampler = &*sampler_;
  tracing.callbacks.emplace_back(callbacks::Source::host_samples, CUPTI_SUCCESS);
}

void Session::finish() noexcept {
  if (control_) control_->stop();
  if (sampler_) sampler_->stop(finish_deadline);
  writer_.stop(finish_deadline);
}

}  // namespace lapscope::inject
