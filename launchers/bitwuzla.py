# Bitwuzla's command on top of its Python library: reads one script with the library's own parser, as `bitwuzla` does.
#
# Setup puts it into `bin/` of the unpacked wheel, below a first line that starts Python without site packages. It differs
# from the command in one thing: what is wrong is said as SMT-LIB has it, `(error "…")` on standard output, so that it
# stands behind the answers that came before it. Whatever is imported here costs time in every run.
import posix
import sys

import _signal

# Python's own ways with signals would hide how the solver ends.
for number in (_signal.SIGINT, _signal.SIGPIPE, _signal.SIGXFSZ):
    _signal.signal(number, _signal.SIG_DFL)


def say(text, descriptor=1):
    """Writes at once: the library's own output is flushed after each command."""
    data = text.encode(errors="surrogateescape")
    while data:
        data = data[posix.write(descriptor, data):]


def end(code):
    """Ends as the command does, without tearing down what is still in memory."""
    posix._exit(code)


def fail(message):
    say('(error "' + message.replace('"', '""') + '")\n')
    end(1)


def fall(message):
    """What no handler of the command's would have caught."""
    say(message + "\n", 2)
    posix.abort()


sys.path.insert(0, __file__.rpartition("/")[0] + "/..")
try:
    import bitwuzla
except ImportError as error:
    say("bitwuzla: expected a wheel for the Python that starts it, " + sys.executable + ": " + str(error)
        + "; remove the folder " + sys.path[0] + " and run setup again\n", 2)
    end(1)

# Options of the command itself; 1: with a value. All others are the library's.
OWN = {"--print-model": 0, "--parse-only": 0, "--bv-output-format": 1, "--time-limit": 1, "--lang": 1}
SHORT = {"-P": "--parse-only", "-t": "--time-limit"}
# These print things that the library does not hand out, or not as the command prints them.
MISSING = {"--help", "-h", "--print-formula", "-p", "--print-unsat-core", "--print-no-letify", "--stats", "--pp-only",
           "--output-lang"}


def takes_value(options, name):
    """Whether an option of the library that was given without `=` is followed by its value."""
    bare = name[1:].removeprefix("-")
    if not options.is_valid(bare):
        return None
    option = options.option(bare)
    if options.is_mode(option):
        return True
    if not options.is_numeric(option):
        return False
    # `-v -v` counts.
    return None if option in (bitwuzla.Option.VERBOSITY, bitwuzla.Option.LOGLEVEL) else True


def number(name, value):
    if not (value.isascii() and value.isdigit()):
        fail(f"expected numeric value for option `{name}` but got `{value}`")
    return int(value)


def read_arguments(options):
    """The command's own options, those of the library, and the script's file."""
    own, library, file = {}, [], None
    rest = sys.argv[1:]
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        name = SHORT.get(name, name)
        if word in ("--version", "-V"):
            say(bitwuzla.version() + "\n")
            end(0)
        elif word in ("--copyright", "-c"):
            say(bitwuzla.copyright() + "\n")
            end(0)
        elif name in MISSING:
            fail(f"option `{name}` is not available: it belongs to Bitwuzla's command, and this is its library")
        elif name in OWN:
            if OWN[name] and not equals and rest:
                value = rest.pop(0)
            if OWN[name] and not value:
                fail(f"expected value for option `{name}`")
            own[name] = value
        elif word.startswith("-"):
            library.append(word)
            if not equals and rest:
                takes = takes_value(options, word)
                if takes or (takes is None and rest[0].isdigit()):
                    library.append(rest.pop(0))
        elif file is None:
            file = word
        elif file != word:
            fail(f"multiple input files detected: `{word}`, already got `{file}`.")
    return own, library, file


def main():
    options = bitwuzla.Options()
    own, library, file = read_arguments(options)
    if file is None:
        fail("expected a file: this does not read standard input")
    base = number("--bv-output-format", own.get("--bv-output-format", "2"))
    if base not in (2, 10, 16):
        fail("invalid bit-vector output number format, expected '2', '10', or '16'")
    language = own.get("--lang", "btor2" if file.endswith(".btor2") else "smt2")
    if language not in ("smt2", "btor2"):
        fail(f"invalid input language given `{language}`, expected 'smt2' or 'btor2'")
    options.set_args(*library)
    if "--print-model" in own:
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options, language, base)
    parser.configure_auto_print_model("--print-model" in own)
    limit = number("--time-limit", own.get("--time-limit", "0"))
    if limit:
        import time

        last = time.monotonic() + limit / 1000
        parser.configure_terminator(lambda: time.monotonic() > last)
    parser.parse(file, "--parse-only" in own)


try:
    main()
except bitwuzla.BitwuzlaException as error:
    message = str(error)
    if message.startswith("invalid call"):
        message = message.partition("', ")[2] or message
    fail(message)
except MemoryError:
    fall("terminate called after throwing an instance of 'std::bad_alloc'")
except BaseException as error:
    fall(f"terminate called after throwing an exception: {type(error).__name__}: {error}")
end(0)
