// A solver, as far as can be told from outside: it says its version, says sat, and does not end where it reads `loop`.
#include <csignal>
#include <fstream>
#include <iostream>
#include <string>
static volatile std::sig_atomic_t interrupted;
static void interrupt(int) { interrupted = 1; }
int main(int argc, char **argv) {
    std::string option = argc > 1 ? argv[1] : "", word;
    if (option == "--version") { std::cout << "Mine 1.2.3\n"; return 0; }
    if (option == "--polite") std::signal(SIGINT, interrupt);
    std::ifstream script(argv[argc - 1]);
    while (script >> word)
        if (word == "loop")
            while (!interrupted) ;
    std::cout << (interrupted ? "unknown\n" : "sat\n");
}
