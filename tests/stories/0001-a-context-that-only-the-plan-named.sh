#!/usr/bin/env bash
# The story. A plan says which functions a list held, and with which contexts. At an event of ours the path word answers for both. A
# list that is not ours was tested for its functions alone, but the contexts of the plan were put in all the same: with a plan whose
# contexts had changed places, the differential tests saw a handler add to the wrong account. What is not tested must not
# be assumed, however sure the profile is (law 2); and a test with one context for each function would never have seen it.
#
# Here: a program that knows nothing of Thalweg, one function on its list twice, with two contexts; an honest plan is applied, plans
# that lie change nothing, and nor does a list that changes while it is walked.
source "$(dirname "$0")/../flow/common.sh"
cat > bank.cc <<'C'
#include <cstdio>
#include <vector>

struct Account {
    const char *name;
    long sum;
};
struct Listener {
    void (*function)(Account *, int);
    Account *account;
};
Account private_account{"private", 0}, business_account{"business", 0};
std::vector<Listener> listeners;

void take(Account *account, int amount) { account->sum += amount; }
bool moves;
// At each 5000th payment two listeners change places, in the middle of the walk; not while it is recorded.
void fee(Account *account, int amount) {
    account->sum = account->sum * 31 % 1000003 - 1;
    if (moves && amount % 5000 == 4999)
        std::swap(listeners[0], listeners[2]);
}

[[gnu::noinline]] void pay(int amount) {
    for (size_t i = 0; i < listeners.size(); ++i)
        listeners[i].function(listeners[i].account, amount);
}

int main(int words, char **) {
    moves = words > 1;
    listeners = {{fee, &business_account}, {take, &private_account}, {take, &business_account}};
    for (int i = 0; i < 40000; ++i)
        pay(i);
    for (const Account *account : {&private_account, &business_account})
        std::printf("%s %ld\n", account->name, account->sum);
}
C
thalweg-c++ -O2 -g -std=c++20 -c bank.cc -o bank.o
thalweg-c++ bank.o -o bank
thalweg record -o profile -- ./bank > /dev/null 2> said || die "record: $(cat said)"
thalweg plan profile -o honest > /dev/null 2> said || die "plan: $(cat said)"
grep -q 'context = "private_account"' honest || die "the plan names no context: the story is about them: $(cat honest)"
sed 's/"private_account"/"x"/; s/"business_account"/"private_account"/; s/"x"/"business_account"/' honest > exchanged
sed 's/"private_account"/"business_account"/' honest > alike
sed 's/, context = "[a-z_]*", context_offset = [0-9]*//' honest > silent
for plan in honest exchanged alike silent; do
    thalweg optimize ./bank --plan $plan -o bank.$plan > out 2> said || die "$plan: $(cat out said)"
    grep -q '^ *1  applied' out || die "$plan: decision 1 was not applied: $(cat out)"
    same "$(./bank)" "$(./bank.$plan)" "what is shown with the $plan plan"
    same "$(./bank moves)" "$(./bank.$plan moves)" "what is shown with the $plan plan, of listeners that move"
done
[ "$(./bank)" != "$(./bank moves)" ] || die "it does not matter which listener has which account: the test is worth nothing"
