// Delegates that take and return values of any size: strings, containers, classes with a member serialize.
#include "system/delegates/packed.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "system/containers/global_array.hpp"
#include "system/delegates/future.hpp"
#include "system/loops/forall.hpp"
#include "system/messages/transfers.hpp"

namespace orujo::internal::delegates {
namespace {

struct person {
  std::string name;
  std::vector<std::uint32_t> friends;
  bool operator==(const person&) const = default;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, friends);
  }
};

// In a message, in several, in a transfer, in two.
constexpr std::size_t sizes[] = {0, 1, 3000, 5000, 20'000, messages::transfers::most_bytes + 100};

std::string text_of(std::size_t size) {
  std::string text(size, 'x');
  for (std::size_t k = 0; k < size; k += 97) text[k] = static_cast<char>('a' + k % 26);
  return text;
}

TEST(packed, calls_take_and_return_values_of_any_size) {
  for (core_id c = 0; c < cores(); ++c) {
    for (std::size_t size : sizes) {
      const std::string text = text_of(size);
      const auto twice = [](int number, const std::string& given) {
        return std::pair<int, std::string>(number + my_core(), given + given);
      };
      EXPECT_EQ(call(c, twice, 1, text), std::pair(1 + c, text + text));
      EXPECT_EQ(call(
                    c, [](std::string given) { return given.size(); }, text),
                size);
      EXPECT_EQ(call(c, [size] { return text_of(size); }), text);  // without values
    }
  }
}

TEST(packed, classes_with_a_member_serialize_travel) {
  const person mine{"Ada", {1, 2, 3}};
  const std::map<std::string, person> all{{"a", mine}, {"b", {"Bob", {}}}};
  const auto find = [](const std::map<std::string, person>& from, const std::string& key) {
    return from.at(key);
  };
  EXPECT_EQ(call(cores() - 1, find, all, std::string("a")), mine);
  EXPECT_EQ(call_task(cores() - 1, find, all, std::string("b")).name, "Bob");
}

TEST(packed, tasks_elsewhere_may_suspend) {
  for (std::size_t size : sizes) {
    const auto wait_there = [](std::string&& given) {
      tasks::yield();
      return call((my_core() + 1) % cores(), [](const std::string& text) { return text; }, given);
    };
    EXPECT_EQ(call_task(cores() - 1, wait_there, text_of(size)), text_of(size));
  }
}

TEST(packed, events_count_what_takes_values) {
  const auto bytes = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
  std::uint64_t expected = 0;
  finish([&](event_ref event) {
    for (std::size_t size : sizes) {
      for (core_id c = 0; c < cores(); ++c) {
        const auto count = [mine = bytes[static_cast<std::size_t>(c)]](const std::string& text) {
          *mine.local() += text.size();
        };
        async_call(event, c, count, text_of(size));
        async_spawn(event, c, count, text_of(size));
      }
      expected += 2 * size;
    }
  });
  for (std::size_t c = 0; c < bytes.size(); ++c) EXPECT_EQ(read(bytes[c]), expected);
  bytes.destroy();
}

// More large ones than may be under way, sent by tasks and by handlers.
TEST(packed, objects_at_an_address_take_values) {
  const auto texts = containers::global_array<std::string>::create(static_cast<std::size_t>(cores()));
  completion_event done;
  for (std::size_t c = 0; c < texts.size(); ++c) {
    const std::string name = "core " + std::to_string(c);
    write(texts[c], name);
    const auto append = [](std::string& text, const std::string& more, int n) {
      text += more + std::to_string(n);
      return text.size();
    };
    EXPECT_EQ(call(texts[c], append, std::string(", "), 7), name.size() + 3);
    async_call(done, texts[c], append, std::string(5000, '.'), 8);
    done.wait();
    EXPECT_EQ(read(texts[c]), name + ", 7" + std::string(5000, '.') + "8");
  }
  texts.destroy();
}

TEST(packed, floods_of_large_values_arrive) {
  constexpr int each = 50;
  const auto sums = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
  const auto add = [sums](const std::vector<std::uint64_t>& values) { sums.local()[0] += values.back(); };
  finish([&](event_ref event) {
    loops::on_all_cores([event, add] {
      const core_id next = (my_core() + 1) % cores();
      for (int k = 0; k < each; ++k) async_call(event, next, add, std::vector<std::uint64_t>(5000, 1));
      for (int k = 0; k < each; ++k) {
        async_call(event, next, [event, add] {
          async_call(event, (my_core() + 1) % cores(), add, std::vector<std::uint64_t>(5000, 1));
        });
      }
    });
  });
  for (std::size_t c = 0; c < sums.size(); ++c) EXPECT_EQ(read(sums[c]), 2 * each);
  sums.destroy();
}

TEST(packed, futures_bring_values) {
  for (std::size_t size : sizes) {
    auto there = async_call(
        cores() - 1, [](std::size_t n) { return text_of(n); }, size);
    auto done = async_call(
        cores() - 1, [](const std::string&) {}, text_of(size));
    EXPECT_EQ(there.get(), text_of(size));
    done.get();
    future<std::string> promised;
    completion_event kept;
    async_spawn(kept, cores() - 1,
                [promise = promised.make_promise(), size] { promise.keep(text_of(size)); });
    EXPECT_EQ(promised.get(), text_of(size));
    kept.wait();
  }
}

TEST(packed, go_to_all_cores) {
  for (std::size_t size : {std::size_t{3}, std::size_t{20'000}}) {
    const auto found = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
    loops::on_all_cores(
        [found](const std::string& text) {
          tasks::yield();
          found.local()[0] = text.size();
        },
        text_of(size));
    for (std::size_t c = 0; c < found.size(); ++c) EXPECT_EQ(read(found[c]), size);
    found.destroy();
  }
}

}  // namespace
}  // namespace orujo::internal::delegates
