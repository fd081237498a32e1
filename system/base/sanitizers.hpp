// The sanitizer that this source is compiled for, as g++ and clang tell it.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ORUJO_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ORUJO_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define ORUJO_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ORUJO_THREAD_SANITIZER 1
#endif
#endif
