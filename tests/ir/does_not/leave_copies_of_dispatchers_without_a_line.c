// tests: each caller had its own copy of a small dispatcher when the program was recorded. Where no line is made, none is left.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize --instructions %s | %check %s
// PLAN: 1 merge one/0 = hello
// PLAN: 2 merge two/0 = hello hello
// CHECK-LABEL: define {{.*}} @one(
// CHECK: call void @each(
// CHECK-LABEL: define {{.*}} @two(
// CHECK: call void @each(
// CHECK-LABEL: define {{.*}} @three(
// CHECK: call void @each(
// CHECK-NOT: thalweg
// CHECK: ; decision 1 refused: its iterations do not all ask whether the list ends
// CHECK: ; decision 2 refused: its iterations do not all ask whether the list ends
// CHECK: ; 0 instructions more
struct list {
    int count;
    int seen;
    void (*functions[8])(int);
};

void tell(int value);
void hello(int value) { tell(value); }

void each(struct list *list, int value) {
    for (int i = 0;; ++i) {
        if (list->seen != 0) {
            tell(i);
            if (i == list->count)
                break;
        }
        list->functions[i](value);
    }
}

void one(struct list *list) { each(list, 1); }
void two(struct list *list) { each(list, 2); }
void three(struct list *list) { each(list, 3); }
