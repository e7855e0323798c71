// flow: two events, one of each interface. In "rebind" a handler exchanges another one in mid-run, and later binds it back.
#include <cstdio>
#include <cstring>

#include <thalweg/event.h>
#include <thalweg/thalweg.h>

namespace {

constexpr int exchange_at = 100, back_at = 140, raises = 200;

thalweg::Event<int> typed{"typed"};
thalweg::Binding typed_second;
thalweg_event *plain;
thalweg_binding_id plain_second;
unsigned long digest = 1;
bool rebinds;

void note(int who, int what) { digest = (digest ^ static_cast<unsigned long>(who * 1000 + what)) * 1099511628211UL; }

void on_typed_second(int i) { note(2, i); }
void on_typed_other(int i) { note(3, i); }
void on_typed_first(int i) {
    note(1, i);
    if (!rebinds || (i != exchange_at - 1 && i != back_at - 1))
        return;
    typed_second.unbind();
    typed_second = i < back_at - 1 ? typed.bind<&on_typed_other>() : typed.bind<&on_typed_second>();
}

int number(const thalweg_value *arguments, size_t count) {
    int64_t i = 0;
    thalweg_get_integer(arguments, count, 0, &i);
    return static_cast<int>(i);
}
void on_plain_second(void *, thalweg_event *, const thalweg_value *arguments, size_t count) {
    note(12, number(arguments, count));
}
void on_plain_other(void *, thalweg_event *, const thalweg_value *arguments, size_t count) {
    note(13, number(arguments, count));
}
void on_plain_first(void *, thalweg_event *, const thalweg_value *arguments, size_t count) {
    const int i = number(arguments, count);
    note(11, i);
    if (!rebinds || (i != exchange_at - 1 && i != back_at - 1))
        return;
    thalweg_unbind(plain, plain_second);
    thalweg_bind(plain, i < back_at - 1 ? on_plain_other : on_plain_second, nullptr, 0, &plain_second);
}

[[gnu::noinline]] void raise_typed(int i) { typed.raise(i); }
[[gnu::noinline]] void raise_plain(int i) { THALWEG_RAISE(plain, thalweg_integer(i)); }

}  // namespace

int main(int count, char **words) {
    rebinds = count > 1 && std::strcmp(words[1], "rebind") == 0;
    const thalweg::Binding first = typed.bind<&on_typed_first>();
    typed_second = typed.bind<&on_typed_second>();
    thalweg_event_create(nullptr, "plain", &plain);
    thalweg_bind(plain, on_plain_first, nullptr, 0, nullptr);
    thalweg_bind(plain, on_plain_second, nullptr, 0, &plain_second);
    for (int i = 0; i < raises; ++i) {
        raise_typed(i);
        raise_plain(i);
        if (i % 20 == 19)
            std::printf("%d %lx\n", i, digest);
    }
}
