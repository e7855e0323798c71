module thalweg/benchmarks/waits

go 1.19
