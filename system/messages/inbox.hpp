// The inbox of a core, where other threads put blocks for it, and its own blocks once they are handled.
#pragma once

#include <chrono>

#include "system/messages/block.hpp"
#include "system/messages/mailbox.hpp"
#include "system/node/alarms.hpp"

namespace orujo::internal::messages {

// A core's inbox, and its bell. The core empties it; other threads fill it and wake the core.
class inbox final : public block_home {
 public:
  inbox(node::alarms of_locale, int core_of_locale) : alarms_(of_locale), core_of_locale_(core_of_locale) {}

  // The number of the core within its locale.
  int core_of_locale() const { return core_of_locale_; }

  // Any thread of this locale: wakes the core if it sleeps, after publishing something for it.
  void ring() { alarms_.ring(core_of_locale_); }
  // Any thread of this locale: hands over a block for the core.
  void deliver(block* b) {
    arrived.push(b);
    ring();
  }
  // Any thread of this locale: a block that the core has made may be reused.
  void give_back(block* b) override {
    returned.push(b);
    ring();
  }
  // The core: sleeps for at most `most`, unless holds().
  template <class Holds>
  void sleep(std::chrono::nanoseconds most, const Holds& holds) {
    alarms_.sleep(core_of_locale_, most, holds);
  }

  mailbox<block> arrived, returned;  // the core takes them out

 private:
  node::alarms alarms_;
  const int core_of_locale_;
};

}  // namespace orujo::internal::messages
