// benchmarks: a client that asks for several things, one after another, and tells what that took.
#pragma once

// The sum of the prices of numbers from `first` on; negative: a call has failed.
long ask_2(int first);
long ask_4(int first);
long ask_8(int first);

// Connects to the service.
void begin(unsigned short port);
