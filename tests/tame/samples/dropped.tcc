// -*- mode: c++ -*-
// What tamer does with events that nobody has any more, and the rest of its small words.
#include <tamer/tamer.hh>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <map>
#include <string>

using tamer::event;

template <typename T>
class mailbox {
  public:
    tamed void take(T& where, event<bool> done);
    void put(const T& what) {
        value_ = what;
        here_ = true;
        wake_();
    }
    void close() { wake_ = tamer::event<>(); }

  private:
    T value_;
    bool here_ = false;
    event<> wake_;
};

tamed template <typename T> void mailbox<T>::take(T& where, event<bool> done) {
    if (!here_)
        twait volatile { wake_ = tamer::make_event(); }
    if (here_)
        where = value_;
    done(here_);
    here_ = false;
}

// Made in one turn: the one of the shorter delay comes first, however long it takes to make them.
tamed void row(event<> done) {
    tvars {
        int first();
        int second();
        rendezvous<int> r;
    }
    tamer::at_delay_msec(20, tamer::make_event(r, 2));
    usleep(15000);
    tamer::at_delay_msec(10, tamer::make_event(r, 1));
    twait(r, first);
    twait(r, second);
    printf("row: %d %d\n", first, second);
    done();
}

tamed void child(int n, event<> done) {
    tvars {
        // In the closure:
        int i();
        rendezvous<int> r(tamer::rvolatile);
        event<> kept;
    }
    for (; i < n; ++i)
        tamer::at_delay_msec(100 * (n - i), tamer::make_event(r, i));
    kept = tamer::make_event(r, n);
    kept = event<>();  // nobody has it: it occurs
    for (i = 0; i <= n; ++i) {
        tamed_id:
        int which;
        twait(r, which);
        printf("child: %d%c", which, i == n ? '\n' : ',');
        if (false)
            goto tamed_id;
    }
    done();
}

tamed void signalled(event<int> e) {
    twait["for a signal"] { tamer::at_signal(SIGUSR1, make_event()); }
    e.trigger(SIGUSR1);
}

tamed void forgets(event<int> e) {
    twait { tamer::at_asap(make_event()); }
    // and ends without e.trigger()
}

static int twice(int x) { return 2 * x; }

static event<> kept_for_good;
static void at_delay_once(event<> e) { kept_for_good = e; }

tamed void run() {
    tamed {
        mailbox<std::string> box;
        std::string text("nothing");
        bool here;
        int value(-1);
    }
    twait { row(make_event()); }
    twait { child(3, make_event()); }
    twait {
        box.take(text, make_event(here));
        box.put("a { letter");
    }
    printf("%s %d\n", text.c_str(), here);
    text = "still nothing";
    twait {
        box.take(text, make_event(here));
        box.close();
    }
    printf("%s %d\n", text.c_str(), here);
    twait volatile { forgets(make_event(value)); }
    printf("forgotten: %d\n", value);
    twait {
        signalled(make_event(value));
        kill(getpid(), SIGUSR1);
    }
    printf("signal: %d\n", value == SIGUSR1);
    std::map<int, event<int> > waiting;
    twait volatile {
        waiting[1] = make_event(value);
        waiting[2] = make_event(value);
        waiting[1](17);
        waiting.clear();
    }
    printf("map: %d\n", value);
    value = 0;
    twait {
        tamer::at_asap(tamer::bind(tamer::map<int>(make_event(value), twice), 21));
        at_delay_once(tamer::with_timeout_msec(20, make_event()));
    }
    printf("adapters: %d\n", value);
}

int main(int, char**) {
    tamer::initialize();
    run();
    tamer::loop();
    tamer::cleanup();
    printf("nothing more to come\n");
}
