// tests: the examples at the top of the headers of events do what they say.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include <thalweg/compose.h>
#include <thalweg/event.h>
#include <thalweg/named.h>

namespace {

using namespace std::chrono_literals;

using Session = std::vector<double>;
void on_segment(Session *session, int number, double value) { session->push_back(number * value); }

TEST(EventExamples, event) {
    Session session;
#include "event_h_1.inc"
    EXPECT_EQ(session, Session{2.0});
}

TEST(EventExamples, named) {
    Session session;
    thalweg::Event<int, double> known{"SegFromUser"};
    auto binding = known.bind<&on_segment>(&session);
#include "named_h_1.inc"
    EXPECT_EQ(session, Session{2.0});
}

TEST(EventExamples, compose) {
    thalweg::Event<> user_entered{"user"}, password_entered{"password"};
#include "compose_h_1.inc"
    int welcomed = 0;
    login.bind([&] { ++welcomed; });
    password_entered.raise();
    EXPECT_EQ(welcomed, 0);
    user_entered.raise();
    password_entered.raise();
    EXPECT_EQ(welcomed, 1);
}

}  // namespace
