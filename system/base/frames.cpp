#include "system/base/frames.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace orujo::internal::base {
namespace {

// Names of the program's own functions. dladdr finds only exported ones, and no lambdas or unnamed
// namespaces.
class program_symbols {
 public:
  struct function {
    std::uintptr_t first, size;
    const char* name;
  };

  program_symbols() {
    dl_iterate_phdr(
        [](dl_phdr_info* program, std::size_t, void* base) {
          *static_cast<std::uintptr_t*>(base) = program->dlpi_addr;
          return 1;  // the program comes first
        },
        &base_);
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (file < 0) return;
    if (fstat(file, &about) == 0) {
      // Stays mapped: the names are in it.
      void* image = mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (image != MAP_FAILED) read(static_cast<const char*>(image));
    }
    close(file);
  }

  const function* find(std::uintptr_t code) const {
    const std::uintptr_t offset = code - base_;
    auto after = std::upper_bound(functions_.begin(), functions_.end(), offset,
                                  [](std::uintptr_t value, const function& f) { return value < f.first; });
    if (after == functions_.begin()) return nullptr;
    const function& candidate = *--after;
    return offset - candidate.first < candidate.size ? &candidate : nullptr;
  }
  std::uintptr_t base() const { return base_; }

 private:
  void read(const char* image) {
    const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(image);
    const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(image + header.e_shoff);
    for (int k = 0; k < header.e_shnum; ++k) {
      if (sections[k].sh_type != SHT_SYMTAB) continue;
      const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(image + sections[k].sh_offset);
      const char* names = image + sections[sections[k].sh_link].sh_offset;
      for (std::size_t s = 0; s < sections[k].sh_size / sizeof(*symbols); ++s) {
        if ((symbols[s].st_info & 0xf) != STT_FUNC || symbols[s].st_size == 0) continue;
        functions_.push_back({symbols[s].st_value, symbols[s].st_size, names + symbols[s].st_name});
      }
    }
    std::sort(functions_.begin(), functions_.end(),
              [](const function& a, const function& b) { return a.first < b.first; });
  }

  std::uintptr_t base_ = 0;
  std::vector<function> functions_;
};

// The object that this function was linked into: the program, or a module of Python.
struct loaded_code {
  std::uintptr_t base = 0, first = 0, last = 0;

  loaded_code() {
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* found) {
          const auto me = reinterpret_cast<std::uintptr_t>(&offset_in_program);
          for (int k = 0; k < object->dlpi_phnum; ++k) {
            const auto& part = object->dlpi_phdr[k];
            const std::uintptr_t first = object->dlpi_addr + part.p_vaddr;
            if (part.p_type != PT_LOAD || me - first >= part.p_memsz) continue;
            auto& into = *static_cast<loaded_code*>(found);
            into.base = object->dlpi_addr;
            into.first = first;
            into.last = first + part.p_memsz;
            return 1;
          }
          return 0;
        },
        this);
  }
};

std::string readable(const char* name) {
  constexpr std::size_t longest = 150;
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name, nullptr, nullptr, &failed),
                                                     &std::free);
  std::string text = failed ? name : plain.get();
  if (text.size() > longest) text.replace(longest, std::string::npos, "...");
  return text;
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
__attribute__((no_sanitize("address")))
#endif
std::size_t
unwind(const void* code, const void* frame, const void* bottom, const void* top,
       std::span<const void*> into) {
  std::size_t found = 0;
  auto at = reinterpret_cast<std::uintptr_t>(frame);
  const auto lowest = reinterpret_cast<std::uintptr_t>(bottom), end = reinterpret_cast<std::uintptr_t>(top);
  while (code && found < into.size()) {
    into[found++] = code;
    // A frame: the caller's frame pointer, the return address.
    if (at < lowest || at + 2 * sizeof(void*) > end || at % sizeof(void*) != 0) break;
    const auto* words = reinterpret_cast<const std::uintptr_t*>(at);
    code =
        reinterpret_cast<const void*>(words[1]);  // NOLINT(clang-analyzer-core.NullDereference): at >= lowest
    at = words[0] > at ? words[0] : 0;            // the caller's frame lies higher
  }
  return found;
}

std::size_t unwind(const ucontext_t& interrupted, const void* bottom, const void* top,
                   std::span<const void*> into) {
  const void *code = nullptr, *frame = nullptr;
#if defined(__x86_64__)
  code = reinterpret_cast<const void*>(interrupted.uc_mcontext.gregs[REG_RIP]);
  frame = reinterpret_cast<const void*>(interrupted.uc_mcontext.gregs[REG_RBP]);
#elif defined(__aarch64__)
  code = reinterpret_cast<const void*>(interrupted.uc_mcontext.pc);
  frame = reinterpret_cast<const void*>(interrupted.uc_mcontext.regs[29]);
#endif
  return unwind(code, frame, bottom, top, into);
}

std::uintptr_t offset_in_program(const void* code) {
  static const loaded_code ours;
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  return address - ours.first < ours.last - ours.first ? address - ours.base : 0;
}

std::string describe_code(const void* code) {
  static const program_symbols& program = *new program_symbols;
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  if (const auto* f = program.find(address)) {
    return fmt::format("{}+{:#x}", readable(f->name), address - program.base() - f->first);
  }
  Dl_info about;
  if (!dladdr(code, &about) || !about.dli_fname) return fmt::format("{:#x}", address);
  if (about.dli_sname) {
    return fmt::format("{}+{:#x}", readable(about.dli_sname),
                       address - reinterpret_cast<std::uintptr_t>(about.dli_saddr));
  }
  return fmt::format("{}+{:#x}", about.dli_fname,
                     address - reinterpret_cast<std::uintptr_t>(about.dli_fbase));
}

}  // namespace orujo::internal::base
