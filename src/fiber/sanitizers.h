// fiber: what sanitizers must be told of a switch, where the program has some; the library need not be compiled for them.
#pragma once

#include <cstddef>

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): theirs (sanitizer/common_interface_defs.h, tsan_interface.h)
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom, size_t *size);
[[gnu::weak]] void *__tsan_get_current_fiber();
[[gnu::weak]] void *__tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void *fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void *fiber, unsigned flags);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
