// tests: a list of objects with virtual functions is a list of callbacks; which class an object is of is all that is tested.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = _ZN5First2onEi _ZN6Second2onEi
struct Listener {
    virtual ~Listener() = default;
    virtual void on(int) = 0;
};
struct First final : Listener {
    void on(int) override;
    int value = 0;
};
struct Second final : Listener {
    void on(int) override;
    int value = 0;
};
void First::on(int argument) { value += argument; }
void Second::on(int argument) { value -= argument; }
Listener *make_first() { return new First; }
Listener *make_second() { return new Second; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: icmp {{eq|ne}} ptr {{.*}}, getelementptr {{.*}}@_ZTV5First, {{.*}}16
// CHECK: icmp {{eq|ne}} ptr {{.*}}, getelementptr {{.*}}@_ZTV6Second, {{.*}}16
// CHECK-NOT: load ptr, ptr getelementptr
// CHECK: decision 1 applied
extern "C" [[gnu::noinline]] void raise_all(Listener **begin, Listener **end, int argument) {
    for (Listener **at = begin; at != end; ++at)
        (*at)->on(argument);
}
