// The second unit: it shares the header's inline functions and templates, and has code that never runs.
#include "./shapes.h"
#include <string>
static const std::string names[] = {"one", "two"};
int recurse(int depth) { return depth <= 1 ? 1 : recurse(depth - 1) + recurse(depth - 2); }
static int risky(int x) { if (x == 4) throw x; return x; }
int other(int rounds) {
    int sum = 0, i = 0; Stack<int> stack;
    while (i < rounds) { sum += twice(i) + length(names[i & 1].c_str()); stack.push(i++); }
    for (i = 0; i < rounds; i++) try { sum += risky(i); } catch (int caught) { sum -= caught; }
    for (const char *p = "a,b,,c"; *p; p++) sum += *p == ',' ? 1 : (*p > 'a' && *p < 'c') || *p == 'c';
    return sum + stack.pop();
}
struct Unused { Unused() {} int never() { return length("never"); } };
int not_called(int x) { Unused unused; while (x-- > 0 && unused.never()) ; return x; }
