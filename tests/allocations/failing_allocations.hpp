// Memory that runs out at a chosen moment: this program has an operator new and a malloc of its own, which
// count what the calling thread asks for, and refuse the one that is to fail.
#pragma once

namespace orujo::allocations {

// Who asks: operator new, or what C libraries ask malloc and the like for, too. The sanitizers have a malloc
// of their own: with them only operator new counts.
enum class asking { by_new, any };

// What the calling thread asks for while one of these lives.
class watch {
 public:
  // The k-th, from 1 on, is refused; none for 0.
  explicit watch(asking counted, long refused = 0);
  ~watch();
  watch(const watch&) = delete;

  long asked() const;
  // Those that it got and has not given back; nothing of before may be given back. 0 under the sanitizers,
  // which look for leaks themselves.
  long kept() const;
};

}  // namespace orujo::allocations
