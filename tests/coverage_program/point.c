// A point at which the program can be stopped or dumped. Not instrumented, so what happens here changes no counter.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern void __gcov_dump(void);
void point(void) {
    const char *what = getenv("POINT");
    if (what == NULL) return;
    if (strcmp(what, "dump") == 0) { __gcov_dump(); _exit(0); }
    if (strcmp(what, "exit") == 0) { printf("bye"); exit(42); }
    if (write(1, "ready\n", 6) != 6) _exit(9);
    for (;;) pause();
}
