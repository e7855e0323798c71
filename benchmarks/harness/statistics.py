# benchmarks: median, its 95 % interval by order statistics (the source stands in src/measure/statistics.h), ratios.
import math
import statistics as standard

CONFIDENCE = 0.95


def interval(samples):
    """The narrowest symmetric pair of samples that holds the true median with CONFIDENCE; the extremes if too few."""
    ordered = sorted(samples)
    n = len(ordered)

    def coverage(k):
        return 1 - 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n

    k = 0
    while 2 * (k + 1) < n and coverage(k + 1) >= CONFIDENCE:
        k += 1
    return ordered[k], ordered[n - 1 - k]


def median(samples):
    return standard.median(samples)


def ratios(values, against):
    """Round by round, so that what slows the whole machine for a while slows both sides."""
    return [value / other for value, other in zip(values, against, strict=True)]
