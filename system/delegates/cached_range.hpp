// A task's own copy of a range of global memory, for bulk data that is read, or rewritten, many times.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "system/delegates/bulk.hpp"

namespace orujo::delegates {

enum class access { read_only, read_write, write_only };

// One task uses it, on whose stack it lies.
//
//   cached_range<access::read_only, A> row(address, n);
//   row.start_acquire();                   // may do something else meanwhile
//   for (double x : row.acquire()) ...
//
// Copy and memory are not kept coherent. Between acquire and release writes of others may or may not be
// visible, and they see this task's writes after release (the incoherent caches of Grappa). A range that is
// consecutive in this core's own memory is not copied.
template <access Mode, memory::address A>
class cached_range {
  using value = memory::value_of<A>;
  static_assert(std::is_trivially_copyable_v<value>, "cached ranges copy bytes");
  static_assert(Mode == access::read_only || !std::is_const_v<typename A::value_type>,
                "a range of constants is cached read_only");

 public:
  using element = std::conditional_t<Mode == access::read_only, const value, value>;

  // No messages yet.
  cached_range(A first, std::size_t n) : first_(first), size_(n) {
    const memory::byte_range range(first, n);
    if (range.strips() != 1) return;
    const memory::strip only = range.strip_at(0);
    if (only.core == my_core()) in_place_ = reinterpret_cast<value*>(only.at);
  }
  cached_range(const cached_range&) = delete;
  // [task; suspends where there is something to write back]
  ~cached_range() {
    release();
    fetched_.wait();
  }

  std::size_t size() const { return size_; }

  // [task] Begins to fetch; returns at once. Nothing if it has begun.
  void start_acquire() {
    if (state_ != state::released) return;
    state_ = state::asked;
    if (in_place_) return;
    if (!copy_) copy_ = std::make_unique_for_overwrite<value[]>(size_);
    if constexpr (Mode != access::write_only) {
      fetched_.add();
      tasks::spawn([this] {
        written_.wait();
        get(first_, std::span(copy_.get(), size_));
        fetched_.complete();
      });
    }
  }
  // [task; suspends until it is here] The elements of a write_only range are unspecified, and the task must
  // write all of them.
  std::span<element> acquire() {
    start_acquire();
    fetched_.wait();
    written_.wait();
    if (in_place_) detail::catch_up();
    state_ = state::held;
    return {in_place_ ? in_place_ : copy_.get(), size_};
  }

  // [task] Begins to write back what was acquired for writing; the span is not to be used any more.
  void start_release() {
    const bool may_be_changed = Mode != access::read_only && state_ == state::held;
    state_ = state::released;
    if constexpr (Mode != access::read_only) {
      if (!may_be_changed || in_place_) return;
      written_.add();
      tasks::spawn([this] {
        put(first_, std::span<const value>(copy_.get(), size_));
        written_.complete();
      });
    }
  }
  // [task; suspends] Writes back and waits until others can read it. The range can be acquired again, and is
  // fetched again.
  void release() {
    start_release();
    written_.wait();
  }

 private:
  enum class state { released, asked, held };

  const A first_;
  const std::size_t size_;
  value* in_place_ = nullptr;
  std::unique_ptr<value[]> copy_;
  state state_ = state::released;
  tasks::join_counter fetched_{0, "a cached range to be fetched"},
      written_{0, "a cached range to be written"};
};

// cache<access::read_only>(address, n).
template <access Mode, memory::address A>
cached_range<Mode, A> cache(A first, std::size_t n) {
  return cached_range<Mode, A>(first, n);
}

}  // namespace orujo::delegates
