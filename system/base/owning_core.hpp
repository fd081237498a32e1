// A check that only one core touches an object.
#pragma once

#include <string>

#include "system/base/check.hpp"
#include "system/base/thread_state.hpp"

namespace orujo::internal::base {

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
    if (me >= 0 && me != owner_) [[unlikely]] {
      misuse(std::string(what) + " of core " + std::to_string(owner_) + " is used at core " +
             std::to_string(me) +
             ": it belongs to one core. Have its owner do that, by call_task, or use a future's promise");
    }
  }
#endif

 private:
  mutable core_id owner_ = -1;
};

}  // namespace orujo::internal::base
