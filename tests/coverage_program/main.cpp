// The program whose line counts are compared: what makes counting hard, in little space. The layout of lines matters.
#include "shapes.h"
#include <functional>
#include <cstdio>
#define SUM3(a, b, c) do { for (int i = 0; i < 3; i++) total += (a) + \
    (b) * i + (c); } while (0)
static Square unit_square;
static int classify(int x) {
    switch (x % 5) {
    case 0: return 1;
    case 1: case 2: return x > 7 ? 2 : 3;
    case 3: break;
    default: goto out;
    }
    x++;
out:
    return x;
}
static int nested(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) if ((i ^ j) & 1) s += j; else s--; return s; }
static int collatz(unsigned n) { int steps = 0; do { n = n % 2 ? 3 * n + 1 : n / 2; steps++; } while (n != 1 && steps < 1000); return steps; }
struct Guard { int &depth; Guard(int &d) : depth(d) { depth++; } ~Guard() { depth--; } };
static int deep(int n, int &depth) {
    Guard guard(depth);
    if (n == 0) {
        for (int i = 0; i < 4; i++) { if (i == 2) point(); }
        return depth;
    }
    return deep(n - 1, depth) + (n % 2 ? 1 : 0);
}
int main(int argc, char **) {
    int total = unit_square.area(), depth = 0;
    Stack<int> numbers; Stack<double> reals(2);
    for (int i = 0; i < 20; i++) { numbers.push(i); total += classify(i); }
    auto add = [&](int x) { total += x; return total; }; std::function<int(int)> same = add;
    for (int x : {1, 2, 3}) same(x);
    try { for (;;) total += numbers.pop(); } catch (const std::out_of_range &) { total++; }
    try { reals.pop(); reals.pop(); reals.pop(); }
    catch (std::exception &error) { total += length(error.what()); }
    SUM3(1, 2, argc); total += nested(9); total += collatz(27);
    Shape *shape = new Square(3); total += shape->area(); delete shape;
    total += twice(2) + twice(9) + thrice(1) + other(6) + recurse(5);
    total += deep(7, depth);
    if (total == -1) std::puts("never");
    return total > 100 && total < 100000 ? 0 : 3;
}
