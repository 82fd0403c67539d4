// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What kernels use of the standard library, for NVRTC, which brings none of it: every header of the library
// that a kernel file names is this one. Its functions are the device's (-default-device).

namespace std {

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long; // as on the hosts that there are; atomics take long long
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned;
using uint64_t = unsigned long;
using uintptr_t = unsigned long;

template <class T, T Value>
struct integral_constant {
  using value_type = T;
  static constexpr T value = Value;
  constexpr operator T() const { return Value; }
  constexpr T operator()() const { return Value; }
};
template <bool Value>
using bool_constant = integral_constant<bool, Value>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class T, T... Values>
struct integer_sequence {};

template <bool Which, class A, class B>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool Which, class A, class B>
using conditional_t = typename conditional<Which, A, B>::type;

template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;

template <class T>
struct remove_const {
  using type = T;
};
template <class T>
struct remove_const<const T> {
  using type = T;
};
template <class T>
using remove_const_t = typename remove_const<T>::type;
template <class T>
struct remove_reference {
  using type = T;
};
template <class T>
struct remove_reference<T&> {
  using type = T;
};
template <class T>
struct remove_reference<T&&> {
  using type = T;
};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;
template <class T>
using remove_cvref_t = remove_const_t<remove_reference_t<T>>;

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class T>
inline constexpr bool is_same_v<T, T> = true;
template <class T>
inline constexpr bool is_const_v = false;
template <class T>
inline constexpr bool is_const_v<const T> = true;

template <class T>
constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
constexpr const T& clamp(const T& value, const T& low, const T& high) {
  return value < low ? low : high < value ? high : value;
}
template <class T>
constexpr T abs(T value) {
  return value < 0 ? -value : value;
}
template <class T>
constexpr void swap(T& a, T& b) {
  const T was = a;
  a = b;
  b = was;
}

template <class T>
struct numeric_limits;
template <>
struct numeric_limits<float> {
  static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000u); }
};
template <>
struct numeric_limits<double> {
  static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ull); }
};

template <class T, size_t N>
struct array {
  constexpr T& operator[](size_t i) { return values[i]; }
  constexpr const T& operator[](size_t i) const { return values[i]; }
  static constexpr size_t size() { return N; }

  T values[N];
};

/// How many bits the value needs.
template <class T>
constexpr int bit_width(T value) {
  int bits = 0;
  for (; value != 0; value >>= 1)
    ++bits;
  return bits;
}
/// The least power of two that is not below the value.
template <class T>
constexpr T bit_ceil(T value) {
  return value <= 1 ? T{1} : T{1} << bit_width(static_cast<T>(value - 1));
}

} // namespace std

using std::size_t;

#ifndef offsetof
#define offsetof(type, member) (static_cast<std::size_t>(__INTADDR__(&((static_cast<type*>(0))->member))))
#endif
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
