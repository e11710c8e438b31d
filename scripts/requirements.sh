#!/usr/bin/env bash
# Installs the programs that the instrumented build and the downloads call, if they are missing (Debian, as root).
# With --tests, also installs what the tests need: a browser to show reports, and Slurm to run an experiment.
set -euo pipefail

missing=()
for need in g++:g++ make:make python3:python3 gcov:gcc; do
    command -v "${need%%:*}" >/dev/null || missing+=("${need##*:}")
done
python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
if [ "${1:-}" = --tests ]; then
    PATH=$PATH:/usr/sbin
    for need in chromium:chromium sbatch:slurm-wlm slurmctld:slurm-wlm munged:munge; do
        command -v "${need%%:*}" >/dev/null || missing+=("${need##*:}")
    done
fi
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "requirements.sh: please install: ${missing[*]}" >&2
    exit 1
fi
if [ "$(id -u)" != 0 ]; then
    echo "requirements.sh: please run as root: apt-get install ${missing[*]}" >&2
    exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
