# Writes a program of two languages and a static library into the current folder. It prints "C 42, C++ 43".
cat > main.cc <<'C'
#include <cstdio>
#include <vector>
extern "C" int answer(int);
int more(int);
int main() {
    std::vector<int (*)(int)> steps{answer, more};
    int value = 2;
    std::printf("C %d", value = steps[0](value));
    std::printf(", C++ %d\n", steps[1](value));
}
C
cat > answer.c <<'C'
#include "answer.h"
int answer(int x) { return x + OFFSET; }
C
echo '#define OFFSET 40' > answer.h
echo 'int more(int x) { return x + 1; }' > more.cc
expected="C 42, C++ 43"
