// tests: a function that a structure begins with is no coroutine because of that, nor is one that nobody could let go on again.
// RUN: %probe %s | %check %s --implicit-check-not="call i32 @thalweg_probe_go_on"
#include <cstdlib>

// CHECK: define {{.*}}@{{.*}}make
struct Object {
    void (*run)(Object *);
    void (*end)(Object *);
    int state;
};

static void run(Object *object) { object->state = object->state == 1 ? 2 : 3; }
static void end(Object *object) { std::free(object); }

Object *make() {
    auto *object = static_cast<Object *>(std::malloc(sizeof(Object)));
    *object = {run, end, 0};
    return object;
}
