/* cvc5's command on top of its library: reads one script with the library's own parser, as `cvc5` does.
 *
 * Setup compiles it against the libraries of the Python package, and declares here what it uses of their C interface
 * (there since cvc5 1.2). It differs from the command in these: a parse error has no line and column, which the interface
 * does not tell; what is wrong with an option is said as SMT-LIB has it, `(error "…")` on standard output; whatever only
 * the command does with a solver's results (--dump-models and the like, --stats) is refused. */

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

typedef struct Cvc5 Cvc5;
typedef struct Cvc5TermManager Cvc5TermManager;
typedef struct Cvc5SymbolManager Cvc5SymbolManager;
typedef struct Cvc5InputParser Cvc5InputParser;
typedef struct cvc5_cmd_t *Cvc5Command;
enum { SMT_LIB = 0, SYGUS = 1 };

extern Cvc5TermManager *cvc5_term_manager_new(void);
extern Cvc5 *cvc5_new(Cvc5TermManager *);
extern const char *cvc5_get_version(Cvc5 *);
extern const char **cvc5_get_option_names(Cvc5 *, size_t *);
extern const char *cvc5_get_option(Cvc5 *, const char *);
extern void cvc5_set_option(Cvc5 *, const char *, const char *);
extern void cvc5_set_info(Cvc5 *, const char *, const char *);
extern Cvc5SymbolManager *cvc5_symbol_manager_new(Cvc5TermManager *);
extern Cvc5InputParser *cvc5_parser_new(Cvc5 *, Cvc5SymbolManager *);
extern void cvc5_parser_set_file_input(Cvc5InputParser *, int, const char *);
extern Cvc5Command cvc5_parser_next_command(Cvc5InputParser *, const char **);
extern const char *cvc5_cmd_invoke(Cvc5Command, Cvc5 *, Cvc5SymbolManager *);
extern const char *cvc5_cmd_get_name(Cvc5Command);
/* Since 1.4. Before, the library itself says what is wrong, and exits. */
extern bool cvc5_has_error(void) __attribute__((weak));
extern const char *cvc5_get_error_message(void) __attribute__((weak));

static void fail(const char *beginning, const char *message) {
  fputs("(error \"", stdout);
  for (const char *text = beginning; *text; text++) putchar(*text);
  for (; *message; message++) {
    if (*message == '"') putchar('"');
    putchar(*message);
  }
  fputs("\")\n", stdout);
  fflush(stdout);
  _exit(1);
}

/* Fails if the last call of the library did. */
static void check(void) {
  if (cvc5_has_error && cvc5_has_error()) fail("", cvc5_get_error_message());
}

/* ---- how it ends by signals, as the command does ---- */

static void say(const char *message) {
  if (write(STDERR_FILENO, message, strlen(message)) < 0) _exit(1);
}

static void handle(int number) {
  if (number == SIGXCPU || number == SIGALRM) {
    say("cvc5 interrupted by timeout.\n");
    abort();
  }
  say(number == SIGTERM  ? "cvc5 interrupted by SIGTERM.\n"
      : number == SIGINT ? "cvc5 interrupted by user.\n"
      : number == SIGILL ? "cvc5 executed an illegal instruction.\n"
                         : "cvc5 suffered a segfault.\n");
  signal(number, SIG_DFL);
  raise(number);
}

static void install_handlers(void) {
  static const int handled[] = {SIGINT, SIGXCPU, SIGALRM, SIGILL, SIGSEGV, SIGTERM};
  struct rlimit stack;
  if (!getrlimit(RLIMIT_STACK, &stack) && stack.rlim_cur != stack.rlim_max) {
    stack.rlim_cur = stack.rlim_max;
    setrlimit(RLIMIT_STACK, &stack);
  }
  for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) signal(handled[i], handle);
}

/* ---- options ---- */

/* What the command line says, beside the library's own options. */
static const char *file_name;
static bool sets_incremental, sets_checking, parse_only;
static char language[32];

static const char *const short_options[][2] = {
    {"-i", "--incremental"}, {"-m", "--produce-models"}, {"-L", "--lang"},   {"-o", "--output"}, {"-t", "--trace"},
    {"-v", "--verbose"},     {"-q", "--quiet"},          {"-V", "--version"}, {"-h", "--help"},
};
/* They are the command's own work. */
static const char *const refused[] = {
    "dump-",      "stats",       "help",        "show-config",    "show-trace-tags",
    "copyright",  "interactive", "early-exit",  "segv-spin",      "force-no-limit-cpu-while-dump",
};

static bool is_known(Cvc5 *solver, const char *name) {
  static const char **names;
  static size_t count;
  if (!names) names = cvc5_get_option_names(solver, &count);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

/* Whether an option is on or off, so that no word follows it. */
static bool is_switch(Cvc5 *solver, const char *name) {
  const char *value = cvc5_get_option(solver, name);
  check();
  return value && (!strcmp(value, "true") || !strcmp(value, "false"));
}

static void be_louder(Cvc5 *solver, int by) {
  char value[20];
  const char *now = cvc5_get_option(solver, "verbosity");
  snprintf(value, sizeof value, "%ld", now ? strtol(now, NULL, 10) + by : by);
  cvc5_set_option(solver, "verbosity", value);
}

static void limit_time(const char *milliseconds) {
  char *end;
  errno = 0;
  long limit = strtol(milliseconds, &end, 10);
  if (errno || *end || limit < 0 || !*milliseconds) fail("expected milliseconds for tlimit instead of ", milliseconds);
  struct itimerval timer = {.it_value = {.tv_sec = limit / 1000, .tv_usec = limit % 1000 * 1000}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

static void set(Cvc5 *solver, const char *name, const char *value) {
  if (!strcmp(name, "incremental")) sets_incremental = true;
  if (!strcmp(name, "wf-checking")) sets_checking = true;
  if (!strcmp(name, "parse-only")) parse_only = !strcmp(value, "true");
  if (!strcmp(name, "tlimit")) limit_time(value);
  if (!strcmp(name, "lang") || !strcmp(name, "input-language")) snprintf(language, sizeof language, "%s", value);
  cvc5_set_option(solver, name, value);
  check();
}

/* Reads the option `word`; whether it used up the word that follows. */
static bool read_option(Cvc5 *solver, char *word, const char *next) {
  for (size_t i = 0; i < sizeof short_options / sizeof *short_options; i++)
    if (!strcmp(word, short_options[i][0])) word = strdup(short_options[i][1]);
  if (!word || strncmp(word, "--", 2)) fail("can't understand option `", word ? word : "");
  char *name = word + 2, *value = strchr(name, '=');
  if (value) *value++ = 0;
  if (!strcmp(name, "version")) {
    /* Not the word behind it, `-modified`, which says how the package was built. */
    const char *version = cvc5_get_version(solver);
    printf("This is cvc5 version %.*s\n", (int)strcspn(version, "-"), version);
    exit(0);
  }
  if (!strcmp(name, "verbose") || !strcmp(name, "quiet")) {
    be_louder(solver, *name == 'v' ? 1 : -1);
    return false;
  }
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (!strncmp(name, refused[i], strlen(refused[i])))
      fail("not available, because it is the work of cvc5's command, and this is its library: --", name);
  bool no = !is_known(solver, name) && !strncmp(name, "no-", 3);
  if (no) name += 3;
  if (!is_known(solver, name)) fail("can't understand option --", name);
  if (no || (!value && is_switch(solver, name))) {
    if (no && !is_switch(solver, name)) fail("can't understand option --no-", name);
    set(solver, name, no ? "false" : "true");
    return false;
  }
  bool follows = !value;
  if (follows && !next) fail("missing its required argument: option --", name);
  set(solver, name, follows ? next : value);
  return follows;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), less = strlen(end);
  return length >= less && !strcmp(text + length - less, end);
}

static int read_arguments(Cvc5 *solver, int count, char **words) {
  for (int i = 1; i < count; i++) {
    if (words[i][0] == '-') {
      i += read_option(solver, words[i], i + 1 < count ? words[i + 1] : NULL);
    } else {
      if (file_name) fail("Too many input files specified.", "");
      file_name = words[i];
    }
  }
  if (!file_name) fail("expected a file: this does not read standard input", "");
  bool is_sygus = strstr(language, "sy") || (!*language && (ends_with(file_name, ".sy") || ends_with(file_name, ".sl")));
  if (is_sygus) cvc5_set_option(solver, "sygus", "true");
  /* The command's defaults for a script in a file, which differ from the library's. */
  if (!sets_incremental) cvc5_set_option(solver, "incremental", "false");
  if (!sets_checking && is_known(solver, "wf-checking")) cvc5_set_option(solver, "wf-checking", "false");
  cvc5_set_info(solver, "filename", file_name);
  check();
  return is_sygus ? SYGUS : SMT_LIB;
}

/* ---- commands ---- */

static bool begins(const char *text, const char *const *beginnings) {
  for (; *beginnings; beginnings++)
    if (!strncmp(text, *beginnings, strlen(*beginnings))) return true;
  return false;
}

/* Whether the command reads on after this error: there is nothing to tell, but nothing is spoilt. */
static bool reads_on(const char *name, const char *error) {
  static const char *const names[] = {"get-", "block-", "set-info", "set-option", NULL};
  return begins(name, names) && !strstr(error, "unless explicitly enabled");
}

/* Whether a script that is only parsed needs this command, so that what follows can be read. */
static bool declares(const char *name) {
  static const char *const names[] = {"set-logic", "reset", "declare-", "define-", NULL};
  return begins(name, names);
}

int main(int count, char **words) {
  install_handlers();
  Cvc5TermManager *terms = cvc5_term_manager_new();
  Cvc5 *solver = cvc5_new(terms);
  int input = read_arguments(solver, count, words);
  Cvc5SymbolManager *symbols = cvc5_symbol_manager_new(terms);
  Cvc5InputParser *parser = cvc5_parser_new(solver, symbols);
  cvc5_parser_set_file_input(parser, input, file_name);
  check();

  bool failed = false;
  while (!failed) {
    const char *message = NULL;
    Cvc5Command command = cvc5_parser_next_command(parser, &message);
    if (message) {
      char beginning[1000];
      snprintf(beginning, sizeof beginning, "Parse Error: %s: ", file_name);
      fail(beginning, message);
    }
    check();
    if (!command) break;
    /* Of what it returns, the next call takes back the text. */
    char *name = strdup(cvc5_cmd_get_name(command));
    if (!name) fail("out of memory", "");
    if (!parse_only || declares(name)) {
      const char *printed = cvc5_cmd_invoke(command, solver, symbols);
      check();
      fputs(printed, stdout);
      fflush(stdout);
      failed = !strncmp(printed, "(error ", 7) && !reads_on(name, printed);
    }
    bool is_last = !strcmp(name, "exit");
    free(name);
    if (is_last) break;
  }
  fflush(stdout);
  /* As --early-exit does, which is the command's default. */
  _exit(failed ? 1 : 0);
}
