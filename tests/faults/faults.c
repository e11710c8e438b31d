// Preloaded into our program, this makes what it changes in one folder fail, or kills it there, and makes its calendar jump.
// Each call that changes something in the folder counts as one change.
//
//   FAULTS_UNDER  the folder
//   FAULTS_AT     the number of the change, from 1 on
//   FAULTS_KIND   full    from that change on the disk is full: what would need room fails, a write after half of its bytes
//                 broken  that change alone fails, with EIO
//                 denied  from that change on nothing can be opened for writing, made, renamed or removed
//                 kill    the process is killed by SIGKILL at that change, a write after half of its bytes
//   FAULTS_CLOCK  each look at the calendar is so many seconds later, and earlier, in turn
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { NONE, FULL, BROKEN, DENIED, KILL };
// What a change needs: room on the disk, rights in a folder, or neither.
enum need { ROOM, RIGHTS, BOTH, NOTHING };

static const char *under;
static long at;
static enum kind kind;
static long jump;
static atomic_long changes, looks;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("FAULTS_KIND"), *number = getenv("FAULTS_AT"), *clock = getenv("FAULTS_CLOCK");
    under = getenv("FAULTS_UNDER");
    at = number ? atol(number) : 0;
    jump = clock ? atol(clock) : 0;
    if (!name || !under)
        kind = NONE;
    else
        kind = !strcmp(name, "full") ? FULL : !strcmp(name, "broken") ? BROKEN : !strcmp(name, "denied") ? DENIED : KILL;
}

static int is_below(const char *path)
{
    size_t length = strlen(under);
    return !strncmp(path, under, length) && (path[length] == '/' || !path[length]);
}

static int names_file_below(int folder, const char *name)
{
    char path[2 * PATH_MAX], link[64];
    ssize_t length = 0;
    if (kind == NONE)
        return 0;
    if (name && *name == '/')
        return is_below(name);
    if (folder == AT_FDCWD)
        length = getcwd(path, PATH_MAX) ? (ssize_t)strlen(path) : 0;
    else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        length = readlink(link, path, PATH_MAX);
    }
    if (length <= 0)
        return 0;
    path[length] = 0;
    if (name)
        snprintf(path + length, PATH_MAX, "/%s", name);
    return is_below(path);
}

static int is_below_descriptor(int descriptor)
{
    return names_file_below(descriptor, NULL);
}

// Counts a change. Returns the error that it ends with, or 0.
static int fault(enum need need)
{
    long number = ++changes;
    if (number < at || at == 0)
        return 0;
    switch (kind) {
    case FULL:
        return need == ROOM || need == BOTH ? ENOSPC : 0;
    case BROKEN:
        return number == at ? EIO : 0;
    case DENIED:
        return need == RIGHTS || need == BOTH ? EACCES : 0;
    case KILL:
        if (need == ROOM)
            return -1;
        kill(getpid(), SIGKILL);
        pause();
        return 0;
    default:
        return 0;
    }
}

#define FAIL(error) return errno = (error), -1

// A write that fails, after half of its bytes where the disk is full or the process is killed.
#define WRITE_FAULT(half)                                      \
    int error = is_below_descriptor(descriptor) ? fault(ROOM) : 0; \
    if (error == -1 || (error == ENOSPC && changes == at)) {   \
        ssize_t written = (half);                              \
        if (error == -1)                                       \
            kill(getpid(), SIGKILL);                           \
        if (written > 0)                                       \
            return written;                                    \
        error = ENOSPC;                                        \
    }                                                          \
    if (error)                                                 \
        FAIL(error)

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    WRITE_FAULT(REAL(write)(descriptor, bytes, count / 2));
    return REAL(write)(descriptor, bytes, count);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset)
{
    WRITE_FAULT(REAL(pwrite64)(descriptor, bytes, count / 2, offset));
    return REAL(pwrite64)(descriptor, bytes, count, offset);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count)
{
    WRITE_FAULT(0);
    return REAL(writev)(descriptor, parts, count);
}

ssize_t copy_file_range(int from, off64_t *from_at, int descriptor, off64_t *to_at, size_t count, unsigned flags)
{
    WRITE_FAULT(0);
    return REAL(copy_file_range)(from, from_at, descriptor, to_at, count, flags);
}

#define CHANGE_AT(need, folder, path)                                    \
    int error = names_file_below(folder, path) ? fault(need) : 0;        \
    if (error)                                                           \
        FAIL(error)

#define MODE                                                             \
    va_list more;                                                        \
    va_start(more, flags);                                               \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more)

#define IS_CHANGE (flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC))

int open64(const char *path, int flags, ...)
{
    MODE;
    if (IS_CHANGE) {
        CHANGE_AT(flags & O_CREAT ? BOTH : RIGHTS, AT_FDCWD, path);
    }
    return REAL(open64)(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    MODE;
    return open64(path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    MODE;
    if (IS_CHANGE) {
        CHANGE_AT(flags & O_CREAT ? BOTH : RIGHTS, folder, path);
    }
    return REAL(openat64)(folder, path, flags, mode);
}

int mkdir(const char *path, mode_t mode)
{
    CHANGE_AT(BOTH, AT_FDCWD, path);
    return REAL(mkdir)(path, mode);
}

int rename(const char *from, const char *to)
{
    CHANGE_AT(RIGHTS, AT_FDCWD, to);
    return REAL(rename)(from, to);
}

int unlink(const char *path)
{
    CHANGE_AT(RIGHTS, AT_FDCWD, path);
    return REAL(unlink)(path);
}

int unlinkat(int folder, const char *path, int flags)
{
    CHANGE_AT(RIGHTS, folder, path);
    return REAL(unlinkat)(folder, path, flags);
}

int rmdir(const char *path)
{
    CHANGE_AT(RIGHTS, AT_FDCWD, path);
    return REAL(rmdir)(path);
}

#define CHANGE_OF(need)                                                 \
    int error = is_below_descriptor(descriptor) ? fault(need) : 0;      \
    if (error > 0)                                                      \
        FAIL(error)

int ftruncate64(int descriptor, off64_t length)
{
    CHANGE_OF(NOTHING);
    return REAL(ftruncate64)(descriptor, length);
}

int fsync(int descriptor)
{
    CHANGE_OF(NOTHING);
    return REAL(fsync)(descriptor);
}

int fdatasync(int descriptor)
{
    CHANGE_OF(NOTHING);
    return REAL(fdatasync)(descriptor);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = REAL(clock_gettime)(clock, time);
    if (jump && clock == CLOCK_REALTIME)
        time->tv_sec += ++looks % 2 ? jump : -jump;
    return result;
}
