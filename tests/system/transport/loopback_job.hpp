// Locales of a loopback transport, and parcels that say where they belong.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "system/transport/loopback.hpp"

namespace orujo::internal::transport::test_loopback {

inline constexpr std::uint32_t buffer_bytes = 256;

// The content of a parcel of the tests, followed by `filling` bytes of the same number.
struct content {
  std::uint64_t sequence;
  std::uint64_t filling;
};

struct buffer : parcel {
  std::vector<std::byte> storage = std::vector<std::byte>(buffer_bytes);
  bool with_transport = false;
  buffer() {
    data = storage.data();
    capacity = buffer_bytes;
  }
};

// One locale's end and its buffers. Checks that the parcels of every sender arrive whole and in order.
class post final : public listener {
 public:
  explicit post(transport& link) : link_(link), next_from_(static_cast<std::size_t>(link.locales())) {}

  void send(int to, std::uint64_t sequence, std::uint64_t filling) {
    buffer& b = take();
    const content c{sequence, filling};
    std::memcpy(b.data, &c, sizeof(c));
    std::memset(b.data + sizeof(c), static_cast<int>(sequence & 0xff), filling);
    b.bytes = static_cast<std::uint32_t>(sizeof(c) + filling);
    b.peer = to;
    ++sends_;
    link_.send(b);
  }
  void provide() { link_.provide(take()); }
  bool poll() { return link_.poll(*this); }

  std::uint64_t arrived() const { return arrived_; }
  std::uint64_t sends_not_reported() const { return sends_; }
  // Hands every buffer back to the transport at once when it has been filled.
  bool provides_again = false;

 private:
  buffer& take() {
    if (free_.empty()) free_.push_back(all_.emplace_back(std::make_unique<buffer>()).get());
    buffer& b = *free_.back();
    free_.pop_back();
    EXPECT_FALSE(std::exchange(b.with_transport, true));
    return b;
  }
  void give_back(parcel& p) {
    buffer& b = static_cast<buffer&>(p);
    EXPECT_TRUE(std::exchange(b.with_transport, false));
    std::memset(b.data, 0xee, buffer_bytes);  // nobody may still need it
    free_.push_back(&b);
  }
  void sent(parcel& done) override {
    --sends_;
    give_back(done);
  }
  void received(parcel& full) override {
    content c;
    std::memcpy(&c, full.data, sizeof(c));
    ASSERT_LT(static_cast<std::size_t>(full.peer), next_from_.size());
    EXPECT_EQ(c.sequence, next_from_[static_cast<std::size_t>(full.peer)]++) << "from locale " << full.peer;
    EXPECT_EQ(full.bytes, sizeof(c) + c.filling);
    for (std::uint32_t k = sizeof(c); k < full.bytes; ++k) {
      ASSERT_EQ(full.data[k], static_cast<std::byte>(c.sequence & 0xff));
    }
    ++arrived_;
    give_back(full);
    if (provides_again) provide();
  }

  transport& link_;
  std::vector<std::uint64_t> next_from_;  // by sender
  std::vector<std::unique_ptr<buffer>> all_;
  std::vector<buffer*> free_;
  std::uint64_t arrived_ = 0;
  std::uint64_t sends_ = 0;  // not yet reported
};

struct job {
  explicit job(int locales, std::uint64_t chaos_seed = 0) : links(make_loopback(locales, {chaos_seed})) {
    for (auto& link : links) posts.push_back(std::make_unique<post>(*link));
  }
  std::vector<std::unique_ptr<transport>> links;
  std::vector<std::unique_ptr<post>> posts;
};

}  // namespace orujo::internal::transport::test_loopback
