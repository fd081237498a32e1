// Packing: values that are more than their own bytes become bytes, which travel beside a closure and back.
//
// A value can be packed that is one of these.
// - trivially copyable, and neither a pointer nor a view (std::span, std::string_view) of this process's
//   memory;
// - a std::string, or a container of values that can be packed (std::vector, deque, list, map, set, the
//   unordered ones, and others with their interface);
// - a std::optional, pair, tuple or array of such values;
// - of a class with a member that is called to write it and to read it again, as those of cereal and YGM are:
//     template <class Archive> void serialize(Archive& archive) { archive(name, ids); }
// Reading a value first default-constructs it. Packing costs a copy of the bytes, and 8 bytes for each size.
// Contiguous containers of trivially copyable elements are copied as a whole, others element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/check.hpp"

namespace orujo::internal::messages {

class packer;

namespace detail {

template <class T>
concept plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_member_pointer_v<T> &&
                !std::is_null_pointer_v<T> && !std::ranges::view<T>;

template <class T>
concept serializes_itself = requires(T& value, packer& archive) {
  value.serialize(archive);
};

template <class T>
concept optional_like = requires(T& value) {
  value.has_value();
  value.reset();
  value.emplace();
};

// For a map the keys are not const.
template <class C>
struct element_of {
  using type = typename C::value_type;
};
template <class C>
  requires requires { typename C::mapped_type; }
struct element_of<C> {
  using type = std::pair<typename C::key_type, typename C::mapped_type>;
};

template <class C>
concept container = !std::ranges::view<C> && std::ranges::sized_range<C> &&
                    requires(C & all, typename element_of<C>::type one) {
  all.insert(all.end(), std::move(one));
};

template <class C>
concept container_in_one_piece = container<C> && std::ranges::contiguous_range<C> &&
    plain<typename C::value_type> && requires(C& all) {
  all.resize(std::size_t{});
};

template <class T>
concept tuple_like = requires {
  std::tuple_size<T>::value;
};

template <class T>
constexpr bool packs() {
  if constexpr (serializes_itself<T>) {
    return true;
  } else if constexpr (optional_like<T>) {
    return packs<typename T::value_type>();
  } else if constexpr (container<T>) {
    return packs<typename element_of<T>::type>();
  } else if constexpr (tuple_like<T>) {  // also a plain one, such as a tuple of pointers
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return (packs<std::remove_const_t<std::tuple_element_t<K, T>>>() && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    return plain<T>;
  }
}

}  // namespace detail

template <class T>
concept can_pack = std::is_default_constructible_v<T> && detail::packs<T>();

// Does for values what messenger.hpp's check_travels does for closures.
template <class T>
constexpr void check_packs() {
  static_assert(
      can_pack<T>,
      "this value cannot travel to another core: it is to be trivially copyable, a string, a "
      "container, optional, pair or tuple of values that can, or of a class with a member "
      "`template <class Archive> void serialize(Archive& archive) { archive(...); }`, and to have a "
      "default constructor; pointers and views (std::span, std::string_view, string literals) mean "
      "nothing in another process");
}

// The Archive that writes values.
class packer {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (check_packs<T>(), ...);
    (add(values), ...);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void add_bytes(const void* from, std::size_t bytes) {
    const auto* const first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + bytes);
  }
  template <class T>
  void add(const T& value) {
    if constexpr (detail::plain<T>) {
      if constexpr (!std::is_empty_v<T>) add_bytes(&value, sizeof(value));
    } else if constexpr (detail::serializes_itself<T>) {
      const_cast<T&>(value).serialize(*this);  // one member serves both directions; it changes nothing here
    } else if constexpr (detail::optional_like<T>) {
      add(value.has_value());
      if (value.has_value()) add(*value);
    } else if constexpr (detail::container<T>) {
      add(std::uint64_t{value.size()});
      if constexpr (detail::container_in_one_piece<T>) {
        if (!value.empty())
          add_bytes(std::ranges::data(value), value.size() * sizeof(*std::ranges::data(value)));
      } else {
        for (const typename T::value_type& one : value) add(one);
      }
    } else if constexpr (detail::tuple_like<T>) {
      std::apply([&](const auto&... parts) { (add(parts), ...); }, value);
    }
  }

  std::vector<std::byte> bytes_;
};

// The Archive that reads them.
class unpacker {
 public:
  explicit unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  void require_end() const { require(rest_.empty(), differs); }

 private:
  static constexpr const char* differs =
      "a member serialize reads something else than it has written: it is to go over the same members, with "
      "the same types, both ways";

  void get_bytes(void* to, std::size_t bytes) {
    require(bytes <= rest_.size(), differs);
    if (bytes) std::memcpy(to, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
  }
  // Reads the number of elements, each of which takes at least bytes_of_one.
  std::size_t get_size(std::size_t bytes_of_one) {
    std::uint64_t size = 0;
    get(size);
    require(bytes_of_one == 0 || size <= rest_.size() / bytes_of_one, differs);
    return size;
  }
  template <class T>
  void get(T& value) {
    if constexpr (detail::plain<T>) {
      if constexpr (!std::is_empty_v<T>)
        get_bytes(&value, sizeof(value));  // its byte may be another's in a tuple
    } else if constexpr (detail::serializes_itself<T>) {
      value.serialize(*this);
    } else if constexpr (detail::optional_like<T>) {
      std::uint8_t has_value = 0;
      get(has_value);
      require(has_value <= 1, differs);
      value.reset();
      if (has_value) get(value.emplace());
    } else if constexpr (detail::container_in_one_piece<T>) {
      value.resize(get_size(sizeof(typename T::value_type)));
      get_bytes(std::ranges::data(value), value.size() * sizeof(typename T::value_type));
    } else if constexpr (detail::container<T>) {
      value.clear();
      for (std::size_t missing = get_size(0); missing > 0; --missing) {
        typename detail::element_of<T>::type one{};
        get(one);
        value.insert(value.end(), std::move(one));
      }
    } else {
      std::apply([&](auto&... parts) { (get(parts), ...); }, value);
    }
  }

  std::span<const std::byte> rest_;
};

template <class... T>
std::vector<std::byte> pack(const T&... values) {
  packer archive;
  archive(values...);
  return archive.take();
}
template <class T>
T unpack(std::span<const std::byte> bytes) {
  T value{};
  unpacker archive(bytes);
  archive(value);
  archive.require_end();
  return value;
}

}  // namespace orujo::internal::messages
