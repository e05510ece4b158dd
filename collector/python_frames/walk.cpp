#include "collector/python_frames/walk.h"

#include <algorithm>

#include "collector/python_frames/line_table.h"

namespace lapscope::python_frames {
namespace {

// Frames of calls from C are not counted among the others.
constexpr std::size_t most_visited = 192;
// So much in front of a frame is likely to hold the frames that called it: frames lie in a row.
constexpr std::uint32_t frames_nearby = 2048;
// Texts are mostly shorter, so that their length need not be known to fetch them.
constexpr std::uint32_t likely_size = 256;
constexpr std::size_t longest_text = 4096;  // in characters; PATH_MAX
constexpr std::uint32_t compared_of_lines = 1024;
constexpr std::size_t piece_of_lines = 512;

// Of PyASCIIObject.state, in 3.11 and 3.12 alike.
constexpr unsigned kind_of(std::uint32_t state) { return state >> 2 & 7; }  // bytes a character
constexpr bool is_compact(std::uint32_t state) { return state >> 5 & 1; }
constexpr bool is_ascii(std::uint32_t state) { return state >> 6 & 1; }

std::uint32_t likely_size_at(std::uintptr_t address) {
  return std::min(likely_size, static_cast<std::uint32_t>(page_size - address % page_size));
}

char* put_utf8(char* to, std::uint32_t character) {
  const auto put = [&](std::uint32_t value) { *to++ = static_cast<char>(value); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xc0 | character >> 6);
    put(0x80 | (character & 0x3f));
  } else if (character < 0x10000) {
    put(0xe0 | character >> 12);
    put(0x80 | (character >> 6 & 0x3f));
    put(0x80 | (character & 0x3f));
  } else {
    put(0xf0 | (character >> 18 & 7));
    put(0x80 | (character >> 12 & 0x3f));
    put(0x80 | (character >> 6 & 0x3f));
    put(0x80 | (character & 0x3f));
  }
  return to;
}

}  // namespace

// A text as Python keeps it: of one, two or four bytes a character.
struct Walk::Text {
  const std::byte* data = nullptr;
  std::uint32_t length = 0;
  std::uint32_t kind = 0;
  bool ascii = false;
};

std::uint64_t Walk::thread_id_of(std::uintptr_t thread) {
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  return state ? value_in<std::uint64_t>(state, layout_.thread.thread_id) : 0;
}

// Another interpreter in this process has states of its own for the same threads, and which of them
// a thread is in cannot be told without its lock.
bool Walk::is_only_interpreter(std::uintptr_t thread) {
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  return state &&
         value_in<void*>(state, layout_.thread.interpreter) == interpreter_.newest_interpreter();
}

std::uintptr_t Walk::previous_thread(std::uintptr_t thread) {
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  return state ? value_in<std::uintptr_t>(state, layout_.thread.previous) : 0;
}

std::uintptr_t Walk::next_thread(std::uintptr_t thread) {
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  return state ? value_in<std::uintptr_t>(state, layout_.thread.next) : 0;
}

bool Walk::collect(std::uintptr_t thread, std::size_t most) {
  count_ = 0;
  is_cut_ = false;
  innermost_ = 0;
  most = std::min(most, most_frames);
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  if (!state) return false;
  c_frame_ = value_in<std::uintptr_t>(state, layout_.thread.c_frame);
  const std::byte* c_frame = memory_.at(c_frame_ + layout_.current_frame, sizeof(std::uintptr_t));
  if (!c_frame) return false;
  auto address = innermost_ = value_in<std::uintptr_t>(c_frame, 0);
  for (std::size_t visited = 0; address != 0; ++visited) {
    if (count_ == most || visited == most_visited) {
      is_cut_ = true;
      break;
    }
    const std::byte* frame = memory_.at(address, layout_.frame.size, frames_nearby);
    if (!frame) return false;
    const Seen seen{value_in<std::uintptr_t>(frame, layout_.frame.code),
                    value_in<std::uintptr_t>(frame, layout_.frame.instruction),
                    value_in<std::uint8_t>(frame, layout_.frame.owner)};
    if (seen.owner > layout_.frame.last_owner) return false;
    if (seen.owner != owned_by_c_stack) seen_[count_++] = seen;
    const auto caller = value_in<std::uintptr_t>(frame, layout_.frame.previous);
    if (caller == address) return false;
    address = caller;
  }
  return true;
}

// Together, instead of one after the other when they are looked at.
void Walk::fetch_codes() {
  std::array<Place, 3 * most_frames> places;
  for (std::size_t i = 0; i < count_; ++i) places[i] = {seen_[i].code, layout_.code.instructions};
  memory_.fetch({places.data(), count_});
  if (layout_.code.version != 0) return;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::byte* code = memory_.at(seen_[i].code, layout_.code.instructions);
    if (!code) return;
    for (const auto part :
         {layout_.code.file, layout_.code.qualified_name, layout_.code.line_table}) {
      const auto address = value_in<std::uintptr_t>(code, part);
      places[parts++] = {address, likely_size_at(address)};
    }
  }
  memory_.fetch({places.data(), parts});
}

std::optional<std::size_t> Walk::frames_of(std::uintptr_t thread, std::span<PythonFrame> frames) {
  if (!collect(thread, frames.size())) return std::nullopt;
  fetch_codes();
  std::size_t count = 0;
  for (const Seen& seen : std::span(seen_).first(count_)) {
    const Outcome outcome = resolve(seen, frames[count]);
    if (outcome == Outcome::nonsense) return std::nullopt;
    if (outcome == Outcome::frame) ++count;
  }
  return count;
}

// Frames that have not begun are left out, as Python leaves them out of its own traces.
Walk::Outcome Walk::resolve(const Seen& seen, PythonFrame& frame) {
  const auto& at = layout_.code;
  const std::byte* code = memory_.at(seen.code, at.instructions);
  if (!code || value_in<std::uintptr_t>(code, object_type) != interpreter_.code_type) {
    return Outcome::nonsense;
  }
  // The last instruction that has begun; the one in front of the first where none has.
  const auto count = value_in<std::int64_t>(code, object_size);
  const auto distance = static_cast<std::int64_t>(seen.instruction - (seen.code + at.instructions));
  const std::int64_t instruction = distance / instruction_size;
  if (distance % instruction_size != 0 || instruction < -1 || instruction >= count) {
    return Outcome::nonsense;
  }
  const auto first = value_in<std::int32_t>(code, at.first_traceable);
  if (instruction < 0 || (seen.owner != owned_by_generator && instruction < first)) {
    return Outcome::not_begun;
  }

  // An address alone does not tell which code object this is: one may have taken the place of
  // another.
  std::uint64_t key = mix(seen.code, static_cast<std::uint64_t>(instruction));
  key = mix(key, code + object_size, at.flags + sizeof(std::int32_t) - object_size);
  key = mix(key, code + at.counts, at.line_table + sizeof(std::uintptr_t) - at.counts);
  if (at.version == 0 || value_in<std::uint32_t>(code, at.version) == 0) {
    bool is_sound = true;
    key = mix(key, hash_of_texts(code, is_sound));
    if (!is_sound) return Outcome::nonsense;
  }
  if (const auto known = known_.find(key)) {
    frame = *known;
    return Outcome::frame;
  }
  const auto file = text_at(value_in<std::uintptr_t>(code, at.file));
  if (!file) return Outcome::nonsense;
  frame.file = number_of(*file);
  const auto function = text_at(value_in<std::uintptr_t>(code, at.qualified_name));
  if (!function) return Outcome::nonsense;
  frame.function = number_of(*function);
  if (!line_of(code, static_cast<std::uint32_t>(instruction), frame.line)) {
    return Outcome::nonsense;
  }
  known_.add(key, frame);
  return Outcome::frame;
}

// Without a number for each code object, a new one of the same shape can have taken the place of an
// old one with all its parts: only what is written in them is another.
std::uint64_t Walk::hash_of_texts(const std::byte* code, bool& is_sound) {
  const auto file = value_in<std::uintptr_t>(code, layout_.code.file);
  const auto function = value_in<std::uintptr_t>(code, layout_.code.qualified_name);
  const auto lines = value_in<std::uintptr_t>(code, layout_.code.line_table);
  std::uint64_t hash = 0;
  for (const std::uintptr_t address : {file, function}) {
    const auto text = text_at(address);
    if (!text) {
      is_sound = false;
      return 0;
    }
    hash = mix(hash, text->data, std::size_t{text->length} * text->kind);
  }
  const std::byte* table = memory_.at(lines, likely_size_at(lines));
  if (!table || likely_size_at(lines) < bytes_data) table = memory_.at(lines, bytes_data);
  if (!table || value_in<std::uintptr_t>(table, object_type) != interpreter_.bytes_type) {
    is_sound = false;
    return 0;
  }
  const auto size =
      std::min<std::uint64_t>(value_in<std::uint64_t>(table, object_size), compared_of_lines);
  if (bytes_data + size > likely_size_at(lines)) {
    table = memory_.at(lines, bytes_data + static_cast<std::uint32_t>(size));
  }
  if (!table) {
    is_sound = false;
    return 0;
  }
  return mix(hash, table + bytes_data, size);
}

std::optional<Walk::Text> Walk::text_at(std::uintptr_t address) {
  const std::uint32_t likely =
      std::max<std::uint32_t>(likely_size_at(address), layout_.text.ascii_data);
  const std::byte* object = memory_.at(address, likely);
  if (!object || value_in<std::uintptr_t>(object, object_type) != interpreter_.text_type) {
    return std::nullopt;
  }
  const auto length = value_in<std::uint64_t>(object, object_size);
  const auto state = value_in<std::uint32_t>(object, text_state);
  const unsigned kind = kind_of(state);
  if (!is_compact(state) || (kind != 1 && kind != 2 && kind != 4)) return std::nullopt;
  Text text{nullptr, static_cast<std::uint32_t>(std::min<std::uint64_t>(length, longest_text)),
            kind, is_ascii(state)};
  const std::uint32_t begin = text.ascii ? layout_.text.ascii_data : layout_.text.compact_data;
  const std::uint32_t size = begin + text.length * kind;
  if (size > likely) object = memory_.at(address, size);
  if (!object) return std::nullopt;
  text.data = object + begin;
  return text;
}

// A longer text than there is room for here ends early.
std::uint32_t Walk::number_of(const Text& text) {
  if (text.ascii) {
    return texts_.number_of({reinterpret_cast<const char*>(text.data), text.length});
  }
  std::array<char, 1024> written;
  char* to = written.data();
  for (std::uint32_t i = 0; i < text.length && to + 4 <= written.data() + written.size(); ++i) {
    const std::byte* at = text.data + std::size_t{i} * text.kind;
    to = put_utf8(to, text.kind == 1   ? value_in<std::uint8_t>(at, 0)
                      : text.kind == 2 ? value_in<std::uint16_t>(at, 0)
                                       : value_in<std::uint32_t>(at, 0));
  }
  return texts_.number_of({written.data(), static_cast<std::size_t>(to - written.data())});
}

bool Walk::line_of(const std::byte* code, std::uint32_t instruction, std::uint32_t& line) {
  const auto address = value_in<std::uintptr_t>(code, layout_.code.line_table);
  const std::byte* object = memory_.at(address, bytes_data);
  if (!object || value_in<std::uintptr_t>(object, object_type) != interpreter_.bytes_type) {
    return false;
  }
  const auto size = value_in<std::uint64_t>(object, object_size);
  LineSearch search(value_in<std::int32_t>(code, layout_.code.first_line), instruction);
  std::array<std::byte, piece_of_lines> piece;
  for (std::uint64_t done = 0; done < size && !search.is_found();) {
    const Place place{
        address + bytes_data + done,
        static_cast<std::uint32_t>(std::min<std::uint64_t>(size - done, piece.size()))};
    if (copy_memory({&place, 1}, piece) != 1) return false;
    const std::size_t taken =
        search.take({reinterpret_cast<const std::uint8_t*>(piece.data()), place.size});
    if (taken == 0) return false;
    done += taken;
  }
  line = search.line();
  return true;
}

bool Walk::is_still_there(std::uintptr_t thread) {
  if (count_ == 0) return false;
  const Place places[] = {
      {thread + layout_.thread.c_frame, sizeof(std::uintptr_t)},
      {c_frame_ + layout_.current_frame, sizeof(std::uintptr_t)},
      {innermost_ + layout_.frame.code, sizeof(std::uintptr_t)},
      {innermost_ + layout_.frame.instruction, sizeof(std::uintptr_t)},
  };
  std::array<std::byte, 4 * sizeof(std::uintptr_t)> now;
  if (copy_memory(places, now) != std::size(places)) return false;
  const std::uintptr_t then[] = {c_frame_, innermost_, seen_[0].code, seen_[0].instruction};
  return std::memcmp(now.data(), then, sizeof then) == 0;
}

}  // namespace lapscope::python_frames
