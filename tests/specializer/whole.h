// tests: put before a program whose main takes nothing: its main becomes a function below another one, of one argument.
#ifdef __cplusplus
int tested_main();
extern "C" __attribute__((noinline)) int thalweg_test_whole(int one) { return tested_main() + (one == 0); }
#else
int tested_main();
__attribute__((noinline)) int thalweg_test_whole(int one) { return tested_main() + (one == 0); }
#endif
int main(int argc, char **argv) {
    (void)argv;
    return thalweg_test_whole(argc);
}
#define main tested_main
