// runtime: which variables lie on a part of the running stack.
#pragma once

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): AddressSanitizer's, where the program has it (asan_interface.h)
[[gnu::weak]] void *__asan_get_current_fake_stack();
[[gnu::weak]] void *__asan_addr_is_in_fake_stack(void *fake_stack, void *address, void **begin, void **end);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace thalweg::runtime {

struct RunningStack {
    const void *low, *high;

    bool has(const void *variable) const {
        if (!variable)
            return false;
        if (__asan_get_current_fake_stack) {
            // It keeps a function's variables elsewhere, and knows where on the stack they belong.
            const void *own = __asan_addr_is_in_fake_stack(__asan_get_current_fake_stack(),
                                                           const_cast<void *>(variable), nullptr, nullptr);
            if (own)
                variable = own;
        }
        return variable >= low && variable < high;
    }
};

}  // namespace thalweg::runtime
