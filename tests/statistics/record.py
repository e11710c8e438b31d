#!/usr/bin/env python3
"""Records what SciPy says of random samples, for tests/statistics.rs: `record.py > scipy.json`, with scipy installed.

A12 is counted pair by pair here, from its definition, not derived from U.
"""
import json
import random

import scipy
from scipy.stats import mannwhitneyu


def a12(x, y):
    return sum((a > b) + 0.5 * (a == b) for a in x for b in y) / (len(x) * len(y))


def samples(rng):
    for number in range(40):
        n, m = rng.randint(2, 30), rng.randint(2, 30)
        if number < 24:  # few values, so many ties
            yield [rng.randint(0, 6) for _ in range(n)], [rng.randint(0, 5) + number % 3 for _ in range(m)]
        elif number < 34:  # small and without ties: the exact distribution
            values = rng.sample(range(100), 16)
            n, m = rng.randint(2, 8), rng.randint(2, 8)
            yield values[:n], values[8:8 + m]
        else:
            yield [rng.gauss(0, 1) for _ in range(n)], [rng.gauss(0.8, 1) for _ in range(m)]


cases = []
for x, y in samples(random.Random(20)):
    u, p = mannwhitneyu(x, y, alternative="two-sided", method="auto")
    cases.append({"x": x, "y": y, "u": u, "p": p, "a12": a12(x, y)})
print(json.dumps({"scipy": scipy.__version__, "cases": cases}, indent=None).replace('{"x"', '\n{"x"'))
