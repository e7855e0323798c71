// tame: each construct of Tame, what becomes of it and what is refused.
#include "tame/translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace thalweg::tame;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Translation translation_of(std::string_view text, Syntax syntax, bool line_directives = false,
                           bool goes_on_later = true) {
    Options options;
    options.goes_on_later = goes_on_later;
    options.file = "a.T";
    options.syntax = syntax;
    options.line_directives = line_directives;
    Names names;
    add_names(text, names);
    return translate(text, options, names);
}

// Without the lines that declare names: every input here begins with the same #include.
std::string translated(const std::string &text, Syntax syntax = Syntax::sfslite) {
    const Translation translation = translation_of("#include \"tame.h\"\n//\n" + text, syntax);
    EXPECT_THAT(translation.refusals, IsEmpty()) << translation.refusals.front().reason;
    return translation.text.substr(translation.text.find("//\n") + 3);
}

std::vector<std::string> refusals(const std::string &text, Syntax syntax = Syntax::sfslite) {
    std::vector<std::string> result;
    for (const Refusal &refusal : translation_of(text, syntax).refusals)
        result.push_back(std::to_string(refusal.line) + ": " + refusal.reason);
    return result;
}

// ---- functions ----

TEST(Function, ReturnsTamed) {
    EXPECT_EQ(translated("tamed static void f (int x) { g (); return; }"),
              "static tamed<> f (int x) { g (); co_return; }");
    EXPECT_EQ(translated("tamed void A::B<int>::f(event<> e);"), "tamed<> A::B<int>::f(event<> e);");
    EXPECT_EQ(translated("static tamed f() { return; }", Syntax::paper), "static tamed<> f() { co_return; }");
    EXPECT_EQ(translated("TAMED void f (int x);"), "tamed<> f (int x);");
    EXPECT_EQ(translated("TAME(static void f (int x)) { return; }"), "static tamed<> f (int x) { co_return; }");
    EXPECT_EQ(translated("tamed inline virtual void f() const { return; }", Syntax::tamer),
              "inline virtual tamed<> f() const { co_return; }");
    EXPECT_EQ(
        translated("tamed template <typename T, class A = std::map<int, T>> void f(T x) { return; }", Syntax::tamer),
        "template <typename T, class A = std::map<int, T>> tamed<> f(T x) { co_return; }");
    EXPECT_EQ(translated("template <typename T> tamed f(event<T> &e) { return; }", Syntax::paper),
              "template <typename T> tamed<> f(event<T> &e) { co_return; }");
}

TEST(Function, ThatDoesNotBlockIsACoroutineAllTheSame) {
    EXPECT_EQ(translated("tamed void f () {\n    g ();\n}\n"), "tamed<> f () {\n    g ();\n    co_return;\n}\n");
    EXPECT_EQ(translated("tamed void f () { g (); }"), "tamed<> f () { g (); co_return; }");
    EXPECT_THAT(translated("tamed void f () { twait (r); }"), Not(HasSubstr("co_return")));
}

TEST(Function, LeavesOtherFunctionsAsTheyAre) {
    EXPECT_EQ(translated("int f () { return 1; } // tamed void\nchar c = '}';"),
              "int f () { return 1; } // tamed void\nchar c = '}';");
}

TEST(Function, ReturnsFromItselfAndNotFromALambda) {
    EXPECT_EQ(translated("tamed void f () { g ([&] (int x) -> int { return x; }); int a[] = {b[1]}; return; }"),
              "tamed<> f () { g ([&] (int x) -> int { return x; }); int a[] = {b[1]}; co_return; }");
    EXPECT_EQ(translated("tamed void f () { struct s { int g () { return 1; } }; return; }"),
              "tamed<> f () { struct s { int g () { return 1; } }; co_return; }");
}

TEST(Function, ThatReturnsAValueIsRefused) {
    EXPECT_THAT(refusals("\ntamed int f () { return 1; }"),
                ElementsAre(HasSubstr("2: a tamed function that returns 'int'")));
    EXPECT_THAT(refusals("tamed void f (int n, ...) { return; }"), ElementsAre(HasSubstr("variable number")));
    EXPECT_THAT(refusals("tamed void f () { DEFAULT_RETURN { return 0; } }"), ElementsAre(HasSubstr("DEFAULT_RETURN")));
}

TEST(Function, LetsNoExceptionOut) {
    EXPECT_THAT(refusals("tamed void f () { if (x) {\n throw 1; } }"),
                ElementsAre(HasSubstr("2: an exception that leaves")));
    EXPECT_THAT(refusals("tamed void f () { try { if (x) { throw 1; } } catch (int) { } g ([] { throw 2; }); }"),
                IsEmpty());
    EXPECT_THAT(refusals("void f () { throw 1; } tamed void g () { return; }"), IsEmpty());
}

TEST(Function, OfTheFirstVersionsIsRefused) {
    EXPECT_THAT(refusals("tamed void f () { NONBLOCK (r) { g (); } }"), ElementsAre(HasSubstr("NONBLOCK")));
    EXPECT_THAT(refusals("tamed void f () { return; } enum { JOIN };"), IsEmpty());
}

TEST(Function, LosesItsClosure) {
    EXPECT_EQ(translated("struct a { virtual void f (size_t i, evv_t e, CLOSURE) = 0; void g (CLOSURE); };"),
              "struct a { virtual tamed<> f (size_t i, event<> e) = 0; tamed<> g (); };");
    EXPECT_EQ(translated("tamed void f (int i, CLOSURE);"), "tamed<> f (int i);");
    EXPECT_THAT(refusals("typedef int CLOSURE_t;\nvoid f (int i, CLOSURE) { g (i); }"),
                ElementsAre(HasSubstr("2: a function that takes CLOSURE")));
    EXPECT_THAT(refusals("typedef callback<void, ptr<closure_t> > c; void f (CLOSURE);"),
                ElementsAre(HasSubstr("closure_t")));
}

// ---- waits ----

TEST(Wait, ForAnyGivesItsIds) {
    EXPECT_EQ(translated("tamed void f () { twait (r); }"), "tamed<> f () { co_await r; }");
    EXPECT_EQ(translated("tamed void f () { twait (r, i); }"), "tamed<> f () { i = co_await r; }");
    EXPECT_EQ(translated("tamed void f () { twait(r, i, j); }"), "tamed<> f () { std::tie(i, j) = co_await r; }");
    EXPECT_EQ(translated("tamed void f () { if (x) WAIT (*p->r); }"), "tamed<> f () { if (x) co_await *p->r; }");
    EXPECT_EQ(translated("tamed void f () { twait (a ? r : s); }"), "tamed<> f () { co_await (a ? r : s); }");
}

TEST(Wait, ForAllIsAGather) {
    EXPECT_EQ(translated("tamed void f () { twait { g (mkevent (), mkevent (x)); } }"),
              "tamed<> f () { { gather all; g (mkevent (all), mkevent (all, x)); co_await all; } }");
    EXPECT_EQ(translated("tamed void f () {\n  twait {\n    g (mkevent ());  // so\n  }\n}\n"),
              "tamed<> f () {\n  {\n    gather all;\n    g (mkevent (all));  // so\n    co_await all;\n  }\n}\n");
    EXPECT_EQ(
        translated("tamed void f () { BLOCK { g (@(x), @()); } g (@[r, 1](x)); }"),
        "tamed<> f () { { gather all; g (mkevent(all, x), mkevent(all)); co_await all; } g (mkevent(r, 1, x)); }");
}

TEST(Wait, EndsWhatItDeclaresBeforeItBlocks) {
    EXPECT_EQ(translated("tamed void f () { twait { event<> e = mkevent (); g (e); } }"),
              "tamed<> f () { { gather all; { event<> e = mkevent (all); g (e); } co_await all; } }");
    for (const char *declares : {"int i;", "auto x = y;", "std::string s (a);", "lock l;", "foo *p = q;"})
        EXPECT_THAT(translated("tamed void f () { twait { g (mkevent ()); " + std::string(declares) + " } }"),
                    HasSubstr("{ gather all; {"));
    for (const char *other : {"x = y;", "a.b->c (d);", "for (int i = 0; i < n; i++) g ();", "{ int i; }", "*p = q;",
                              "out << x;", "x[i] = mkevent (y);", "if (a) g (); else h ();"})
        EXPECT_THAT(translated("tamed void f () { twait { g (mkevent ()); " + std::string(other) + " } }"),
                    Not(HasSubstr("{ gather all; {")))
            << other;
}

TEST(Wait, TakesANameThatTheFileDoesNotHold) {
    EXPECT_THAT(translated("int all; tamed void f () { twait { g (mkevent ()); } }"),
                HasSubstr("gather all_events; g (mkevent (all_events)); co_await all_events;"));
}

TEST(Wait, MayBeVolatileAndHaveADescription) {
    EXPECT_EQ(translated("tamed void f() { twait volatile { g(make_event()); } twait[\"so\"] { g(make_event()); } }",
                         Syntax::tamer),
              "tamed<> f() { { silent<gather> all; g(mkevent(all)); co_await all; } "
              "/* \"so\" */ { lenient<gather> all; g(mkevent(all)); co_await all; } }");
}

TEST(Wait, HasNoDescriptionThatWouldEndItsComment) {
    EXPECT_THAT(refusals("tamed void f () { twait[\"a */ b\"] { g (mkevent ()); } }").size(), 1);
}

TEST(Wait, IsNotLeftInTheMiddle) {
    for (const char *leaves : {"return;", "break;", "continue;", "goto out;", "switch (x) { case 1: continue; }"})
        EXPECT_THAT(
            refusals("tamed void f () { for (;;)\n twait { g (mkevent ()); " + std::string(leaves) + " } }").size(), 1)
            << leaves;
    for (const char *stays : {"for (;;) break;", "while (x) { if (y) continue; }", "switch (x) { case 1: break; }",
                              "do { break; } while (0);", "h ([] { return 1; });"})
        EXPECT_THAT(refusals("tamed void f () { for (;;)\n twait { g (mkevent ()); " + std::string(stays) + " } }"),
                    IsEmpty())
            << stays;
}

TEST(Wait, StandsInATamedFunctionOnly) {
    EXPECT_THAT(refusals("void f () {\n twait { g (mkevent ()); } }"),
                ElementsAre(HasSubstr("2: a wait in a function that is not tamed"), HasSubstr("without a rendezvous")));
    EXPECT_THAT(refusals("tamed void f () { g ([&] { twait (r); }); }"), ElementsAre(HasSubstr("in a lambda")));
    EXPECT_THAT(refusals("tamed void f () { twait { twait (r); } }"), ElementsAre(HasSubstr("inside twait{}")));
}

// ---- variables ----

TEST(Variables, BecomeTheFunctionsOwn) {
    EXPECT_EQ(translated("tamed void f () {\n  tvars {\n    int i (0), j (); // so\n    foo x[3];\n  }\n  return;\n}"),
              "tamed<> f () {\n  int i (0), j{}; // so\n  foo x[3];\n  co_return;\n}");
    EXPECT_EQ(translated("tamed f() { tvars { int i(0); rendezvous<> r; } return; }", Syntax::paper),
              "tamed<> f() { int i(0); rendezvous<> r; co_return; }");
    EXPECT_EQ(
        translated(
            "tamed void f () { VARS { rendezvous_t<bool> rv (__FILE__, __LINE__); holdvar ptr<a> h (p); } return; }"),
        "tamed<> f () { rendezvous<bool> rv; [[maybe_unused]] ptr<a> h (p); co_return; }");
    EXPECT_EQ(translated("tamed void f() { tamed { int i; rendezvous<> r; rendezvous<int> s(tamer::rvolatile), "
                         "t(rvolatile); }; return; }",
                         Syntax::tamer),
              "tamed<> f() { int i; lenient<rendezvous<>> r; silent<rendezvous<int>> s, t; co_return; }");
}

TEST(Variables, DeclareNoFunctions) {
    EXPECT_EQ(translated("tamed void f () { tvars { str s (t ()); str u (p.t ()); } return; }"),
              "tamed<> f () { str s ((t ())); str u (p.t ()); co_return; }");
}

TEST(Variables, AreMadeOnceAndWhereTheyStand) {
    EXPECT_THAT(refusals("tamed void f () { for (;;) { tvars { int i; } } }"),
                ElementsAre(HasSubstr("within a block")));
    EXPECT_THAT(refusals("tamed void f () { tvars { int i; } tvars { int j; } }"), ElementsAre(HasSubstr("a second")));
    EXPECT_THAT(refusals("tamed void f () { twait (r); tvars { int j; } }"), ElementsAre(HasSubstr("behind a wait")));
    EXPECT_THAT(refusals("tamed void f () { g (); tvars { int j; } }"), ElementsAre(HasSubstr("before tvars{}")));
    EXPECT_THAT(refusals("tamed void f () { static const char *s = \"(\"; char *c, *d = NULL; tvars { int j; } }"),
                IsEmpty());
}

// ---- events ----

TEST(Event, IsMadeOnItsRendezvous) {
    EXPECT_EQ(
        translated("tamed void f () { tvars { rendezvous_t<int> r; } twait { g (mkevent (r, 1), mkevent (x)); } }"),
        "tamed<> f () { rendezvous<int> r; { gather all; g (mkevent (r, 1), mkevent (all, x)); co_await all; } }");
    EXPECT_EQ(translated("void f() { e = tamer::make_event(r); }", Syntax::tamer), "void f() { e = mkevent(r); }");
    EXPECT_THAT(refusals("tamed void f () { g (mkevent ()); }"), ElementsAre(HasSubstr("without a rendezvous")));
}

TEST(Event, DoesNotFillWhatIsGone) {
    const std::string member = "struct a { rendezvous_t<int> _r; };";
    EXPECT_THAT(refusals(member + "\ntamed void a::f () { tvars { int i; } g (mkevent (_r, 1, i)); }"),
                ElementsAre(HasSubstr("2: the slot 'i' ends with the function, and the rendezvous '_r' may not")));
    EXPECT_THAT(refusals("tamed void f () { tvars { int i; } g (mkevent (_r, i)); }"),
                ElementsAre(HasSubstr("name the file")));
    for (const char *call : {"mkevent (_r, i)", "mkevent (_r, 1, _m)", "mkevent (_r, 1, *p)", "mkevent (_r, 1, q->x)",
                             "mkevent (_r, i, t)"})
        EXPECT_THAT(refusals(member + "tamed void a::f (int *p, foo *q, int &t) { tvars { int i; } g (" +
                             std::string(call) + "); }"),
                    IsEmpty())
            << call;
}

TEST(Event, IsTriggeredInOneWay) {
    EXPECT_EQ(translated("tamed void f (cbb e) { TRIGGER (e, true); return; }"),
              "tamed<> f (event<bool> e) { e.trigger(true); co_return; }");
    EXPECT_EQ(translated("void f () { SIGNAL (*e); TRIGGER (a->b, 1, x); }"),
              "void f () { (*e).trigger(); a->b.trigger(1, x); }");
    EXPECT_EQ(translated("tamed void f (evi_t::ptr e) { (*e) (1); e->trigger (2); return; }"),
              "tamed<> f (event<int> e) { e (1); e->trigger (2); co_return; }");
}

TEST(Event, IsNotedWhereSfslitesOrderDiffers) {
    const auto notes = [](const std::string &body, Syntax syntax = Syntax::sfslite) {
        return translation_of("tamed void f (evv_t e, bool x) { " + body + " }", syntax).notes.size();
    };
    for (const char *last :
         {"e->trigger ();", "TRIGGER (e); return;", "if (x) { e->trigger (); return; } twait (r); e->trigger ();",
          "if (x) e->trigger (); else g ();", "{ SIGNAL (e); }"})
        EXPECT_EQ(notes(last), 0u) << last;
    for (const char *earlier :
         {"e->trigger (); g ();", "TRIGGER (e); twait (r);", "while (x) { e->trigger (); }", "SIGNAL (e); g ();"})
        EXPECT_EQ(notes(earlier), 1u) << earlier;
    EXPECT_EQ(notes("e->trigger (); g ();", Syntax::tamer), 0u);
}

TEST(Event, LetsWhoWaitsGoOnInsideOfTheTriggerInSfslite) {
    const auto prompt = [](const std::string &text, Syntax syntax = Syntax::sfslite) {
        const Translation translation =
            translation_of("#include \"tame.h\"\n//\n" + text, syntax, false, syntax != Syntax::sfslite);
        EXPECT_THAT(translation.notes, IsEmpty());
        return translation.text.substr(translation.text.find("//\n") + 3);
    };
    EXPECT_EQ(
        prompt("tamed void f (evv_t e) { twait { g (mkevent ()); } e->trigger (); g (e); }"),
        "tamed<> f (event<> e) { { prompt<gather> all; g (mkevent (all)); co_await all; } e->trigger (); g (e); }");
    EXPECT_EQ(prompt("tamed void f () { VARS { rendezvous_t<bool, int> r (__FILE__, __LINE__); } g (r); return; }"),
              "tamed<> f () { prompt<rendezvous<bool, int>> r; g (r); co_return; }");
    EXPECT_EQ(prompt("struct a { rendezvous_t<> _r; void g (rendezvous_t<> &r); a () : _r (__FILE__, __LINE__) {} };"),
              "struct a { prompt<rendezvous<>> _r; void g (prompt<rendezvous<>> &r); a () : _r () {} };");
    EXPECT_EQ(prompt("rendezvous<int> r;", Syntax::paper), "rendezvous<int> r;");
}

TEST(Event, HasOneTypeEach) {
    EXPECT_EQ(translated("evv_t a; typename event<int, foo<bool> >::ref b; event<>::ptr *c;"),
              "event<> a; event<int, foo<bool> > b; event<> *c;");
    EXPECT_EQ(translated("evv_t a;", Syntax::paper), "evv_t a;");
    EXPECT_EQ(translated("tamed void f(event<> e) { if (e.empty()) return; e = NULL; }", Syntax::tamer),
              "tamed<> f(event<> e) { if (!e) co_return; e = {}; }");
    EXPECT_THAT(refusals("tamed void f(event<> e) { e.at_trigger(make_event(r)); }", Syntax::tamer),
                ElementsAre(HasSubstr("at_trigger")));
    EXPECT_THAT(refusals("tamed void f(foo e) { e.finish(); }"), IsEmpty());
}

TEST(Event, MayBeNamedAsItsType) {
    EXPECT_EQ(translated("tamed void f (cbv cbv) { cbv->trigger (); (*cbv) (); return; }"),
              "tamed<> f (event<> cbv) { cbv->trigger (); cbv (); co_return; }");
    EXPECT_EQ(translated("tamed void f (const evi_t &evi_t, ptr<cbv> cbv, int x) { g (evi_t, x); return; }"),
              "tamed<> f (const event<int> &evi_t, ptr<event<>> cbv, int x) { g (evi_t, x); co_return; }");
    EXPECT_EQ(translated("tamed void f (event<int>::ref evi_t) { evi_t (1); return; }"),
              "tamed<> f (event<int> evi_t) { evi_t (1); co_return; }");
    EXPECT_EQ(translated("tamed void f (cbv, const evv_t, evv_t &e) { evv_t other = e; g (evv_t (e)); return; }"),
              "tamed<> f (event<>, const event<>, event<> &e) { event<> other = e; g (event<> (e)); co_return; }")
        << "types that name nothing";
}

TEST(Event, OfAClassIsKnownByItsDeclaration) {
    EXPECT_EQ(translated("struct a { evv_t::ptr _e; void f () { _e = NULL; (*_e) (); g = NULL; } };"),
              "struct a { event<> _e; void f () { _e = {}; _e (); g = NULL; } };");
}

TEST(Rendezvous, HasTheLibrarysMethods) {
    EXPECT_EQ(translated("tamed void f() { tvars { rendezvous<> r; vec v; } r.clear(); v.clear(); twait(r); }",
                         Syntax::tamer),
              "tamed<> f() { lenient<rendezvous<>> r; vec v; r.cancel(); v.clear(); co_await r; }");
    EXPECT_THAT(refusals("tamed void f () { tvars { rendezvous_t<> r; } while (r.need_wait ()) twait (r); }"),
                ElementsAre(HasSubstr("need_wait")));
}

TEST(Rendezvous, IsLenientInTamer) {
    EXPECT_EQ(translated("struct a { tamer::rendezvous<int> r_; }; void f(rendezvous<>& r);", Syntax::tamer),
              "struct a { lenient<rendezvous<int>> r_; }; void f(lenient<rendezvous<>>& r);");
    EXPECT_EQ(translated("rendezvous<> r;", Syntax::paper), "rendezvous<> r;");
    EXPECT_THAT(refusals("tamed void f() { tvars { rendezvous<> r, s(rvolatile); } twait(r); }", Syntax::tamer),
                ElementsAre(HasSubstr("two types")));
}

// ---- the libraries ----

TEST(Library, TellsTimeInItsOwnWay) {
    EXPECT_EQ(translated("tamed f() { twait { timer(10, mkevent()); } }", Syntax::paper),
              "tamed<> f() { { gather all; timer(in_seconds(10), mkevent(all)); co_await all; } }");
    EXPECT_EQ(translated("tamed void f () { delaycb (1, 5, mkevent (r)); return; }"),
              "tamed<> f () { timer (in_seconds(1) + std::chrono::nanoseconds(5), mkevent (r)); co_return; }");
    EXPECT_EQ(translated("tamed void f () { delaycb (0, n, mkevent (r)); return; }"),
              "tamed<> f () { timer (std::chrono::nanoseconds(n), mkevent (r)); co_return; }");
    EXPECT_EQ(
        translated("tamed void f() { tamer::at_delay_msec(5, make_event(r)); tamer::at_asap(make_event(r)); return; }",
                   Syntax::tamer),
        "tamed<> f() { turn_timer(std::chrono::milliseconds(5), mkevent(r)); timer(in_seconds(0), mkevent(r)); "
        "co_return; }");
    EXPECT_THAT(refusals("tamed void f () { t = delaycb (1, mkevent (r)); return; }"),
                ElementsAre(HasSubstr("delaycb")));
}

TEST(Library, WaitsForDescriptorsAndSignals) {
    EXPECT_EQ(
        translated("tamed f() { wait_on_fd(fd, selread, mkevent(r)); wait_on_signal(SIGINT, mkevent(r)); twait(r); }",
                   Syntax::paper),
        "tamed<> f() { wait_on_fd(fd, interest::readable, mkevent(r)); wait_on_signal(SIGINT, mkevent(r)); co_await r; "
        "}");
    EXPECT_EQ(translated("tamed void f () { waitread (fd, mkevent (r)); waitwrite (fds[1], mkevent (r)); twait (r); }"),
              "tamed<> f () { wait_on_fd (fd, interest::readable, mkevent (r)); wait_on_fd (fds[1], "
              "interest::writable, mkevent (r)); "
              "co_await r; }");
    EXPECT_THAT(refusals("tamed f() { wait_on_fd(fd, x, mkevent(r)); twait(r); }", Syntax::paper),
                ElementsAre(HasSubstr("wait_on_fd")));
    EXPECT_THAT(refusals("tamed void f () { fdcb (fd, selread, mkevent (r)); twait (r); }"),
                ElementsAre(HasSubstr("goes on calling")));
    EXPECT_THAT(refusals("tamed void f () { s.fdcb (fd); fdcb = 1; twait (r); }"), IsEmpty());
}

TEST(Library, HasOneLoop) {
    EXPECT_EQ(translated("int main () { f (); amain (); }", Syntax::paper), "int main () { f (); amain (); }");
    EXPECT_EQ(translated("evv_t e; int main () { f (); amain (); }"),
              "event<> e; int main () { f (); thalweg::Loop::here().run (); }");
    EXPECT_EQ(
        translated("int main() {\n    tamer::initialize();\n    tamer::loop();\n}\ntamed void f();", Syntax::tamer),
        "int main() {\n    run_while_pending();\n}\ntamed<> f();");
    EXPECT_EQ(translated("tamed void f() { loop(); return; }", Syntax::tamer), "tamed<> f() { loop(); co_return; }");
}

TEST(Library, HasTamersAdapters) {
    EXPECT_EQ(
        translated("tamed void f() { tamer::at_asap(tamer::bind(tamer::map<int>(make_event(r, i), g), 2)); return; }",
                   Syntax::tamer),
        "tamed<> f() { timer(in_seconds(0), thalweg::tame::bind(thalweg::tame::map<int>(mkevent(r, i), g), 2)); "
        "co_return; }");
    EXPECT_EQ(translated("tamed void f() { g(tamer::with_timeout_msec(5, TAMER_MOVE(e))); return; }", Syntax::tamer),
              "tamed<> f() { g(with_timeout(std::chrono::milliseconds(5), std::move(e))); co_return; }");
    EXPECT_THAT(refusals("tamed void f() { g(tamer::add_timeout(5, e)); return; }", Syntax::tamer),
                testing::Contains(HasSubstr("add_timeout")));
    EXPECT_THAT(refusals("tamed void f() { twait { tamer::with_timeout(5, make_event(), ok); } }", Syntax::tamer),
                ElementsAre(HasSubstr("with_timeout() with 3 arguments")));
    EXPECT_THAT(
        refusals("using namespace tamer;\ntamed void f(event<> e) { at_delay(5, e, true); return; }", Syntax::tamer),
        ElementsAre(HasSubstr("at_delay() with 3 arguments")));
    EXPECT_THAT(refusals("tamed void f(event<> e) { with_timeout(5, e, ok); return; }", Syntax::tamer), IsEmpty())
        << "a function of the program's own";
}

TEST(Library, OfSfslitesNamespaceIsKnownInPart) {
    EXPECT_EQ(
        translated(
            "tamed void f () { tame::waitread (fd, mkevent (r)); tame::sigcb1 (SIGINT, mkevent (r)); twait (r); }"),
        "tamed<> f () { wait_on_fd (fd, interest::readable, mkevent (r)); wait_on_signal (SIGINT, mkevent (r)); "
        "co_await r; }");
    EXPECT_EQ(translated("struct a { rendezvous_t<> _r; a () : _r (__FILE__, __LINE__) {} };"),
              "struct a { rendezvous<> _r; a () : _r () {} };");
}

TEST(Library, OfTamersIsNotHere) {
    EXPECT_THAT(refusals("#include <tamer/fd.hh>\ntamed void f(tamer::fd x) { return; }", Syntax::tamer),
                ElementsAre(HasSubstr("1: tamer/fd.hh"), HasSubstr("2: tamer::fd")));
}

// ---- the file ----

TEST(File, DeclaresTheNamesThatItUses) {
    const Translation translation =
        translation_of("// so\n#include <a.h>\n#include \"tame.h\"\n#include <b.h>\n\nevv_t e;\n", Syntax::sfslite);
    EXPECT_EQ(translation.text, "// so\n#include <a.h>\n#include <thalweg/tame.h>\n#include <b.h>\n\nusing "
                                "thalweg::tame::event;\n\nevent<> e;\n");
    EXPECT_EQ(translation_of("tamed f();\n", Syntax::paper).text,
              "#include <thalweg/tame.h>\n\nusing thalweg::tame::tamed;\n\ntamed<> f();\n");
    EXPECT_THAT(
        translation_of("#include <tamer/tamer.hh>\nusing namespace tamer;\ntamed void f();\n", Syntax::tamer).text,
        HasSubstr("using namespace thalweg::tame;\ntamed<> f();"));
}

TEST(File, DeclaresThemWhereTheyAlwaysAre) {
    EXPECT_EQ(translation_of("#ifndef A\n#include \"tame.h\"\n#if B\n#include <b.h>\n#endif\nevv_t e;\n#endif\n",
                             Syntax::sfslite)
                  .text,
              "#ifndef A\n#include <thalweg/tame.h>\n\nusing thalweg::tame::event;\n\n#if B\n#include "
              "<b.h>\n#endif\nevent<> e;\n#endif\n");
    EXPECT_EQ(translation_of("namespace a {\n#include \"tame.h\"\nevv_t e;\n}\n", Syntax::sfslite).text,
              "namespace a {\n#include <thalweg/tame.h>\n\nusing thalweg::tame::event;\n\nevent<> e;\n}\n");
}

TEST(File, ThatIsTranslatedStaysAsItIs) {
    for (const Syntax syntax : {Syntax::paper, Syntax::sfslite, Syntax::tamer}) {
        const std::string text =
            translation_of("tamed void f(event<> e) {\n    tvars { int i; }\n    twait { g(mkevent(i)); }\n}\n", syntax)
                .text;
        EXPECT_EQ(translation_of(text, syntax).text, text);
        EXPECT_FALSE(translation_of(text, syntax).has_tame);
    }
}

TEST(File, WithoutTameStaysAsItIs) {
    const std::string text = "int main() { return \"}\"[0] == '}'; }\r\n#if 0\n}\n#endif";
    const Translation translation = translation_of(text, Syntax::paper);
    EXPECT_FALSE(translation.has_tame);
    EXPECT_EQ(translation.text, text);
}

TEST(File, KeepsTextThatOnlyLooksLikeTame) {
    const std::string text =
        "const char *s = \"twait { mkevent() }\"; /* tvars { */ auto t = R\"x(return } )\" tamed)x\"; char c = '\\'';";
    EXPECT_EQ(translated(text + " evv_t e;"), text + " event<> e;");
    EXPECT_EQ(translated("/* TAME_OFF */ twait { x; } tvars { } /* TAME_ON */ evv_t e;"),
              "/* TAME_OFF */ twait { x; } tvars { } /* TAME_ON */ event<> e;");
}

TEST(File, TellsTheLinesOfTheOriginal) {
    const std::string text = "#include \"tame.h\"\ntamed void f ()\n{\n  tvars {\n    int i;\n  }\n  twait {\n    g "
                             "(mkevent ());\n  }\n  h ();\n}\n";
    const std::string result = translation_of(text, Syntax::sfslite, true).text;
    EXPECT_THAT(result, HasSubstr("#line 5 \"a.T\"\n  int i;\n"));
    EXPECT_THAT(result, HasSubstr("#line 8 \"a.T\"\n    g (mkevent (all));\n"));
    EXPECT_THAT(result, HasSubstr("\n  h ();\n"));
    EXPECT_THAT(translation_of(text, Syntax::sfslite).text, Not(HasSubstr("#line")));
}

TEST(File, IsReadWithoutThePreprocessor) {
    EXPECT_THAT(refusals("#if A\ntamed void f () {\n#else\ntamed void g () {\n#endif\n}\n"),
                ElementsAre(HasSubstr("2: '{' has no partner")));
    EXPECT_THAT(refusals("#define W(x) twait { x; }\ntamed void f () { return; }"),
                ElementsAre(HasSubstr("1: a macro")));
}

TEST(File, DoesNotAskForTamersOwnMacros) {
    for (const char *condition : {"#ifdef TAMER_DEBUG", "#ifndef TAMER_DEBUG", "#if X && defined(TAMER_DEBUG)",
                                  "#if 0\n#elif TAMER_DEBUG", "#  if TAMER_DEBUG > 1 // or not"})
        EXPECT_THAT(refusals(std::string(condition) + "\n#endif\ntamed void f() { return; }", Syntax::tamer),
                    ElementsAre(HasSubstr("TAMER_DEBUG")))
            << condition;
    for (const char *own :
         {"#ifndef TAMER_MINE_HH\n#define TAMER_MINE_HH 1", "#if 1 /* TAMER_DEBUG */", "#ifdef MY_TAMER_DEBUG",
          "#if 1\n#endif\n#pragma TAMER_DEBUG\n#if 1", "// TAME_OFF\n#if TAMER_DEBUG\n// TAME_ON"})
        EXPECT_THAT(refusals(std::string(own) + "\n#endif\ntamed void f() { return; }", Syntax::tamer), IsEmpty())
            << own;
}

TEST(File, NestsAsDeepAsACompilerTakes) {
    EXPECT_THAT(refusals(std::string(200, '(') + std::string(200, ')') + "evv_t e;"), IsEmpty());
    EXPECT_THAT(refusals(std::string(300, '(') + std::string(300, ')') + "evv_t e;"),
                ElementsAre(HasSubstr("deeper than 256")));
}

TEST(Syntax, IsToldByTheNameOrByTheWords) {
    EXPECT_EQ(syntax_of("a.T", "tamer::f();"), Syntax::sfslite);
    EXPECT_EQ(syntax_of("a.tcc", ""), Syntax::tamer);
    EXPECT_EQ(syntax_of("a.h", "void f (CLOSURE);"), Syntax::sfslite);
    EXPECT_EQ(syntax_of("a.hh", "#include <tamer/tamer.hh>"), Syntax::tamer);
    EXPECT_EQ(syntax_of("a.cc", "tamed f(event<> e);"), Syntax::paper);
}

}  // namespace
