// tests: a program that asks for one small block and gives it back.
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    void *block = malloc((size_t)count);
    if (write(1, block, 0) != 0)
        return 1;
    free(block);
    return 0;
}
