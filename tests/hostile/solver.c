/* A solver that does its worst, one thing at a time: `solver MODE [ARGUMENT]`. Whatever it does without end has an end here,
 * far above the limits of the tests, so that no machine is harmed where a limit does not hold. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self;

static void say(const char *text) {
    if (write(1, text, strlen(text)) < 0) _exit(3);
}

static void rest(void) {
    for (int i = 0; i < 600; i++) sleep(1);
    _exit(4);
}

/* Two minutes of CPU time. */
static void burn(void) {
    struct timespec now;
    do {
        for (volatile int i = 0; i < 1000000; i++) {}
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec < 120);
    _exit(5);
}

/* Whether this is a process that has left its parents, its group and its session. */
static int left(void) {
    pid_t child = fork();
    if (child < 0) _exit(6);
    if (child > 0) {
        waitpid(child, NULL, 0);
        return 0;
    }
    setsid();
    child = fork();
    if (child != 0) _exit(child < 0);
    setsid();
    return 1;
}

static void *rests(void *unused) {
    rest();
    return unused;
}

static void answers(int unused) {
    (void)unused;
    say("sat\n");
    _exit(0);
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "";
    const char *argument = count > 2 ? arguments[2] : "";
    self = arguments[0];
#define MODE(name) if (strcmp(mode, name) == 0)
    MODE("busy") burn();
    MODE("sleeps") rest();
    MODE("ignores-signals") {
        for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
        rest();
    }
    MODE("answers-late") {
        signal(SIGTERM, answers);
        rest();
    }
    MODE("leaves") {
        if (left()) rest();
        say("sat\n");
    }
    MODE("leaves-without-environment") {
        char *child[] = {(char *)self, "sleeps", NULL}, *none[] = {NULL};
        if (left()) execve(self, child, none);
        say("sat\n");
    }
    MODE("leaves-to-a-parent-of-its-own") {
        if (fork() == 0) {
            setsid();
            prctl(PR_SET_CHILD_SUBREAPER, 1);
            for (int i = 0; i < 5; i++)
                if (left()) rest();
            rest();
        }
        usleep(100000);
        say("sat\n");
    }
    MODE("leaves-busy") {
        if (left()) burn();
        rest();
    }
    MODE("leaves-and-prints") {
        if (left()) {
            signal(SIGPIPE, SIG_IGN);
            for (int i = 0; i < 1 << 20; i++) {
                if (write(1, "and so on\n", 10) < 0) break;
                usleep(100);
            }
            rest();
        }
        say("unsat\n");
    }
    MODE("leaves-dead") {
        for (int i = 0; i < 300; i++)
            if (left()) _exit(0);
        say("sat\n");
    }
    /* Children that are seen by nobody: each ends when the next one is there. */
    MODE("leaps") {
        for (int i = 0; left() && i < 20000; i++) usleep(200);
        say("sat\n");
        _exit(0);
    }
    MODE("spreads") {
        for (int i = 0; i < 2000; i++) {
            if (fork() == 0) rest();
            usleep(1000);
        }
        rest();
    }
    MODE("spreads-and-leaves") {
        for (int i = 0; i < 2000; i++)
            if (left()) rest();
        rest();
    }
    MODE("spreads-threads") {
        pthread_t thread;
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 65536);
        for (int i = 0; i < 2000; i++) {
            pthread_create(&thread, &small, rests, NULL);
            usleep(1000);
        }
        rest();
    }
    MODE("first-thread-ends") {
        pthread_t thread;
        pthread_create(&thread, NULL, rests, NULL);
        pthread_exit(NULL);
    }
    MODE("allocates") {
        for (int i = 0; i < 4096; i++) {
            char *piece = malloc(1 << 20);
            if (piece == NULL) abort();
            memset(piece, 1, 1 << 20);
        }
    }
    MODE("prints") {
        static char piece[1 << 16];
        memset(piece, 'x', sizeof piece);
        for (long i = 0; i < (10L << 30) / (long)sizeof piece; i++)
            if (write(1, piece, sizeof piece) < 0) _exit(3);
    }
    MODE("prints-errors") {
        for (int i = 0; i < 1 << 24; i++) fputs("warning: this goes on\n", stderr);
    }
    MODE("prints-binary") {
        for (int i = 0; i < 100000; i++) putchar(i * 7919 >> 3);
        fputs("\nunsat\n", stdout);
    }
    MODE("closes") {
        say("sat\n");
        close(0), close(1), close(2);
        burn();
    }
    MODE("dies") {
        int number = atoi(argument);
        signal(number, SIG_DFL);
        raise(number);
        say("sat\n");
    }
    MODE("answers-otherwise") {
        struct stat before;
        int file, again = stat(argument, &before) == 0 && before.st_size % 2 == 1;
        file = open(argument, O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (file < 0 || write(file, "x", 1) != 1) _exit(7);
        say(again ? "unsat\n" : "sat\n");
    }
    MODE("writes-a-file") {
        static char piece[1 << 16];
        int file = open("large", O_WRONLY | O_CREAT, 0600);
        for (int i = 0; i < 1 << 14; i++)
            if (write(file, piece, sizeof piece) < 0) _exit(8);
    }
    MODE("writes-files") {
        char name[64], piece[4096] = {1};
        for (int i = 0; i < 200000; i++) {
            if (i % 100 == 0 && (snprintf(name, sizeof name, "folder%d", i), mkdir(name, 0700)) < 0) _exit(9);
            snprintf(name, sizeof name, "folder%d/%d", i - i % 100, i);
            int file = open(name, O_WRONLY | O_CREAT, 0600);
            if (file < 0 || write(file, piece, sizeof piece) < 0) _exit(8);
            close(file);
        }
        rest();
    }
    MODE("locks-its-folder") {
        mkdir("inner", 0700);
        close(open("inner/file", O_WRONLY | O_CREAT, 0600));
        chmod("inner", 0);
        chmod(".", 0);
        say("sat\n");
    }
    MODE("reads") {
        char text[16];
        say(read(0, text, sizeof text) == 0 ? "unsat\n" : "sat\n");
    }
    MODE("reads-the-terminal") {
        char text[16];
        int terminal = open("/dev/tty", O_RDWR);
        if (terminal < 0) say("unsat\n");
        else if (read(terminal, text, sizeof text) > 0) say("sat\n");
    }
    return 0;
}
