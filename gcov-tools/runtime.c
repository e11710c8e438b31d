/* The runtime of an instrumented solver: its execution counters live in memory that the fuzzer shares.
 *
 * Link this object before -lgcov into a program compiled by GCC 12 with --coverage. It defines what
 * the instrumented code asks for (__gcov_init, __gcov_exit, ...), so libgcov is never pulled in
 * and no .gcda file is ever written. How the counters are shared stands in shared_counters.h, which must lie beside
 * this file. Without the variable MULSTRINGFUZZ_COUNTERS in the environment nothing is done.
 */

#define _GNU_SOURCE
#include <stdarg.h>

#include "shared_counters.h"

#if !defined(__GNUC__) || defined(__clang__) || __GNUC__ != 12
#error "gcov-tools/runtime.c knows the counter tables of GCC 12 only; compile the solver and this file with gcc-12"
#endif

extern char __bss_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));

static int tried;

/* Called by a constructor (priority 100) of each instrumented translation unit. */
void __gcov_init(struct unit *unit)
{
    if (!tried) {
        tried = 1;
        if (open_channel())
            move_image((uintptr_t)__bss_start, (uintptr_t)_end);
    }
    if (descriptor >= 0)
        add_unit(unit);
}

/* Runs after every unit has registered (their constructors have priority 100), before any other constructor
 * of the program. */
__attribute__((constructor(101))) static void all_units_registered(void)
{
    describe_layout();
}

/* Under --coverage GCC calls __gcov_fork where the source says fork, and so on: in this file too, if it is compiled with
 * that option. These names get around it. */
extern pid_t system_fork(void) __asm__("fork");
extern int system_execv(const char *, char *const[]) __asm__("execv");
extern int system_execvp(const char *, char *const[]) __asm__("execvp");
extern int system_execve(const char *, char *const[], char *const[]) __asm__("execve");

/* The rest of libgcov's interface, so that no member of it is ever linked. A forked child shares the counters. */
void __gcov_exit(void) { }
void __gcov_dump(void) { }
void __gcov_reset(void) { }
void __gcov_merge_add(int64_t *counters, uint32_t count)
{
    (void)counters;
    (void)count;
}
pid_t __gcov_fork(void) { return system_fork(); }
int __gcov_execv(const char *path, char *const argv[]) { return system_execv(path, argv); }
int __gcov_execvp(const char *path, char *const argv[]) { return system_execvp(path, argv); }
int __gcov_execve(const char *path, char *const argv[], char *const envp[]) { return system_execve(path, argv, envp); }

enum { MAX_ARGUMENTS = 1024 };

/* Gathers the variadic arguments of execl and its kin into an array; -1 when there are too many. */
static int gather(const char *argv[MAX_ARGUMENTS], const char *first, va_list *rest)
{
    int count = 0;
    for (const char *argument = first; argument != NULL; argument = va_arg(*rest, const char *)) {
        if (count == MAX_ARGUMENTS - 1)
            return -1;
        argv[count++] = argument;
    }
    argv[count] = NULL;
    return count;
}

int __gcov_execl(const char *path, char *first, ...)
{
    const char *argv[MAX_ARGUMENTS];
    va_list rest;
    va_start(rest, first);
    int count = gather(argv, first, &rest);
    va_end(rest);
    return count < 0 ? -1 : system_execv(path, (char *const *)argv);
}

int __gcov_execlp(const char *path, char *first, ...)
{
    const char *argv[MAX_ARGUMENTS];
    va_list rest;
    va_start(rest, first);
    int count = gather(argv, first, &rest);
    va_end(rest);
    return count < 0 ? -1 : system_execvp(path, (char *const *)argv);
}

int __gcov_execle(const char *path, char *first, ...)
{
    const char *argv[MAX_ARGUMENTS];
    va_list rest;
    va_start(rest, first);
    int count = gather(argv, first, &rest);
    char *const *envp = count < 0 ? NULL : va_arg(rest, char *const *);
    va_end(rest);
    return count < 0 ? -1 : system_execve(path, (char *const *)argv, envp);
}
