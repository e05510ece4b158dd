#include "collector/stacks/unwind_rules.h"

#include <dlfcn.h>
#include <features.h>

#include <algorithm>
#include <array>
#include <cstring>

// Reads .eh_frame_hdr and .eh_frame (the Linux Standard Base's "Exception Frames", DWARF's "Call
// Frame Information") of x86-64, as far as compilers use them. What is not understood has no rule.
namespace lapscope::stacks {
namespace {

constexpr std::uint64_t rbp_number = 6;  // DWARF's numbers of registers
constexpr std::uint64_t rsp_number = 7;
constexpr std::uint64_t return_address = 16;

// Bytes that lie in the process at `address`. A read behind their end yields 0 and makes it fail.
class Bytes {
 public:
  Bytes(const std::byte* data, std::size_t size, std::uintptr_t address)
      : data_(data), size_(size), address_(address) {}

  bool has_failed() const { return failed_; }
  bool is_at_end() const { return failed_ || at_ >= size_; }
  std::uintptr_t address() const { return address_ + at_; }
  void skip(std::uint64_t count) {
    if (count > size_ - at_) {
      failed_ = true;
      at_ = size_;
    } else {
      at_ += static_cast<std::size_t>(count);
    }
  }
  void end_after(std::uint64_t count) {
    if (count < size_ - at_) size_ = at_ + static_cast<std::size_t>(count);
  }

  template <class T>
  T get() {
    T value{};
    if (sizeof value > size_ - at_) {
      skip(size_);
      failed_ = true;
      return value;
    }
    std::memcpy(&value, data_ + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint8_t byte() { return get<std::uint8_t>(); }
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t next = byte();
      if (shift < 64) value |= static_cast<std::uint64_t>(next & 0x7fU) << shift;
      if ((next & 0x80U) == 0 || failed_) return value;
    }
  }
  std::int64_t sleb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t next = 0;
    do {
      next = byte();
      if (shift < 64) value |= static_cast<std::uint64_t>(next & 0x7fU) << shift;
      shift += 7;
    } while ((next & 0x80U) != 0 && !failed_);
    if (shift < 64 && (next & 0x40U) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }

  // A pointer in one of the encodings of .eh_frame (DW_EH_PE_…). Those relative to something else
  // than their own place are not used there.
  std::uint64_t pointer(std::uint8_t encoding) {
    const std::uintptr_t place = address();
    std::uint64_t value = 0;
    switch (encoding & 0x0fU) {
      case 0x00:
      case 0x04:
      case 0x0c:
        value = get<std::uint64_t>();
        break;
      case 0x01:
        value = uleb();
        break;
      case 0x02:
        value = get<std::uint16_t>();
        break;
      case 0x03:
        value = get<std::uint32_t>();
        break;
      case 0x09:
        value = static_cast<std::uint64_t>(sleb());
        break;
      case 0x0a:
        value = static_cast<std::uint64_t>(std::int64_t{get<std::int16_t>()});
        break;
      case 0x0b:
        value = static_cast<std::uint64_t>(std::int64_t{get<std::int32_t>()});
        break;
      default:
        failed_ = true;
    }
    switch (encoding & 0x70U) {
      case 0x00:
        return value;
      case 0x10:
        return value + place;
      default:
        failed_ = true;
        return 0;
    }
  }

 private:
  const std::byte* data_;
  std::size_t size_;
  std::uintptr_t address_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

// What a run of call frame instructions has said so far.
struct Row {
  enum class Saved : std::uint8_t { same, at_cfa, at_rbp, undefined, elsewhere };
  std::uint64_t cfa_register = 0;
  std::int64_t cfa_offset = 0;
  bool cfa_is_word_at = false;
  bool cfa_is_known = false;
  Saved rbp = Saved::same;
  std::int64_t rbp_offset = 0;
  Saved caller = Saved::same;  // the return address
  std::int64_t caller_offset = 0;
};

struct CommonPart {
  std::uint64_t code_factor = 1;
  std::int64_t data_factor = 1;
  std::uint8_t pointers = 0;  // their encoding
  bool has_augmentation = false;
  bool is_of_signals = false;
  std::size_t instructions = 0;  // where they begin, in the bytes that were read
  std::size_t end = 0;
};

// rbp + N, as "breg6 N", and the word there, as "breg6 N; deref": all that compilers make for rbp
// and for the CFA of functions that align their stack.
struct Expression {
  bool is_known = false;
  bool is_word_at = false;
  std::int64_t offset = 0;
};
Expression read_expression(Bytes& from) {
  constexpr std::uint8_t breg6 = 0x76;
  constexpr std::uint8_t deref = 0x06;
  const std::uint64_t size = from.uleb();
  Bytes body = from;
  from.skip(size);
  body.end_after(size);
  Expression result;
  if (from.has_failed() || body.byte() != breg6) return result;
  result.offset = body.sleb();
  if (!body.is_at_end()) result.is_word_at = body.byte() == deref;
  result.is_known = body.is_at_end() && !body.has_failed();
  return result;
}

class Interpreter {
 public:
  Interpreter(const CommonPart& common, std::uintptr_t begin, std::uintptr_t wanted)
      : common_(common), location_(begin), wanted_(wanted) {}

  const Row& row() const { return row_; }
  void take_initial() { initial_ = row_; }

  // False for what is not understood.
  bool run(Bytes code) {
    while (!code.is_at_end()) {
      if (!step(code)) return false;
      if (location_ > wanted_) {
        row_ = before_;
        return true;
      }
    }
    return !code.has_failed();
  }

 private:
  void advance(std::uint64_t delta) {
    before_ = row_;
    location_ += delta * common_.code_factor;
  }

  void save(std::uint64_t number, Row::Saved where, std::int64_t offset) {
    if (number == rbp_number) {
      row_.rbp = where;
      row_.rbp_offset = offset;
    } else if (number == return_address) {
      row_.caller = where;
      row_.caller_offset = offset;
    }
  }

  void restore(std::uint64_t number) {
    if (number == rbp_number) {
      row_.rbp = initial_.rbp;
      row_.rbp_offset = initial_.rbp_offset;
    } else if (number == return_address) {
      row_.caller = initial_.caller;
      row_.caller_offset = initial_.caller_offset;
    }
  }

  void define_cfa(std::uint64_t number, std::int64_t offset) {
    row_.cfa_register = number;
    row_.cfa_offset = offset;
    row_.cfa_is_word_at = false;
    row_.cfa_is_known = true;
  }

  std::int64_t factored(std::uint64_t offset) const {
    return static_cast<std::int64_t>(offset) * common_.data_factor;
  }

  bool step(Bytes& code) {
    const std::uint8_t instruction = code.byte();
    const std::uint8_t low = instruction & 0x3fU;
    switch (instruction & 0xc0U) {
      case 0x40:
        advance(low);
        return true;
      case 0x80:
        save(low, Row::Saved::at_cfa, factored(code.uleb()));
        return true;
      case 0xc0:
        restore(low);
        return true;
      default:
        return step_of_many(low, code);
    }
  }

  bool step_of_many(std::uint8_t instruction, Bytes& code) {
    std::uint64_t number = 0;
    switch (instruction) {
      case 0x00:  // nop
        return true;
      case 0x01:  // set_loc
        before_ = row_;
        location_ = code.pointer(common_.pointers);
        return true;
      case 0x02:
        advance(code.byte());
        return true;
      case 0x03:
        advance(code.get<std::uint16_t>());
        return true;
      case 0x04:
        advance(code.get<std::uint32_t>());
        return true;
      case 0x05:  // offset_extended
        number = code.uleb();
        save(number, Row::Saved::at_cfa, factored(code.uleb()));
        return true;
      case 0x06:
        restore(code.uleb());
        return true;
      case 0x07:
        save(code.uleb(), Row::Saved::undefined, 0);
        return true;
      case 0x08:
        save(code.uleb(), Row::Saved::same, 0);
        return true;
      case 0x09:  // register
        number = code.uleb();
        code.uleb();
        save(number, Row::Saved::elsewhere, 0);
        return true;
      case 0x0a:  // remember_state
        if (depth_ == kept_.size()) return false;
        kept_[depth_++] = row_;
        return true;
      case 0x0b:  // restore_state
        if (depth_ == 0) return false;
        row_ = kept_[--depth_];
        return true;
      case 0x0c:  // def_cfa
        number = code.uleb();
        define_cfa(number, static_cast<std::int64_t>(code.uleb()));
        return true;
      case 0x0d:  // def_cfa_register
        row_.cfa_register = code.uleb();
        return true;
      case 0x0e:  // def_cfa_offset
        row_.cfa_offset = static_cast<std::int64_t>(code.uleb());
        return true;
      case 0x0f: {  // def_cfa_expression
        const Expression cfa = read_expression(code);
        row_.cfa_is_known = cfa.is_known;
        row_.cfa_is_word_at = cfa.is_word_at;
        row_.cfa_register = rbp_number;
        row_.cfa_offset = cfa.offset;
        return true;
      }
      case 0x10: {  // expression
        number = code.uleb();
        const Expression place = read_expression(code);
        const bool is_plain = place.is_known && !place.is_word_at;
        save(number, is_plain ? Row::Saved::at_rbp : Row::Saved::elsewhere, place.offset);
        return true;
      }
      case 0x11:  // offset_extended_sf
        number = code.uleb();
        save(number, Row::Saved::at_cfa, code.sleb() * common_.data_factor);
        return true;
      case 0x12:  // def_cfa_sf
        number = code.uleb();
        define_cfa(number, code.sleb() * common_.data_factor);
        return true;
      case 0x13:
        row_.cfa_offset = code.sleb() * common_.data_factor;
        return true;
      case 0x14:  // val_offset
      case 0x15:
        number = code.uleb();
        code.sleb();
        save(number, Row::Saved::elsewhere, 0);
        return true;
      case 0x16:  // val_expression
        number = code.uleb();
        code.skip(code.uleb());
        save(number, Row::Saved::elsewhere, 0);
        return true;
      case 0x2e:  // GNU_args_size
        code.uleb();
        return true;
      case 0x2f:  // GNU_negative_offset_extended
        number = code.uleb();
        save(number, Row::Saved::at_cfa, -factored(code.uleb()));
        return true;
      default:
        return false;
    }
  }

  const CommonPart& common_;
  std::uintptr_t location_;
  const std::uintptr_t wanted_;
  Row row_;
  Row before_;   // as it was at the location before
  Row initial_;  // that the common part has left
  std::array<Row, 8> kept_;
  std::size_t depth_ = 0;
};

bool fits(std::int64_t offset) {
  constexpr std::int64_t most = (1 << 28) - 1;  // as kept rules have room for
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
    default:  // whatever it is: a frame further out that needs it fails to be plausible
      rule.rbp = UnwindRule::Rbp::same;
      rule.rbp_offset = 0;
      break;
  }
  rule.cfa = row.cfa_is_word_at ? UnwindRule::Cfa::at_rbp
             : is_of_rbp        ? UnwindRule::Cfa::from_rbp
                                : UnwindRule::Cfa::from_rsp;
  return rule;
}

// What all functions of a compilation share (a CIE). `bytes` begin with its length.
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

constexpr std::size_t most_of_common = 256;

UnwindRule rule_in(std::uintptr_t description, std::uintptr_t instruction, const OwnMemory& memory,
                   std::span<std::byte> room) {
  const std::span<std::byte> own = room.first(room.size() - most_of_common);
  const std::span<std::byte> shared = room.last(most_of_common);
  Bytes bytes(own.data(), memory.read(description, own.data(), own.size()), description);
  const auto length = bytes.get<std::uint32_t>();
  if (length == 0 || length == 0xffffffffU) return {};
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
  Interpreter interpreter(*common, begin, instruction);
  Bytes initial(shared.data(), std::min(size, common->end), common_at);
  initial.skip(common->instructions);
  if (!interpreter.run(initial)) return {};
  interpreter.take_initial();
  return interpreter.run(bytes) ? rule_of(interpreter.row()) : UnwindRule{};
}

}  // namespace

std::optional<LoadedObject> loaded_object(std::uintptr_t address) noexcept {
#if __GLIBC_PREREQ(2, 35) && defined(__x86_64__)
  dl_find_object found;
  if (::_dl_find_object(reinterpret_cast<void*>(address), &found) != 0) return std::nullopt;
  return LoadedObject{reinterpret_cast<std::uintptr_t>(found.dlfo_map_start),
                      reinterpret_cast<std::uintptr_t>(found.dlfo_map_end),
                      reinterpret_cast<std::uintptr_t>(found.dlfo_eh_frame),
                      reinterpret_cast<std::uintptr_t>(found.dlfo_link_map)};
#else
  static_cast<void>(address);
  return std::nullopt;
#endif
}

// The header is a sorted table of functions, each by two offsets from the header.
UnwindRule find_rule(std::uintptr_t instruction, const LoadedObject& object,
                     const OwnMemory& memory, std::span<std::byte> room) noexcept {
  struct Entry {
    std::int32_t function;
    std::int32_t description;
  };
  const std::uintptr_t header = object.eh_frame_header;
  std::array<std::byte, 16> first;
  if (header == 0 || memory.read(header, first.data(), first.size()) != first.size()) return {};
  Bytes bytes(first.data(), first.size(), header);
  constexpr std::uint8_t usual_table = 0x3b;  // pairs of 4 bytes, relative to the header
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
    Entry middle{};
    const std::uint64_t half = count / 2;
    if (!memory.read(table + half * sizeof(Entry), middle)) return {};
    if (middle.function <= wanted) {
      table += half * sizeof(Entry);
      count -= half;
    } else {
      count = half;
    }
  }
  const std::size_t size = static_cast<std::size_t>(count) * sizeof(Entry);
  if (memory.read(table, room.data(), size) != size) return {};
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
  const auto description =
      static_cast<std::uintptr_t>(static_cast<std::int64_t>(header) + entry.description);
  return rule_in(description, instruction, memory, room);
}

}  // namespace lapscope::stacks
