module thalweg/benchmarks/web

go 1.19
