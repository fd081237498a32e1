// A check that only one core touches an object.
#pragma once

#include "system/base/identity.hpp"

namespace orujo::base {

namespace detail {
[[noreturn]] void refuse_other_core(const char* what, core_id owner);
}

// A member of the object. The owner is the core that creates the object, or, for an object created elsewhere,
// the first core that touches it. Programs compiled with NDEBUG do not check it; the size is the same in all.
class owning_core {
 public:
#ifdef NDEBUG
  void require_here(const char*) const {}
#else
  owning_core() : owner_(my_identity().core) {}
  // Ends the job as misuse if another core calls it. `what` is the object, with its article.
  void require_here(const char* what) const {
    const core_id me = my_identity().core;
    if (owner_ < 0) owner_ = me;
    if (me >= 0 && me != owner_) [[unlikely]]
      detail::refuse_other_core(what, owner_);
  }
#endif

 private:
  mutable core_id owner_ = -1;
};

}  // namespace orujo::base
