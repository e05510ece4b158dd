#include "readers/xprof/profile_json.h"

#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "readers/foreign/foreign_files.h"
#include "readers/kineto/decimal.h"
#include "readers/kineto/json.h"
#include "readers/tables/unreadable_trace.h"

namespace lapscope::xprof {
namespace {

using Number = std::optional<std::int64_t>;

class JsonReader : public kineto::JsonListener {
 public:
  explicit JsonReader(Taker& taker) : taker_(taker) {}

  bool has_events() const { return has_events_; }
  std::optional<std::string> other_accelerator() const {
    return has_gpu_ ? std::nullopt : accelerator_;
  }
  // Whether the name of a process came after events of the process, or the name of a stream of a
  // GPU after events of the stream.
  bool has_late_names() const { return has_late_names_; }
  // XProf keeps only the earliest 1 or 5 million events. It does not report that it dropped later
  // events. So a profile with exactly 1 or exactly 5 million events may be incomplete.
  bool is_full() const { return events_ == 1'000'000 || events_ == 5'000'000; }

  void begin(bool is_array) override {
    ++depth_;
    if (depth_ == in_events && is_array && key_ == "traceEvents") {
      is_in_events_ = has_events_ = true;
    }
    if (is_in_events_ && depth_ == in_event) clear();
  }
  void end() override {
    if (is_in_events_ && depth_ == in_event) finish();
    if (depth_ == in_events) is_in_events_ = false;
    --depth_;
  }
  void key(std::string_view name) override {
    if (depth_ < in_event) key_ = name;
    if (!is_in_events_) return;
    if (depth_ == in_event) field_ = name;
    if (depth_ == in_args) arg_ = name;
  }
  void text(std::string_view value) override { this->value(value); }
  void number(std::string_view value) override { this->value(value); }
  void other() override {}

 private:
  // Depths in the JSON: the array of events, an event, and the arguments of an event. The outermost
  // object has depth 1.
  static constexpr int in_events = 2;
  static constexpr int in_event = 3;
  static constexpr int in_args = 4;
  using Track = std::pair<std::int64_t, std::int64_t>;  // pid and tid

  void clear() {
    for (std::string* text : {&phase_, &name_, &field_, &arg_, &label_}) text->clear();
    pid_.reset();
    tid_.reset();
    start_.reset();
    duration_.reset();
    args_.clear();
  }

  void value(std::string_view value) {
    if (!is_in_events_) return;
    if (depth_ == in_args && field_ == "args") {
      if (arg_ == "name") label_ = value;
      args_.emplace_back(arg_, value);
    }
    if (depth_ != in_event) return;
    if (field_ == "ph") phase_ = value;
    if (field_ == "name") name_ = value;
    if (field_ == "pid") pid_ = kineto::integer(value);
    if (field_ == "tid") tid_ = kineto::integer(value);
    if (field_ == "ts") start_ = kineto::scaled(value, 6);  // us, to ps
    if (field_ == "dur") duration_ = kineto::scaled(value, 6);
  }

  void finish() {
    if (phase_ == "M") return metadata();
    if (phase_ != "X") return;
    ++events_;
    if (!pid_ || !tid_) return;
    const bool is_new_track = last_ != Track(*pid_, *tid_);
    last_ = {*pid_, *tid_};
    if (is_new_track) used_.insert(last_);
    if (planes_.count(*pid_) == 0) return;
    if (is_new_track) taker_.line({planes_[*pid_], lines_[last_], *tid_});
    Event event;
    event.name = name_;
    std::int64_t end = 0;
    if (start_ && duration_ && !__builtin_add_overflow(*start_, *duration_, &end)) {
      event.start = nearest_ns(*start_);
      event.end = nearest_ns(end);
    }
    for (const auto& [stat, text] : args_) {
      set_stat(stat, text, event);
      // The event's `name` may be a short form of `long_name`.
      if (stat == "long_name") event.name = text;
    }
    taker_.event(event);
  }

  void metadata() {
    if (!pid_ || label_.empty()) return;
    if (name_ == "thread_name" && tid_) {
      std::string& line = lines_[{*pid_, *tid_}];
      const auto plane = planes_.find(*pid_);
      const bool is_of_gpu = plane != planes_.end() && gpu_of_plane(plane->second);
      has_late_names_ |= line.empty() && is_of_gpu && used_.count({*pid_, *tid_}) > 0;
      line = label_;
    }
    if (name_ != "process_name") return;
    if (const Number device = gpu_of_plane(label_)) {
      has_gpu_ = true;
      taker_.gpu(*device, {}, false);
    } else if (label_ != "/host:CPU") {
      if (!accelerator_) accelerator_ = analyzer::foreign_accelerator(label_);
      return;
    }
    const auto used = used_.lower_bound({*pid_, std::numeric_limits<std::int64_t>::min()});
    has_late_names_ |= planes_.count(*pid_) == 0 && used != used_.end() && used->first == *pid_;
    planes_[*pid_] = label_;
  }

  Taker& taker_;
  int depth_ = 0;
  bool is_in_events_ = false;
  bool has_events_ = false;
  bool has_gpu_ = false;
  std::optional<std::string> accelerator_;
  std::int64_t events_ = 0;
  std::string key_;  // key in the outermost object

  // The event that is being read.
  std::string phase_, name_, field_, arg_, label_;
  Number pid_, tid_, start_, duration_;  // times in ps
  std::vector<std::pair<std::string, std::string>> args_;

  std::map<std::int64_t, std::string> planes_;  // by pid
  std::map<Track, std::string> lines_;
  std::set<Track> used_;  // tracks with events
  bool has_late_names_ = false;
  Track last_{-1, -1};
};

}  // namespace

bool is_profile_json(std::string_view begin) {
  if (begin.find("\"traceEvents\"") == std::string_view::npos) return false;
  if (begin.find("\"schemaVersion\"") != std::string_view::npos) return false;
  return begin.find("\"/device:") != std::string_view::npos ||
         begin.find("\"/host:CPU\"") != std::string_view::npos;
}

Session read_profile_json(const std::filesystem::path& path, Taker& taker,
                          std::atomic<std::int64_t>* done) {
  JsonReader reader(taker);
  const auto refuse = [&path](const std::string& why) {
    throw analyzer::UnreadableTrace("'" + path.string() + "' " + why);
  };
  Session session;
  session.has_rest = kineto::read_json(path, reader, done);
  if (!reader.has_events()) refuse("is JSON without a list of traceEvents, so no profile.");
  if (const auto other = reader.other_accelerator()) refuse(*other);
  if (reader.has_late_names()) {
    refuse(
        "cannot be analyzed: it names its processes and threads behind their events. Analyze the "
        "'.xplane.pb' beside it, or the JSON as XProf wrote it.");
  }
  if (reader.is_full()) {
    session.dropped =
        "the JSON has as many events as XProf writes at most; the '.xplane.pb' beside it has all";
  }
  return session;
}

}  // namespace lapscope::xprof
