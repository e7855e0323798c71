// tests: an interpreter of a constant program becomes the program: no instruction is fetched, none is looked up.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize filter : argument filter/0 = @program
// CHECK-LABEL: define {{.*}} @filter(
// CHECK: icmp eq ptr %program, @program
// CHECK-NEXT: br i1 {{.*}}, label %[[PROGRAM:[a-z0-9]+]], label
// CHECK: [[PROGRAM]]:
// CHECK-NEXT: {{%.*}} = icmp ugt i32 %value, 5
// CHECK: ret i32 7
// CHECK: decision 1 applied
struct instruction {
    int code, taken, otherwise, value;
};
enum { GREATER, HALVE, RETURN };

const struct instruction program[] = {
    {GREATER, 1, 2, 5}, {HALVE, 0, 0, 0}, {GREATER, 0, 1, 100}, {RETURN, 0, 0, 7}, {RETURN, 0, 0, 9},
};

int filter(const struct instruction *program, unsigned value) {
    for (;; ++program)
        switch (program->code) {
        case GREATER:
            program += value > (unsigned)program->value ? program->taken : program->otherwise;
            break;
        case HALVE:
            value /= 2;
            break;
        default:
            return program->value;
        }
}

int run(unsigned value) { return filter(program, value); }
