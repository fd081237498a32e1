// A task's own copy of a range of global memory, for bulk data that is read, or rewritten, many times.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "system/delegates/bulk.hpp"

namespace orujo::internal::delegates {

// What a task does with a cached range: read it, read and change it, or overwrite all of it.
enum class access { read_only, read_write, write_only };

// A task's own copy of n consecutive elements of global memory, for data that it reads or rewrites many
// times. One task uses it, on whose stack it lies:
//
//   cached_range<access::read_only, A> row(address, n);
//   row.start_acquire();                   // may do something else meanwhile
//   for (double x : row.acquire()) ...
//
// The copy is not coherent with the memory, like the caches of Grappa. Between acquire and release the task
// may or may not see writes of other tasks. Other tasks see its writes after release. A range that is
// consecutive in the calling core's own memory is used in place, without a copy.
template <access Mode, memory::address A>
class cached_range {
  using value = memory::value_of<A>;
  static_assert(std::is_trivially_copyable_v<value>, "cached ranges copy bytes");
  static_assert(Mode == access::read_only || !std::is_const_v<typename A::value_type>,
                "a range of constants is cached read_only");

 public:
  using element = std::conditional_t<Mode == access::read_only, const value, value>;

  // Names the range. Sends no message.
  cached_range(A first, std::size_t n) : first_(first), size_(n) {
    detail::check_range<A>();
    const memory::byte_range range(first, n);
    if (range.strips() != 1) return;
    const memory::strip only = range.strip_at(0);
    if (only.core == my_core()) in_place_ = reinterpret_cast<value*>(only.at);
  }
  cached_range(const cached_range&) = delete;
  // [task; suspends] Releases the range, and waits until changes are written back.
  ~cached_range() {
    release();
    fetched_.wait();
  }

  // The number of elements.
  std::size_t size() const { return size_; }

  // [task] Begins to fetch the elements, and returns at once. Has no effect while a fetch is under way.
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
  // [task; suspends] Returns the elements when they have arrived. Those of a write_only range are
  // unspecified, and the caller writes all of them.
  std::span<element> acquire() {
    start_acquire();
    fetched_.wait();
    written_.wait();
    if (in_place_) detail::catch_up();
    state_ = state::held;
    return {in_place_ ? in_place_ : copy_.get(), size_};
  }

  // [task] Begins to write back a range acquired for writing. The span must not be used afterwards.
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
  // [task; suspends] As start_release(), and waits until the elements are written, so that other tasks read
  // them. The range can be acquired again, which fetches it again.
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

}  // namespace orujo::internal::delegates
