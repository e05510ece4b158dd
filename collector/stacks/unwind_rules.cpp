#include "collector/stacks/unwind_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "collector/stacks/call_frame_program.h"

// Reads .eh_frame_hdr and .eh_frame (the Linux Standard Base's "Exception Frames"). Code whose
// tables are not understood has no unwind rule.
namespace lapscope::stacks {
namespace {

bool fits(std::int64_t offset) {
  constexpr std::int64_t most = (1 << 28) - 1;  // a kept rule has 29 bits for it
  return offset >= -most && offset <= most;
}

UnwindRule rule_of(const Row& row) {
  UnwindRule rule;
  if (row.caller == Row::Saved::undefined) {
    rule.cfa = UnwindRule::Cfa::outermost;
    return rule;
  }
  const bool is_usual = row.caller == Row::Saved::at_cfa && row.caller_offset == -8;
  const bool is_of_rbp = row.cfa_register == rbp_number;
  if (!is_usual || !row.cfa_is_known || !fits(row.cfa_offset) || !fits(row.rbp_offset)) return rule;
  if (!is_of_rbp && row.cfa_register != rsp_number) return rule;
  rule.cfa_offset = static_cast<std::int32_t>(row.cfa_offset);
  rule.rbp_offset = static_cast<std::int32_t>(row.rbp_offset);
  switch (row.rbp) {
    case Row::Saved::at_cfa:
      rule.rbp = UnwindRule::Rbp::at_cfa;
      break;
    case Row::Saved::at_rbp:
      rule.rbp = UnwindRule::Rbp::at_rbp;
      break;
    case Row::Saved::same:
      rule.rbp = UnwindRule::Rbp::same;
      rule.rbp_offset = 0;
      break;
    case Row::Saved::undefined:
    case Row::Saved::elsewhere:
      rule.rbp = UnwindRule::Rbp::lost;
      rule.rbp_offset = 0;
      break;
  }
  rule.cfa = row.cfa_is_word_at ? UnwindRule::Cfa::at_rbp
             : is_of_rbp        ? UnwindRule::Cfa::from_rbp
                                : UnwindRule::Cfa::from_rsp;
  return rule;
}

// Reads a CIE (DWARF's "Common Information Entry"): data that several functions share. `bytes` must
// begin with the length of the CIE. Returns nothing if it is not understood.
std::optional<CommonPart> read_common(Bytes bytes) {
  const std::uintptr_t begin = bytes.address();
  const auto length = bytes.get<std::uint32_t>();
  if (length == 0 || length == 0xffffffffU) return std::nullopt;
  bytes.end_after(length);
  CommonPart common;
  common.end = sizeof length + length;
  if (bytes.get<std::uint32_t>() != 0) return std::nullopt;
  const std::uint8_t version = bytes.byte();
  if (version != 1 && version != 3) return std::nullopt;
  std::array<char, 8> augmentation{};
  for (std::size_t i = 0;; ++i) {
    if (i == augmentation.size()) return std::nullopt;
    augmentation[i] = static_cast<char>(bytes.byte());
    if (augmentation[i] == '\0') break;
  }
  common.code_factor = bytes.uleb();
  common.data_factor = bytes.sleb();
  const std::uint64_t number = version == 1 ? bytes.byte() : bytes.uleb();
  if (number != return_address) return std::nullopt;
  if (augmentation[0] != 'z') {
    if (augmentation[0] != '\0') return std::nullopt;
    common.instructions = bytes.address() - begin;
    return bytes.has_failed() ? std::nullopt : std::optional(common);
  }
  common.has_augmentation = true;
  const std::uint64_t size = bytes.uleb();
  Bytes rest = bytes;
  bytes.skip(size);
  for (const char letter : augmentation) {
    if (letter == 'R') common.pointers = rest.byte();
    if (letter == 'L') rest.byte();
    if (letter == 'S') common.is_of_signals = true;
    if (letter == 'P') {
      const std::uint8_t encoding = rest.byte();
      rest.pointer(encoding & 0x0fU);
    }
  }
  common.instructions = bytes.address() - begin;
  return bytes.has_failed() || rest.has_failed() ? std::nullopt : std::optional(common);
}

// Reads an object's unwind tables with system calls. Only the range `lasting` is read directly,
// because it is never unmapped.
class Tables {
 public:
  Tables(const LoadedObject& object, process::AddressRange lasting, const OwnMemory& memory,
         KnownWords& known)
      : object_(object), lasting_(lasting), memory_(memory), known_(known) {}

  std::size_t read(std::uintptr_t address, void* to, std::size_t size) const noexcept {
    if (!lasting_.contains(address)) return memory_.read(address, to, size);
    const std::size_t count = std::min<std::size_t>(size, lasting_.end - address);
    std::memcpy(to, reinterpret_cast<const void*>(address), count);
    return count;
  }

  // Reads a word of 8 bytes. Adds the word to `known_`, because many searches need the same words.
  bool read_common(std::uintptr_t address, std::uint64_t& word) const noexcept {
    if (lasting_.contains(address)) return read(address, &word, sizeof word) == sizeof word;
    // `known_` has unwind rules by the address of their instruction, and words of tables by
    // ~address of the word. Without the ~, the two could have equal keys: a broken stack may have
    // the address of a word as a return address.
    const std::uint64_t key = KnownWords::key_of(~address, object_);
    if (const auto known = known_.find(key)) {
      word = *known;
      return true;
    }
    if (read(address, &word, sizeof word) != sizeof word) return false;
    known_.add(key, word);
    return true;
  }

 private:
  const LoadedObject& object_;
  const process::AddressRange lasting_;
  const OwnMemory& memory_;
  KnownWords& known_;
};

constexpr std::size_t most_of_common = 256;
constexpr std::size_t usual_description = 1024;

UnwindRule rule_in(std::uintptr_t description, std::uintptr_t instruction, const Tables& memory,
                   std::span<std::byte> room) {
  const std::span<std::byte> own = room.first(room.size() - most_of_common);
  const std::span<std::byte> shared = room.last(most_of_common);
  std::size_t own_size = memory.read(description, own.data(), usual_description);
  const auto length = Bytes(own.data(), own_size, description).get<std::uint32_t>();
  if (length == 0 || length == 0xffffffffU) return {};
  if (length > usual_description - sizeof length) {
    own_size = memory.read(description, own.data(), own.size());
  }
  Bytes bytes(own.data(), own_size, description);
  bytes.skip(sizeof length);
  bytes.end_after(length);
  const std::uintptr_t place = bytes.address();
  const std::uintptr_t common_at = place - bytes.get<std::uint32_t>();
  if (bytes.has_failed()) return {};
  const std::size_t size = memory.read(common_at, shared.data(), shared.size());
  const auto common = read_common(Bytes(shared.data(), size, common_at));
  if (!common || common->instructions > size) return {};
  if (common->is_of_signals) return {.cfa = UnwindRule::Cfa::interrupted};
  const std::uint64_t begin = bytes.pointer(common->pointers);
  const std::uint64_t range = bytes.pointer(common->pointers & 0x0fU);
  if (bytes.has_failed() || instruction < begin || instruction - begin >= range) return {};
  if (common->has_augmentation) bytes.skip(bytes.uleb());
  CallFrameProgram program(*common, begin, instruction);
  Bytes initial(shared.data(), std::min(size, common->end), common_at);
  initial.skip(common->instructions);
  if (!program.run(initial)) return {};
  program.take_initial();
  return program.run(bytes) ? rule_of(program.row()) : UnwindRule{};
}

}  // namespace

#ifdef __x86_64__

namespace {

// Declarations of glibc's _dl_find_object() and its struct, for builds with a glibc before 2.35,
// which lacks them. The symbol is weak, so the library also loads where the symbol is missing.
struct FoundObject {
  unsigned long long flags;
  void* map_start;
  void* map_end;
  void* link_map;
  void* eh_frame;
  unsigned long long reserved[7];
};
extern "C" int lapscope_dl_find_object(void* address, FoundObject* found) noexcept
    __asm__("_dl_find_object") __attribute__((weak));

}  // namespace

std::optional<LoadedObject> loaded_object(std::uintptr_t address) noexcept {
  FoundObject found;
  if (!lapscope_dl_find_object ||
      lapscope_dl_find_object(reinterpret_cast<void*>(address), &found) != 0) {
    return std::nullopt;
  }
  return LoadedObject{reinterpret_cast<std::uintptr_t>(found.map_start),
                      reinterpret_cast<std::uintptr_t>(found.map_end),
                      reinterpret_cast<std::uintptr_t>(found.eh_frame),
                      reinterpret_cast<std::uintptr_t>(found.link_map)};
}

#else

std::optional<LoadedObject> loaded_object(std::uintptr_t) noexcept { return std::nullopt; }

#endif

std::uint64_t content_in(std::span<const std::byte, content_size> bytes) noexcept {
  constexpr std::size_t lanes = 4;  // independent, so that the CPU can overlap them
  using Words = std::array<std::uint64_t, lanes>;
  static_assert(content_size % sizeof(Words) == 0);
  Words hashes{};
  for (std::size_t at = 0; at < content_size; at += sizeof(Words)) {
    Words words;
    std::memcpy(words.data(), bytes.data() + at, sizeof words);
    for (std::size_t i = 0; i < lanes; ++i) {
      hashes[i] = (hashes[i] ^ words[i]) * 0x9e3779b97f4a7c15U;
      hashes[i] ^= hashes[i] >> 32U;
    }
  }
  std::uint64_t hash = 0;
  for (const std::uint64_t lane : hashes) hash = mixed(hash ^ lane);
  return hash;
}

std::optional<std::uint64_t> KnownWords::find(std::uint64_t key) const noexcept {
  if (kept_.empty()) return std::nullopt;
  const Kept& kept = kept_[key % kept_.size()];
  const std::uint64_t word = kept.word.load(std::memory_order_relaxed);
  if ((kept.key_and_word.load(std::memory_order_relaxed) ^ word) != key) return std::nullopt;
  return word;
}

void KnownWords::add(std::uint64_t key, std::uint64_t word) noexcept {
  if (kept_.empty()) return;
  Kept& kept = kept_[key % kept_.size()];
  kept.word.store(word, std::memory_order_relaxed);
  kept.key_and_word.store(key ^ word, std::memory_order_relaxed);
}

// .eh_frame_hdr has a sorted table of functions. Each entry has two offsets from the header: the
// offset of the function and the offset of the function's description.
UnwindRule find_rule(std::uintptr_t instruction, const LoadedObject& object,
                     process::AddressRange lasting, const OwnMemory& memory, KnownWords& known,
                     std::span<std::byte> room) noexcept {
  const Tables tables(object, lasting, memory, known);
  struct Entry {
    std::int32_t function;
    std::int32_t description;
  };
  const std::uintptr_t header = object.eh_frame_header;
  std::array<std::uint64_t, 2> first;
  if (header == 0 || !tables.read_common(header, first[0]) ||
      !tables.read_common(header + sizeof first[0], first[1])) {
    return {};
  }
  Bytes bytes(std::as_bytes(std::span(first)).data(), sizeof first, header);
  constexpr std::uint8_t usual_table = 0x3b;  // two offsets of 4 bytes, from the header
  const bool is_version_1 = bytes.byte() == 1;
  const std::uint8_t frame_encoding = bytes.byte();
  const std::uint8_t count_encoding = bytes.byte();
  const bool is_usual = bytes.byte() == usual_table;
  bytes.pointer(frame_encoding & 0x0fU);
  std::uint64_t count = bytes.pointer(count_encoding);
  if (!is_version_1 || !is_usual || bytes.has_failed() || count == 0) return {};

  std::uintptr_t table = bytes.address();
  const auto wanted = static_cast<std::int64_t>(instruction - header);
  const std::size_t most = room.size() / sizeof(Entry);
  while (count > most) {
    std::uint64_t middle = 0;
    const std::uint64_t half = count / 2;
    if (!tables.read_common(table + half * sizeof(Entry), middle)) return {};
    if (std::bit_cast<Entry>(middle).function <= wanted) {
      table += half * sizeof(Entry);
      count -= half;
    } else {
      count = half;
    }
  }
  const std::size_t size = static_cast<std::size_t>(count) * sizeof(Entry);
  if (tables.read(table, room.data(), size) != size) return {};
  const auto entry_at = [&room](std::size_t i) {
    Entry entry{};
    std::memcpy(&entry, room.data() + i * sizeof entry, sizeof entry);
    return entry;
  };
  std::size_t low = 0;
  for (auto high = static_cast<std::size_t>(count); high - low > 1;) {
    const std::size_t middle = low + (high - low) / 2;
    (entry_at(middle).function <= wanted ? low : high) = middle;
  }
  const Entry entry = entry_at(low);
  if (entry.function > wanted) return {};
  const auto description = header + static_cast<std::uintptr_t>(std::intptr_t{entry.description});
  return rule_in(description, instruction, tables, room);
}

}  // namespace lapscope::stacks
