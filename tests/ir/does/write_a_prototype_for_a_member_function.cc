// tests: what C has no name for is declared as what it is handed over as: a class behind a pointer as void, a reference as a pointer.
// RUN: %object %s | %check %s
// FLAGS: -g
// PLAN: 1 specialize *weigh* : argument *weigh*/1:4 = 3
// CHECK: prototype: int alone(const void *arg0, int arg1, const void *arg2, void **arg3, short arg4, void *arg5)
// CHECK: from_debug_info: True
namespace parts {
enum class Kind : short { one };
struct Part {
    int weigh(int fact, const Part &other, Part *&next, Kind kind, decltype(nullptr) nothing) const;
    int weight;
};
}  // namespace parts
void look();

int parts::Part::weigh(int fact, const Part &other, Part *&next, Kind, decltype(nullptr)) const {
    if (fact == 3)
        return other.weight;
    look();
    return next->weight;
}
