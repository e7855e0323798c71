// tests: lines that several threads print into one stream stay whole, and a stream that the program locks itself is not locked.
// RUN: %run %s | %check %s
// PLAN: 1 expand line/0
// PLAN: 2 expand line/1
// PLAN: 3 expand line/2
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: ; the same
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define THREADS 4
#define LINES 5000
static FILE *file;
__attribute__((noinline)) static void line(int thread, int number) {
    fprintf(file, "thread %d prints line %05d\n", thread, number);
    fputs("a whole text\n", file);
    putc('\n', file);
}
static void *print(void *thread) {
    for (int i = 0; i < LINES; ++i)
        line((int)(long)thread, i);
    return NULL;
}
static void check(const char *name) {
    char text[100];
    int thread, number, lines = 0, texts = 0, empty = 0, others = 0, next[THREADS + 1] = {0};
    FILE *read = fopen(name, "r");
    while (fgets(text, sizeof text, read))
        if (sscanf(text, "thread %d prints line %d", &thread, &number) == 2 && strlen(text) == 28 && thread <= THREADS)
            lines += number == next[thread]++;
        else if (strcmp(text, "a whole text\n") == 0)
            ++texts;
        else if (strcmp(text, "\n") == 0)
            ++empty;
        else
            ++others;
    fclose(read);
    printf("%d %d %d %d\n", lines, texts, empty, others);
}
int main(void) {
    char name[] = "/tmp/print_beside_threads.XXXXXX";
    close(mkstemp(name));
    pthread_t threads[THREADS];
    file = fopen(name, "w");
    for (long i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, print, (void *)i);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    fclose(file);
    check(name);
    file = fopen(name, "w");
    __fsetlocking(file, FSETLOCKING_BYCALLER);
    flockfile(file);
    pthread_create(&threads[0], NULL, print, (void *)0);
    pthread_join(threads[0], NULL);
    funlockfile(file);
    fclose(file);
    check(name);
    unlink(name);
    return 0;
}
