// One end of a transfer (transfers.hpp), as the post office and the transport handle it.
#pragma once

#include <cstddef>

#include "system/messages/inbox.hpp"
#include "system/messages/mailbox.hpp"
#include "system/transport/transport.hpp"

namespace orujo::internal::messages {

// It lives from its start until its end has been reported to the core that started it.
struct transfer : transport::parcel {
  static constexpr std::size_t closure_bytes = 80;

  // Any thread of this locale with the post office's lock: the transport has finished with it.
  void end() {
    inbox* const core = started_by;
    ended->push(this);  // may be gone at once
    core->ring();
  }

  transfer* next = nullptr;
  inbox* started_by = nullptr;
  mailbox<transfer>* ended = nullptr;  // of that core
  bool receives = false;
  void (*run_closure)(const std::byte* closure) = nullptr;
  alignas(8) std::byte closure[closure_bytes];
};

}  // namespace orujo::internal::messages
