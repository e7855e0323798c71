// tests: an argument that is kept in a structure and read again is known to be that argument; what was noted where it is read says
// which function it is.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize decode : load decode/0 = @memory_operations ; load get_from_memory/0 = @decode_number
// CHECK-LABEL: define {{.*}} @decode(
// CHECK: icmp eq ptr %procedure, @decode_number
// CHECK: decision 1 applied: 2 calls unfolded, 2 of them through pointers
struct call {
    int (*procedure)(int *);
    int *result;
};
struct operations {
    int (*get)(struct call *);
};

int decode_number(int *result) {
    *result += 1;
    return 1;
}
int get_from_memory(struct call *call) { return call->procedure(call->result); }
const struct operations memory_operations = {get_from_memory};

int decode(const struct operations **operations, int (*procedure)(int *), int *result) {
    struct call call = {procedure, result};
    return (*operations)->get(&call);
}
