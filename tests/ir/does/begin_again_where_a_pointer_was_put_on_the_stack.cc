// tests: what an iteration reads behind the store of its argument, it reads again when it begins again, whatever the types are; so for a structure
// that is copied.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_pointer/0 = *add*_M_invoke* *subtract*_M_invoke*
// PLAN: 2 merge raise_structure/0 = *first*_M_invoke* *second*_M_invoke*
#include <functional>
#include <vector>

struct Message {
    long kind, length, parts[6];
};

void add(std::vector<std::function<void(Message *)>> &list, long *count) {
    list.push_back([count](Message *message) { *count += message->length; });
}
void subtract(std::vector<std::function<void(Message *)>> &list, long *count) {
    list.push_back([count](Message *message) { *count -= message->length; });
}
void first(std::vector<std::function<void(Message)>> &list, long *count) {
    list.push_back([count](Message message) { *count += message.parts[2]; });
}
void second(std::vector<std::function<void(Message)>> &list, long *count) {
    list.push_back([count](Message message) { *count -= message.parts[3]; });
}

// CHECK-LABEL: define {{.*}}void @raise_pointer(
// CHECK: call i1 @thalweg.same
extern "C" [[gnu::noinline]] void raise_pointer(const std::vector<std::function<void(Message *)>> &list,
                                                Message *message) {
    for (const auto &one : list)
        one(message);
}

// CHECK-LABEL: define {{.*}}void @raise_structure(
// CHECK: decision 1 applied
// CHECK: decision 2 applied
extern "C" [[gnu::noinline]] void raise_structure(const std::vector<std::function<void(Message)>> &list,
                                                  const Message &message) {
    for (const auto &one : list)
        one(message);
}
