#include "system/base/binary.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>

#include "system/base/random.hpp"

namespace orujo::internal::base {

const char binary_anchor[] = "orujo";

namespace {

std::uint64_t hash_bytes(const unsigned char* bytes, std::size_t count) {
  std::uint64_t hash = count;
  for (std::size_t k = 0; k < count; ++k) hash = mix64(hash ^ bytes[k]);
  return hash;
}

// Tells the object that contains this code (a program, or the module of an interpreter) from the others.
bool has_us(const dl_phdr_info& object) {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(binary_anchor) - object.dlpi_addr;
  for (int k = 0; k < object.dlpi_phnum; ++k) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[k];
    if (segment.p_type == PT_LOAD && offset - segment.p_vaddr < segment.p_memsz) return true;
  }
  return false;
}

// Called for each loaded object. Walks the notes of the one with this code for the build id.
int find_build_id(dl_phdr_info* object, std::size_t, void* result) {
  if (!has_us(*object)) return 0;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[k];
    if (segment.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const unsigned char*>(object->dlpi_addr + segment.p_vaddr);
    const auto* end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof(note));
      const unsigned char* name = at + sizeof(note);
      const unsigned char* content = name + std::size_t{(note.n_namesz + 3) / 4} * 4;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        *static_cast<std::uint64_t*>(result) = hash_bytes(content, note.n_descsz);
        return 1;
      }
      at = content + std::size_t{(note.n_descsz + 3) / 4} * 4;
    }
  }
  return 1;
}

}  // namespace

std::uint64_t build_fingerprint() {
  std::uint64_t hash = 0;
  dl_iterate_phdr(&find_build_id, &hash);
  return hash;
}

}  // namespace orujo::internal::base
