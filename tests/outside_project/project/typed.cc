// outside project: the typed interface, a loop and a handler of the C interface in one program.
#include <cstdio>
#include <string>

#include <thalweg/loop.h>

struct Session {
    std::string text;
    void on_segment(int number, double size) { text += std::to_string(number) + ":" + std::to_string(int(size)) + " "; }
};

static void on_segment_c(void *context, thalweg_event *event, const thalweg_value *arguments, size_t count) {
    int64_t number = 0;
    if (!thalweg_get_integer(arguments, count, 0, &number))
        return;
    *static_cast<std::string *>(context) += std::string(thalweg_event_name(event)) + " ";
}

int main() {
    thalweg::Loop loop;
    Session session;
    thalweg::Event<int, double> segment{"SegFromUser"};
    auto binding = segment.bind<&Session::on_segment>(&session, {.order = 10});
    if (thalweg_bind(thalweg_event_find("SegFromUser"), on_segment_c, &session.text, 0, nullptr) != THALWEG_OK)
        return 1;
    segment.raise(1, 2.0);
    segment.post(3, 4.0);
    loop.poll();
    binding.unbind();
    segment(5, 6.0);
    std::puts(session.text.c_str());
    return session.text == "SegFromUser 1:2 SegFromUser 3:4 SegFromUser " ? 0 : 1;
}
