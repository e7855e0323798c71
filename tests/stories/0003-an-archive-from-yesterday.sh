#!/usr/bin/env bash
# The story. A newcomer takes a program with a Makefile and a static archive, types `make CC=thalweg-cc` as the README says, forgets the
# `make clean` before it, and gets a program whose handlers lie in objects of yesterday's gcc, inside the archive. Nothing fails; there
# is nothing to optimise. That is how users of profile-guided tools lose a day, so each step has to say so: doctor by object and
# member, auto in capitals. And an archive that is made anew behind the program's back must not be linked in as if nothing were.
#
# Here: that newcomer's whole way, to an optimised program that shows the same.
source "$(dirname "$0")/../flow/common.sh"
cat > sensor.h <<'C'
typedef void (*reading_handler)(void *context, int value);
void sensor_subscribe(reading_handler handler, void *context);
void sensor_publish(int value);
void statistics_start(void);
void alarm_start(int limit);
void report(void);
C
cat > sensor.c <<'C'
#include "sensor.h"
static struct {
    reading_handler handler;
    void *context;
} subscribers[8];
static int count;
void sensor_subscribe(reading_handler handler, void *context) {
    subscribers[count].handler = handler;
    subscribers[count++].context = context;
}
void sensor_publish(int value) {
    for (int i = 0; i < count; ++i)
        subscribers[i].handler(subscribers[i].context, value);
}
C
cat > statistics.c <<'C'
#include <stdio.h>
#include "sensor.h"
static long sum, readings;
static void on_reading(void *context, int value) {
    (void)context;
    sum += value;
    ++readings;
}
void statistics_start(void) { sensor_subscribe(on_reading, 0); }
void report(void) { printf("%ld readings, sum %ld\n", readings, sum); }
C
cat > alarm.c <<'C'
#include <stdio.h>
#include "sensor.h"
static int alarm_limit;
static long alarms;
static void on_reading(void *context, int value) {
    (void)context;
    if (value > alarm_limit && ++alarms % 1000 == 1)
        printf("alarm %ld: %d\n", alarms, value);
}
void alarm_start(int limit) {
    alarm_limit = limit;
    sensor_subscribe(on_reading, 0);
}
C
cat > main.c <<'C'
#include "sensor.h"
int main(void) {
    statistics_start();
    alarm_start(990);
    for (int i = 0; i < 100000; ++i)
        sensor_publish((int)((i * 7919L) % 1000));
    report();
}
C
cat > Makefile <<'M'
CFLAGS = -O2 -g
station: main.o libsensor.a
	$(CC) $(LDFLAGS) -o $@ main.o -L. -lsensor
libsensor.a: sensor.o statistics.o alarm.o
	rm -f $@
	$(AR) rcs $@ $^
clean:
	rm -f *.o *.a station
M
make -s CC=gcc
expected=$(./station)

# Yesterday's objects, all of them, then all but one.
make -s CC=thalweg-cc
code=0; thalweg auto ./station > out 2> said || code=$?
[ $code != 0 ] || die "a program that thalweg-cc did not link, and auto is content: $(cat out said)"
grep -q 'CC=thalweg-cc' said || die "what to do is not said: $(cat said)"
touch main.c
make -s CC=thalweg-cc
thalweg doctor ./station > out 2> said || true
for member in sensor.o statistics.o alarm.o; do
    grep -q "libsensor.a($member): opaque" out || die "doctor does not say that $member is opaque: $(cat out)"
done
thalweg auto ./station --runs 3 > out 2> said || die "auto of a program whose own bitcode is there: $(cat out said)"
grep -q 'no dispatch site.*thalweg doctor' said || die "that the library's lists aren't seen is not said: $(cat said)"

# As it should have been.
make -s clean
make -s CC=thalweg-cc
same "$expected" "$(./station)" "the program of thalweg-cc"
thalweg auto ./station --runs 3 --keep-all > out 2> said || die "auto: $(cat out said)"
grep -q '^done *merge .* 2 targets merged' out || die "the list of subscribers was not merged: $(cat out)"
grep -q '^verdict *outputs equal' out || die "not equal: $(cat out)"
same "$expected" "$(./station.opt)" "the optimised program"

# The archive is made anew, and the program is not.
sed -i 's/sum += value/sum -= value/' statistics.c
make -s CC=thalweg-cc libsensor.a
code=0; thalweg optimize ./station --profile station.profile -o station.new > out 2> said || code=$?
[ $code != 0 ] || die "an archive that has changed was linked in: $(cat out)"
grep -q 'libsensor.a has changed' said || die "which file has changed is not said: $(cat said)"
[ ! -e station.new ] || die "a program was written from an archive that has changed"
