// tests: a function that stands in the tables of two classes does not tell which of them was recorded: it is tested itself.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = _ZN5First2onEi
struct Listener {
    virtual ~Listener() = default;
    virtual void on(int) = 0;
};
struct First : Listener {
    void on(int) override;
    int value = 0;
};
struct Derived : First {
    ~Derived() override { value = 7; }
};
void First::on(int argument) { value += argument; }
Listener *make_first() { return new First; }
Listener *make_derived() { return new Derived; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: @_ZTV
// CHECK: icmp {{eq|ne}} ptr {{.*}}, @_ZN5First2onEi
// CHECK-NOT: @_ZTV
// CHECK: {{^}}}
extern "C" [[gnu::noinline]] void raise_all(Listener **begin, Listener **end, int argument) {
    for (Listener **at = begin; at != end; ++at)
        (*at)->on(argument);
}
