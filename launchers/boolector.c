/* Boolector's command on top of its library: reads one script with the library's own parser, as `boolector` does.
 *
 * Setup compiles it against the library of the Python package, and declares here what it uses of it. It differs from the
 * command in these: what is wrong is said as SMT-LIB has it, `(error "…")` on standard output, so that it stands behind
 * the answers that came before it; options that take a name of a mode take its number here, but for --engine and
 * --sat-engine; nothing is dumped in other formats; a signal ends it without a word. */

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Btor Btor;

enum { UNKNOWN = 0, SAT = 10, UNSAT = 20, PARSE_ERROR = 1, PARSE_UNKNOWN = 2 };
enum { MODEL_GEN = 0, INPUT_FORMAT = 3, OUTPUT_NUMBER_FORMAT = 4, OUTPUT_FORMAT = 5, FORMAT_BTOR = 1 };

extern Btor *boolector_new(void);
extern const char *boolector_version(Btor *);
extern void boolector_set_abort(void (*)(const char *));
extern int boolector_first_opt(Btor *);
extern int boolector_next_opt(Btor *, int);
extern bool boolector_has_opt(Btor *, int);
extern const char *boolector_get_opt_lng(Btor *, int);
extern const char *boolector_get_opt_shrt(Btor *, int);
extern uint32_t boolector_get_opt(Btor *, int);
extern uint32_t boolector_get_opt_min(Btor *, int);
extern uint32_t boolector_get_opt_max(Btor *, int);
extern void boolector_set_opt(Btor *, int, uint32_t);
extern void boolector_set_sat_solver(Btor *, const char *);
extern int32_t boolector_sat(Btor *);
extern void boolector_print_model(Btor *, const char *, FILE *);
typedef int32_t parse_function(Btor *, FILE *, const char *, FILE *, char **, int32_t *);
extern parse_function boolector_parse_btor, boolector_parse_btor2, boolector_parse_smt1, boolector_parse_smt2;
extern int32_t boolector_parse(Btor *, FILE *, const char *, FILE *, char **, int32_t *, bool *);

/* Says what is wrong, and ends as the command does. */
static void fail(const char *message) {
  size_t length = strcspn(message, "\n");
  fputs("(error \"", stdout);
  for (size_t i = 0; i < length; i++) {
    if (message[i] == '"') putchar('"');
    putchar(message[i]);
  }
  fputs("\")\n", stdout);
  fflush(stdout);
  exit(1);
}

static void fail_about(const char *what, const char *word) {
  char message[1000];
  snprintf(message, sizeof message, what, word);
  fail(message);
}

/* What the command line says, beside the library's own options. */
static const char *file_name;
static parse_function *parse_as;
static bool print_model;

/* The number that `text` is, if it is one. */
static bool number(const char *text, uint32_t *value) {
  char *end;
  if (!text || !*text) return false;
  errno = 0;
  long read = strtol(text, &end, 10);
  if (*end || errno || read < 0 || read > UINT32_MAX) return false;
  *value = (uint32_t)read;
  return true;
}

/* Whether `word` is one of the names of an option, with its dashes. */
static bool is(const char *word, const char *shorter, const char *longer) {
  return (word[1] == '-') ? !strcmp(word + 2, longer) : (shorter && !strcmp(word + 1, shorter));
}

/* The time of `--time` is over. */
static void give_up(int signal) {
  static const char words[] = "unknown\n";
  (void)signal;
  _exit(write(STDOUT_FILENO, words, sizeof words - 1) < 0);
}

/* Sets one of the command's own options; whether it was one. */
static bool own(Btor *btor, const char *name, const char *value) {
  static const struct { const char *shorter, *longer; uint32_t base; } bases[] = {{"b", "bin", 1}, {"x", "hex", 2}, {"d", "dec", 3}};
  static const struct { const char *longer; parse_function *parse; } formats[] = {
      {"btor", boolector_parse_btor}, {"btor2", boolector_parse_btor2},
      {"smt1", boolector_parse_smt1}, {"smt2", boolector_parse_smt2}};
  uint32_t seconds;
  for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
    if (is(name, bases[i].shorter, bases[i].longer)) {
      boolector_set_opt(btor, OUTPUT_NUMBER_FORMAT, bases[i].base);
      return true;
    }
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (is(name, NULL, formats[i].longer)) {
      parse_as = formats[i].parse;
      return true;
    }
  if (!is(name, "t", "time")) return false;
  if (!number(value, &seconds)) fail_about("invalid argument for '%s', expected int", name);
  signal(SIGALRM, give_up);
  alarm(seconds);
  return true;
}

/* The library's option of this name; NULL if there is none. `no` says whether the name begins with `no-`. */
static bool find(Btor *btor, const char *name, int *found, bool *no) {
  size_t dashes = name[1] == '-' ? 2 : 1;
  for (int pass = 0; pass < 2; pass++) {
    const char *bare = name + dashes;
    if (pass && strncmp(bare, "no-", 3)) return false;
    if (pass) bare += 3;
    for (int option = boolector_first_opt(btor); boolector_has_opt(btor, option); option = boolector_next_opt(btor, option)) {
      const char *known = dashes == 2 ? boolector_get_opt_lng(btor, option) : boolector_get_opt_shrt(btor, option);
      if (known && !strcmp(known, bare)) {
        *found = option;
        *no = pass;
        return true;
      }
    }
  }
  return false;
}

/* Sets the option `name`, with the text of its value if it has one. */
static void set(Btor *btor, const char *name, const char *value) {
  static const char *const engines[] = {"fun", "sls", "prop", "aigprop", "quant"};
  int option;
  bool no;
  uint32_t parsed;
  if (own(btor, name, value)) return;
  if (!find(btor, name, &option, &no)) fail_about("invalid option '%s'", name);
  const char *longer = boolector_get_opt_lng(btor, option);
  bool is_flag = boolector_get_opt_max(btor, option) == 1 && boolector_get_opt_min(btor, option) == 0;
  bool counts = !strcmp(longer, "verbosity") || !strcmp(longer, "loglevel") || option == MODEL_GEN;
  if (no) {
    parsed = 0;
  } else if (!value && (is_flag || counts)) {
    parsed = counts ? boolector_get_opt(btor, option) + 1 : 1;
  } else if (!value) {
    fail_about("missing argument for '%s'", name);
    return;
  } else if (!strcmp(longer, "sat-engine") && !number(value, &parsed)) {
    boolector_set_sat_solver(btor, value);
    return;
  } else if (!number(value, &parsed)) {
    size_t mode = 0, modes = strcmp(longer, "engine") ? 0 : sizeof engines / sizeof *engines;
    while (mode < modes && strcmp(value, engines[mode])) mode++;
    if (mode == modes) fail_about("invalid argument for '%s', expected int", name);
    parsed = 1 + (uint32_t)mode;
  }
  if (option == MODEL_GEN) print_model = parsed != 0;
  boolector_set_opt(btor, option, parsed);
}

static void read_arguments(Btor *btor, int count, char **words) {
  uint32_t ignored;
  for (int i = 1; i < count; i++) {
    char *word = words[i], *value = strchr(word, '=');
    if (word[0] != '-') {
      if (file_name) fail("multiple input files");
      file_name = word;
      continue;
    }
    if (is(word, "V", "version")) {
      puts(boolector_version(btor));
      exit(0);
    }
    if (value) {
      *value++ = 0;
    } else if (i + 1 < count && (number(words[i + 1], &ignored) || is(word, "E", "engine") || is(word, "SE", "sat-engine"))) {
      value = words[++i];
    }
    set(btor, word, value);
  }
  if (!file_name) fail("expected a file: this does not read standard input");
}

int main(int count, char **words) {
  boolector_set_abort(fail);
  Btor *btor = boolector_new();
  read_arguments(btor, count, words);
  FILE *file = fopen(file_name, "r");
  if (!file) fail_about("can not read '%s'", file_name);

  char *message = NULL;
  int32_t status = UNKNOWN, result;
  bool is_smt2 = parse_as == boolector_parse_smt2;
  if (parse_as)
    result = parse_as(btor, file, file_name, stdout, &message, &status);
  else
    result = boolector_parse(btor, file, file_name, stdout, &message, &status, &is_smt2);
  if (result == PARSE_ERROR) fail(message ? message : "parse error");
  if (result == PARSE_UNKNOWN && !is_smt2) {
    result = boolector_sat(btor);
    puts(result == SAT ? "sat" : result == UNSAT ? "unsat" : "unknown");
  }
  fflush(stdout);
  if ((result == SAT && status == UNSAT) || (result == UNSAT && status == SAT))
    fail_about("the answer is not the status of benchmark in '%s'", file_name);
  if (print_model && result == SAT) {
    bool as_btor = boolector_get_opt(btor, OUTPUT_FORMAT) == FORMAT_BTOR || !is_smt2;
    boolector_print_model(btor, as_btor ? "btor" : "smt2", stdout);
  }
  fflush(stdout);
  /* The command frees all memory first; nobody sees a difference. */
  _exit(result == SAT || result == UNSAT ? result : 0);
}
