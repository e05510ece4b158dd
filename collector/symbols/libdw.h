#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>

// The few functions of elfutils' libdw that resolve addresses. It is loaded while the program runs
// and never linked: its licence is another one, and without it lapscope works all the same. Its own
// headers are not needed either: what is declared here has been its ABI since 0.160 (2014).
namespace lapscope::symbols::dw {

struct Dwfl;
struct Module;
struct Line;
struct Files;
struct Elf;

using Address = std::uint64_t;

struct Die {
  void* address;
  void* unit;
  void* abbreviation;
  long padding;
};

struct Attribute {
  unsigned int code;
  unsigned int form;
  unsigned char* value;
  void* unit;
};

using FindElf = int (*)(Module*, void**, const char*, Address, char**, Elf**);
using FindDebugInfo = int (*)(Module*, void**, const char*, Address, const char*, const char*,
                              Elf32_Word, char**);
using SectionAddress = int (*)(Module*, void**, const char*, Address, const char*, Elf32_Word,
                               const Elf64_Shdr*, Address*);

struct Callbacks {
  FindElf find_elf;
  FindDebugInfo find_debuginfo;
  SectionAddress section_address;
  char** debuginfo_path;
};

// Of DWARF: dwarf.h.
inline constexpr int tag_inlined_subroutine = 0x1d;
inline constexpr int tag_subprogram = 0x2e;
inline constexpr int tag_class = 0x02;
inline constexpr int tag_structure = 0x13;
inline constexpr int tag_namespace = 0x39;
inline constexpr unsigned int at_abstract_origin = 0x31;
inline constexpr unsigned int at_specification = 0x47;
inline constexpr unsigned int at_call_file = 0x58;
inline constexpr unsigned int at_call_line = 0x59;
inline constexpr unsigned int at_linkage_name = 0x6e;

struct Libdw {
  Dwfl* (*begin)(const Callbacks*);
  void (*end)(Dwfl*);
  void (*report_begin)(Dwfl*);
  int (*report_end)(Dwfl*, int (*removed)(Module*, void*, const char*, Address, void*), void*);
  Module* (*report_elf)(Dwfl*, const char* name, const char* file, int fd, Address base,
                        bool add_p_vaddr);
  Die* (*module_addrdie)(Module*, Address, Address* bias);
  Line* (*module_getsrc)(Module*, Address);
  const char* (*module_addrinfo)(Module*, Address, Address* offset, Elf64_Sym*, Elf32_Word*, Elf**,
                                 Address* bias);
  const char* (*lineinfo)(Line*, Address*, int* line, int* column, std::uint64_t*, std::uint64_t*);
  const char* (*line_comp_dir)(Line*);
  FindElf build_id_find_elf;
  FindDebugInfo standard_find_debuginfo;
  SectionAddress offline_section_address;
  int (*getscopes)(Die* unit, Address, Die** scopes);
  int (*getscopes_die)(Die*, Die** scopes);
  int (*tag)(Die*);
  const char* (*diename)(Die*);
  Attribute* (*attr)(Die*, unsigned int name, Attribute*);
  Attribute* (*attr_integrate)(Die*, unsigned int name, Attribute*);
  const char* (*formstring)(Attribute*);
  int (*formudata)(Attribute*, std::uint64_t*);
  Die* (*formref_die)(Attribute*, Die*);
  int (*getsrcfiles)(Die* unit, Files**, std::size_t* count);
  const char* (*filesrc)(Files*, std::size_t, std::uint64_t*, std::uint64_t*);

  // Null when the machine has none, or one that lacks a function.
  static const Libdw* get();
};

}  // namespace lapscope::symbols::dw
