// benchmarks: nettle in plain C, as its configure script leaves it without assembler.
#pragma once
