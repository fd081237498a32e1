// The contents of a checkpoint, named by the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/identity.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/global_address.hpp"

// A program that saves containers includes their headers.
namespace orujo::internal::containers {
template <class T>
class global_array;
template <class T>
class global_vector;
template <class K, class V, class Hash, class Equal>
class global_hash_map;
template <class K, class Hash, class Equal>
class global_hash_set;
}  // namespace orujo::internal::containers

namespace orujo::internal::checkpoint {

// One core's list of what a checkpoint holds. Every core names the same objects in the same order. They are
// saved as they are when the checkpoint is written. When it is read they exist already, and no operation on
// them is under way. All types are trivially copyable, and hold no addresses, handles or indices that depend
// on the job or on the process layout (locales x cores).
class state {
 public:
  // A value that is equal at all cores.
  template <class T>
  void add(const std::string& name, T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    values_.push_back(
        {name, nobody, [&value](std::size_t) { return bytes_of(std::span(&value, 1)); }, sizeof(T)});
  }
  // A vector that is equal at all cores, of any size.
  template <class T>
  void add(const std::string& name, std::vector<T>& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    values_.push_back({name, nobody,
                       [&value](std::size_t bytes) {
                         if (bytes != as_it_is) value.resize(bytes / sizeof(T));
                         return bytes_of(std::span<T>(value));
                       },
                       0, sizeof(T)});
  }
  // A value of one core, such as a local variable of the main task.
  template <class T>
  void add(const std::string& name, memory::global_address<T> value) {
    static_assert(std::is_trivially_copyable_v<T>);
    values_.push_back({name, value.core(),
                       [value](std::size_t) { return bytes_of(std::span(value.local(), 1)); }, sizeof(T)});
  }

  // One core's part of `count` values that are divided among all cores: `mine` are those from index `first`
  // on. After a restart the caller divides them anew; the order of indices is the caller's.
  template <class T>
  void add_part(const std::string& name, std::uint64_t count, std::uint64_t first, std::span<T> mine) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_ordered(
        name, sizeof(T), count, [=](const give_records& give) { give(first, bytes_of(mine)); },
        [=](std::uint64_t) {
          return pieces{{first, bytes_of(mine)}};
        });
  }

  // A container. An array has to have the same size after a restart.
  template <class T>
  void add(const std::string& name, containers::global_array<T> array) {
    add_part(name, array.size(), array.range_here().first, array.local());
  }
  template <class T>
  void add(const std::string& name, containers::global_vector<T> vector) {
    add_ordered(
        name, sizeof(T), any_number,
        [vector](const give_records& give) {
          vector.visit_in_order([&](std::size_t first, std::span<T> run) { give(first, bytes_of(run)); });
        },
        [vector](std::uint64_t count) {
          const index_range mine = my_part_of_job({0, count});
          return pieces{{mine.first, bytes_of(vector.replace(count, mine))}};
        });
  }
  template <class K, class V, class Hash, class Equal>
  void add(const std::string& name, containers::global_hash_map<K, V, Hash, Equal> map) {
    struct entry {
      K key;
      V value;
    };
    add_loose<entry>(
        name,
        [map](const auto& give) {
          auto& table = map.local();
          for (std::size_t slot = 0; slot < table.slots(); ++slot)
            table.visit_slot(slot, [&](const K& key, const V& value) { give(entry{key, value}); });
        },
        [map] { map.local().clear(); },
        [map](delegates::event_ref event, const entry& e) { map.async_insert(event, e.key, e.value); });
  }
  template <class K, class Hash, class Equal>
  void add(const std::string& name, containers::global_hash_set<K, Hash, Equal> set) {
    add_loose<K>(
        name,
        [set](const auto& give) {
          auto& table = set.local();
          for (std::size_t slot = 0; slot < table.slots(); ++slot)
            table.visit_slot(slot, [&](const K& key, const auto&) { give(key); });
        },
        [set] { set.local().clear(); },
        [set](delegates::event_ref event, const K& key) { set.async_insert(event, key); });
  }

  // Internal: for the code that saves and restores it (checkpoint/files.hpp).

  static constexpr core_id nobody = -1;
  static constexpr std::size_t as_it_is = ~std::size_t{0};
  static constexpr std::uint64_t any_number = ~std::uint64_t{0};
  using give_records = std::function<void(std::uint64_t first, std::span<const std::byte> records)>;
  // Where records from `first` on belong.
  using pieces = std::vector<std::pair<std::uint64_t, std::span<std::byte>>>;

  struct value_entry {
    std::string name;
    core_id owner;  // nobody: all have it
    std::function<std::span<std::byte>(std::size_t bytes)>
        at;             // at the owner, with `bytes` of the new value, or as_it_is
    std::size_t bytes;  // 0: any multiple of unit
    std::size_t unit = 1;
  };
  struct section_entry {
    std::string name;
    bool ordered;
    std::size_t record_bytes;
    std::uint64_t records;  // of ordered ones; or any_number
    // [task; suspends; collective over the job] Gives this core's records.
    std::function<void(const give_records&)> give;
    // [task; suspends; collective over the job] For ordered records: makes room for `records` of them, and
    // returns the pieces of this core.
    std::function<pieces(std::uint64_t records)> make_room;
    // For loose records. `clear`, [task], drops this core's; `take`, [task; suspends], inserts some, at
    // whichever cores they belong.
    std::function<void()> clear;
    std::function<void(delegates::event_ref, std::span<const std::byte>)> take;
  };
  const std::vector<value_entry>& values() const { return values_; }
  const std::vector<section_entry>& sections() const { return sections_; }

 private:
  template <class T>
  static std::span<std::byte> bytes_of(std::span<T> values) {
    return std::as_writable_bytes(values);
  }

  void add_ordered(const std::string& name, std::size_t record_bytes, std::uint64_t records,
                   std::function<void(const give_records&)> give,
                   std::function<pieces(std::uint64_t)> make_room) {
    sections_.push_back({name, true, record_bytes, records, std::move(give), std::move(make_room), {}, {}});
  }

  // visit(give) gives this core's records one by one.
  template <class Record, class Visit, class Clear, class Insert>
  void add_loose(const std::string& name, Visit visit, Clear clear, Insert insert) {
    static_assert(std::is_trivially_copyable_v<Record>);
    sections_.push_back({name,
                         false,
                         sizeof(Record),
                         any_number,
                         [visit](const give_records& give) {
                           std::vector<Record> some;
                           constexpr std::size_t most = (std::size_t{1} << 20) / sizeof(Record) + 1;
                           const auto flush = [&] {
                             give(0, std::as_bytes(std::span(some)));
                             some.clear();
                           };
                           visit([&](const Record& record) {
                             some.push_back(record);
                             if (some.size() == most) flush();
                           });
                           flush();
                         },
                         {},
                         clear,
                         [insert](delegates::event_ref event, std::span<const std::byte> records) {
                           for (std::size_t at = 0; at < records.size(); at += sizeof(Record)) {
                             Record record;
                             std::memcpy(&record, records.data() + at, sizeof(Record));
                             insert(event, record);
                           }
                         }});
  }

  std::vector<value_entry> values_;
  std::vector<section_entry> sections_;
};

}  // namespace orujo::internal::checkpoint
