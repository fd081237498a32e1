// The objects that each core has under a handle that all cores know (containers/symmetric.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "system/base/identity.hpp"

namespace orujo::internal::memory {

// One core's copies, by handle.
class symmetric_heap {
 public:
  static constexpr base::core_part part = base::core_part::symmetric_heap;
  // The calling core's heap.
  static symmetric_heap& here() { return base::part_of_this_core<symmetric_heap>(); }

  // A new number, which no other core takes. Its low bits are its slot: those of one core follow each other,
  // and those of different cores begin far apart.
  std::uint64_t take_number(core_id me) {
    const std::uint64_t maker = static_cast<std::uint64_t>(me);
    return maker << 40 | ((++last_number_ + maker * 0x9E3779B1) & ((std::uint64_t{1} << 40) - 1));
  }
  void put(std::uint64_t number, std::shared_ptr<void> object) {
    const auto [kept, is_new] = objects_.try_emplace(number);
    kept->second.swap(object);  // what is replaced goes last
    if (!is_new) {
      table_[place_taken_by(number)].object = kept->second.get();
    } else if (4 * ++used_ > mask_ + 1) {
      rebuild();
    } else {
      enter(number, kept->second.get());
    }
  }
  // Null if there is none. Changes nothing, so that a loop need look a handle up but once.
  void* find(std::uint64_t number) const {
    const entry& first = table_[number & mask_];
    if (first.number == number) [[likely]]
      return first.object;
    return find_behind(number);
  }
  // False if there is none.
  bool erase(std::uint64_t number) {
    const auto kept = objects_.find(number);
    if (kept == objects_.end()) return false;
    const std::shared_ptr<void> goes_last = std::move(kept->second);
    objects_.erase(kept);
    table_[place_taken_by(number)] = {erased, nullptr};
    return true;
  }

 private:
  struct entry {
    std::uint64_t number = 0;  // 0: none
    void* object = nullptr;
  };
  static constexpr std::uint64_t erased = ~std::uint64_t{0};

  std::size_t next(std::size_t at) const { return (at + 1) & mask_; }
  [[gnu::noinline, gnu::pure]] void* find_behind(std::uint64_t number) const {
    std::size_t at = number & mask_;
    while (table_[at].number != number && table_[at].number != 0) at = next(at);
    return table_[at].number == number ? table_[at].object : nullptr;
  }
  // The table slot of a number that is in it.
  std::size_t place_taken_by(std::uint64_t number) const {
    std::size_t at = number & mask_;
    while (table_[at].number != number) at = next(at);
    return at;
  }
  void enter(std::uint64_t number, void* object) {
    std::size_t at = number & mask_;
    while (table_[at].number != 0) at = next(at);
    table_[at] = {number, object};
  }
  void rebuild() {
    std::size_t places = 64;
    while (places < 8 * objects_.size()) places *= 2;
    table_ = std::make_unique<entry[]>(places);
    mask_ = places - 1;
    used_ = objects_.size();
    for (const auto& [number, object] : objects_) enter(number, object.get());
  }

  std::uint64_t last_number_ = 0;
  std::unique_ptr<entry[]> table_ = std::make_unique<entry[]>(64);  // open addressing
  std::size_t mask_ = 63;                                           // a power of two of slots, less 1
  std::size_t used_ = 0;                                            // of the table, with what has been erased
  std::unordered_map<std::uint64_t, std::shared_ptr<void>> objects_;
};

}  // namespace orujo::internal::memory
