#include "collector/python_frames/code_objects.h"

#include <algorithm>
#include <array>

#include "collector/python_frames/line_table.h"

namespace lapscope::python_frames {
namespace {

// The number of bytes of a text that are fetched before its length is known. Most texts have fewer.
constexpr std::uint32_t likely_size = 256;
constexpr std::size_t longest_text = 4096;  // in characters; PATH_MAX
constexpr std::uint32_t compared_of_lines = 1024;
constexpr std::size_t piece_of_lines = 512;
// The maximum size of a line table in bytes. A larger line table is considered invalid. It is not
// read, and the line is unknown.
constexpr std::uint64_t most_of_lines = 1u << 22;

// Fields of PyASCIIObject.state. The caller must shift `state` so that the field `kind` begins at
// bit 0.
constexpr unsigned kind_of(std::uint32_t state) { return state & 7; }  // bytes per character
constexpr bool is_compact(std::uint32_t state) { return state >> 3 & 1; }
constexpr bool is_ascii(std::uint32_t state) { return state >> 4 & 1; }

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

// A Python string in memory, with 1, 2 or 4 bytes per character (`kind`).
struct CodeObjects::Text {
  const std::byte* data = nullptr;
  std::uint32_t length = 0;
  std::uint32_t kind = 0;
  bool ascii = false;
};

// Fetches all code objects at once, and then all their parts, to save system calls.
void CodeObjects::fetch(std::span<const RunningCode> running) {
  std::array<Place, 3 * most_frames> places;
  running = running.first(std::min(running.size(), most_frames));
  for (std::size_t i = 0; i < running.size(); ++i) {
    places[i] = {running[i].code, layout_.code.instructions};
  }
  memory_.fetch({places.data(), running.size()});
  if (layout_.code.version != 0) return;
  std::size_t parts = 0;
  for (const RunningCode& one : running) {
    const std::byte* code = memory_.at(one.code, layout_.code.instructions);
    if (!code) return;
    for (const auto part :
         {layout_.code.file, layout_.code.qualified_name, layout_.code.line_table}) {
      const auto address = value_in<std::uintptr_t>(code, part);
      places[parts++] = {address, likely_size_at(address)};
    }
  }
  memory_.fetch({places.data(), parts});
}

// Returns not_begun for a frame that has not yet executed its first traceable instruction. Python's
// tracebacks leave out such frames, too.
CodeObjects::Outcome CodeObjects::resolve(const RunningCode& running, PythonFrame& frame) {
  const auto& at = layout_.code;
  const std::byte* code = memory_.at(running.code, at.instructions);
  if (!code || value_in<std::uintptr_t>(code, layout_.object.type) != interpreter_.code_type) {
    return Outcome::nonsense;
  }
  // The index of the last instruction that has begun; -1 if no instruction has begun. In 3.11 and
  // later, `running` has an address, which the lines below convert to the index.
  auto instruction = static_cast<std::int64_t>(running.instruction);
  if (at.has_instructions) {
    const auto count = value_in<std::int64_t>(code, layout_.object.size);
    instruction -= static_cast<std::int64_t>(instructions_of(running, code));
    if (instruction % instruction_size != 0) return Outcome::nonsense;
    instruction /= instruction_size;
    if (instruction >= count) return Outcome::nonsense;
  }
  if (instruction < -1) return Outcome::nonsense;
  const auto first =
      at.has_instructions ? value_in<std::int32_t>(code, at.first_traceable) : std::int32_t{0};
  if (instruction < 0 || (running.owner != owned_by_generator && instruction < first)) {
    return Outcome::not_begun;
  }

  // The key depends on the contents of the code object, because a newer code object may have the
  // address of an older one.
  std::uint64_t key = mix(running.code, static_cast<std::uint64_t>(instruction));
  key = mix(key, code + layout_.object.size, at.flags + sizeof(std::int32_t) - layout_.object.size);
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

// Returns the address of the instructions that the frame runs; 0 if the address cannot be read. In
// a free-threaded build, each thread runs its own copy of the instructions.
std::uintptr_t CodeObjects::instructions_of(const RunningCode& running, const std::byte* code) {
  if (running.copy <= 0) return running.code + layout_.code.instructions;
  const auto copies = value_in<std::uintptr_t>(code, layout_.code.copies);
  const std::byte* copy = memory_.at(
      copies + first_copy + static_cast<std::uintptr_t>(running.copy) * sizeof(std::uintptr_t),
      sizeof(std::uintptr_t));
  return copy ? value_in<std::uintptr_t>(copy, 0) : 0;
}

// Returns a hash of the file name, the function name and the line table. If code objects have no
// version, these three distinguish a code object from an earlier one at the same address. Sets
// `is_sound` to false if one of the three cannot be read.
std::uint64_t CodeObjects::hash_of_texts(const std::byte* code, bool& is_sound) {
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
  if (!table || likely_size_at(lines) < layout_.bytes_data)
    table = memory_.at(lines, layout_.bytes_data);
  if (!table || value_in<std::uintptr_t>(table, layout_.object.type) != interpreter_.bytes_type) {
    is_sound = false;
    return 0;
  }
  const auto size = std::min<std::uint64_t>(value_in<std::uint64_t>(table, layout_.object.size),
                                            compared_of_lines);
  if (layout_.bytes_data + size > likely_size_at(lines)) {
    table = memory_.at(lines, layout_.bytes_data + static_cast<std::uint32_t>(size));
  }
  if (!table) {
    is_sound = false;
    return 0;
  }
  return mix(hash, table + layout_.bytes_data, size);
}

std::optional<CodeObjects::Text> CodeObjects::text_at(std::uintptr_t address) {
  const std::uint32_t likely =
      std::max<std::uint32_t>(likely_size_at(address), layout_.text.ascii_data);
  const std::byte* object = memory_.at(address, likely);
  if (!object || value_in<std::uintptr_t>(object, layout_.object.type) != interpreter_.text_type) {
    return std::nullopt;
  }
  const auto length = value_in<std::uint64_t>(object, layout_.object.size);
  const auto state =
      value_in<std::uint32_t>(object, layout_.text.state) >> layout_.text.first_kind_bit;
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

// Returns the text's number in the text table. A text that is not ASCII is converted to UTF-8 and
// cut at 1024 bytes.
std::uint32_t CodeObjects::number_of(const Text& text) {
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

bool CodeObjects::line_of(const std::byte* code, std::uint32_t instruction, std::uint32_t& line) {
  const auto address = value_in<std::uintptr_t>(code, layout_.code.line_table);
  const std::byte* object = memory_.at(address, layout_.bytes_data);
  if (!object || value_in<std::uintptr_t>(object, layout_.object.type) != interpreter_.bytes_type) {
    return false;
  }
  const auto size = value_in<std::uint64_t>(object, layout_.object.size);
  if (size > most_of_lines) {
    line = 0;
    return true;
  }
  LineSearch search(value_in<std::int32_t>(code, layout_.code.first_line), instruction,
                    layout_.code.has_instructions ? LineFormat::locations : LineFormat::pairs);
  std::array<std::byte, piece_of_lines> piece;
  for (std::uint64_t done = 0; done < size && !search.is_found();) {
    const Place place{
        address + layout_.bytes_data + done,
        static_cast<std::uint32_t>(std::min<std::uint64_t>(size - done, piece.size()))};
    if (memory_.copy({&place, 1}, piece) != 1) return false;
    const std::size_t taken =
        search.take({reinterpret_cast<const std::uint8_t*>(piece.data()), place.size});
    if (taken == 0) return false;
    done += taken;
  }
  line = search.line();
  return true;
}

}  // namespace lapscope::python_frames
