// tests: what a call gives is a fact if it is a number: a pointer stands for what it leads to. Nor is there a call of each number.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize count growth=500 : result count/0 = 0
// PLAN: 2 specialize sum growth=500 : result sum/9:4 = 0
// CHECK: decision 1 refused: no fact fits: call 0 of count gives no number that could be tested
// CHECK: decision 2 refused: no fact fits: sum has {{[0-9]+}} calls, the fact is of number 9
const char *text(int number);
int one(void);

int count(int number) {
    const char *found = text(number);
    int length = 0;
    while (found && found[length])
        length += one();
    return length;
}
int sum(int number) {
    while (number > 0)
        number -= one();
    return number;
}
