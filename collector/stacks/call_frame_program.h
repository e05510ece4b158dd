#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "collector/stacks/dwarf_bytes.h"

// Runs the call frame instructions of .eh_frame (DWARF's "Call Frame Information") that compilers
// for x86-64 use. Keeps the rules for the CFA, rbp and the return address.
namespace lapscope::stacks {

inline constexpr std::uint64_t rbp_number = 6;  // DWARF register numbers
inline constexpr std::uint64_t rsp_number = 7;
inline constexpr std::uint64_t return_address = 16;

// The rules that result from the instructions that were run so far.
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
  std::uint8_t pointers = 0;  // encoding of pointers (DW_EH_PE_…)
  bool has_augmentation = false;
  bool is_of_signals = false;
  std::size_t instructions = 0;  // offset in the bytes that were read
  std::size_t end = 0;
};

// A DWARF expression of one of two forms. "breg6 N" is rbp + N. "breg6 N; deref" is the word at rbp
// + N. Compilers use no other forms for rbp, nor for the CFA in functions that align their stack.
struct Expression {
  bool is_known = false;
  bool is_word_at = false;
  std::int64_t offset = 0;
};
inline Expression read_expression(Bytes& from) {
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

// Runs call frame instructions up to the wanted location.
class CallFrameProgram {
 public:
  CallFrameProgram(const CommonPart& common, std::uintptr_t begin, std::uintptr_t wanted)
      : common_(common), location_(begin), wanted_(wanted) {}

  const Row& row() const { return row_; }
  void take_initial() { initial_ = row_; }

  // Returns false if an instruction is not understood.
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

  // The product can wrap around if the tables are damaged. The code that makes a rule from an
  // offset rejects large offsets.
  std::int64_t factored(std::uint64_t offset) const {
    return static_cast<std::int64_t>(offset * static_cast<std::uint64_t>(common_.data_factor));
  }
  std::int64_t signed_factored(Bytes& code) const {
    return factored(static_cast<std::uint64_t>(code.sleb()));
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
        save(number, Row::Saved::at_cfa, signed_factored(code));
        return true;
      case 0x12:  // def_cfa_sf
        number = code.uleb();
        define_cfa(number, signed_factored(code));
        return true;
      case 0x13:
        row_.cfa_offset = signed_factored(code);
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
        save(number, Row::Saved::at_cfa, factored(std::uint64_t{0} - code.uleb()));
        return true;
      default:
        return false;
    }
  }

  const CommonPart& common_;
  std::uintptr_t location_;
  const std::uintptr_t wanted_;
  Row row_;
  Row before_;   // row of the previous location
  Row initial_;  // row after the instructions of the common part
  std::array<Row, 8> kept_;
  std::size_t depth_ = 0;
};

}  // namespace lapscope::stacks
