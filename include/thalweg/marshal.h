// thalweg: how an argument of a typed event looks through the C interface. Users include event.h.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <thalweg/thalweg.h>

namespace thalweg::detail {

// Types that have no marshalled form: an event with one is raised and bound through the typed interface alone.
template <class T, class = void>
struct MarshalValue {
    static constexpr thalweg_type type = THALWEG_NOTHING;
    static constexpr bool possible = false;
};

template <class T>
struct MarshalValue<T, std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>>> {
    static constexpr thalweg_type type = THALWEG_INTEGER;
    static constexpr bool possible = true;
    static thalweg_value to(T value) { return thalweg_integer(static_cast<int64_t>(value)); }
    static T from(const thalweg_value &value) { return static_cast<T>(value.as.integer); }
    static thalweg_status check(const thalweg_value &value) {
        if (value.type != THALWEG_INTEGER)
            return THALWEG_WRONG_TYPE;
        // A 64-bit unsigned number travels as the signed one of the same bits.
        if constexpr (sizeof(T) < sizeof(int64_t)) {
            using Number =
                typename std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>, std::type_identity<T>>::type;
            if (value.as.integer < static_cast<int64_t>(std::numeric_limits<Number>::min()))
                return THALWEG_OUT_OF_RANGE;
            if (value.as.integer > static_cast<int64_t>(std::numeric_limits<Number>::max()))
                return THALWEG_OUT_OF_RANGE;
        }
        return THALWEG_OK;
    }
};

template <class T>
struct MarshalValue<T, std::enable_if_t<std::is_floating_point_v<T>>> {
    static constexpr thalweg_type type = THALWEG_REAL;
    static constexpr bool possible = true;
    static thalweg_value to(T value) { return thalweg_real(static_cast<double>(value)); }
    static T from(const thalweg_value &value) { return static_cast<T>(value.as.real); }
    static thalweg_status check(const thalweg_value &value) {
        return value.type == THALWEG_REAL ? THALWEG_OK : THALWEG_WRONG_TYPE;
    }
};

template <class T>
struct MarshalValue<T *, std::enable_if_t<std::is_object_v<T> || std::is_void_v<T>>> {
    static constexpr thalweg_type type = THALWEG_POINTER;
    static constexpr bool possible = true;
    static thalweg_value to(T *value) { return thalweg_pointer(value); }
    static T *from(const thalweg_value &value) { return static_cast<T *>(value.as.pointer); }
    static thalweg_status check(const thalweg_value &value) {
        return value.type == THALWEG_POINTER ? THALWEG_OK : THALWEG_WRONG_TYPE;
    }
};

template <>
struct MarshalValue<const char *, void> {
    static constexpr thalweg_type type = THALWEG_TEXT;
    static constexpr bool possible = true;
    static thalweg_value to(const char *value) { return thalweg_text(value); }
    static const char *from(const thalweg_value &value) { return value.as.text; }
    static thalweg_status check(const thalweg_value &value) {
        return value.type == THALWEG_TEXT ? THALWEG_OK : THALWEG_WRONG_TYPE;
    }
};

template <>
struct MarshalValue<std::string, void> {
    static constexpr thalweg_type type = THALWEG_TEXT;
    static constexpr bool possible = true;
    static thalweg_value to(const std::string &value) { return thalweg_text(value.c_str()); }
    static std::string from(const thalweg_value &value) { return value.as.text; }
    static thalweg_status check(const thalweg_value &value) {
        if (value.type != THALWEG_TEXT)
            return THALWEG_WRONG_TYPE;
        return value.as.text ? THALWEG_OK : THALWEG_NULL_POINTER;
    }
};

// What a handler could change for the raiser has no marshalled form.
template <class T>
struct Marshal : MarshalValue<std::remove_cvref_t<T>> {
    static constexpr bool possible = MarshalValue<std::remove_cvref_t<T>>::possible &&
                                     (!std::is_reference_v<T> || std::is_const_v<std::remove_reference_t<T>>);
};

template <class T>
inline constexpr thalweg_type marshalled_type = Marshal<T>::possible ? Marshal<T>::type : THALWEG_NOTHING;

}  // namespace thalweg::detail
