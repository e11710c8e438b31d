// Templates, constructors and inline functions that both units use.
#pragma once
#include <stdexcept>
#include <vector>
template <class T> struct Stack {
    std::vector<T> items;
    Stack() {} Stack(int n) : items(n) {}
    ~Stack() { while (!items.empty()) items.pop_back(); }
    void push(T item) { items.push_back(item); }
    T pop() {
        if (items.empty())
            throw std::out_of_range("empty");
        T top = items.back(); items.pop_back();
        return top;
    }
};
inline int length(const char *text) { int n = 0; while (*text++) n++; return n; }
inline int twice(int x) { return x > 3 ? 2 * x : x + x; } inline int thrice(int x) { return 3 * x; }
struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Square : Shape { int side; Square(int s) : side(s) {} Square() : Square(1) {} int area() const override { return side * side; } };
int other(int rounds);
int recurse(int depth);
extern "C" void point(void);
