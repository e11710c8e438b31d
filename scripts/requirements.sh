#!/usr/bin/env bash
# Installs the programs that the instrumented build and the downloads call, where they are missing (Debian, as root);
# with --tests also Slurm, on which a test runs an experiment.
set -euo pipefail

missing=()
needs=(g++:g++ make:make python3:python3 gcov:gcc)
if [ "${1:-}" = --tests ]; then
    PATH=$PATH:/usr/sbin
    needs+=(sbatch:slurm-wlm slurmctld:slurm-wlm munged:munge)
fi
for need in "${needs[@]}"; do
    command -v "${need%%:*}" >/dev/null || missing+=("${need##*:}")
done
python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
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
# Slurm recommends a mail server and more, which nothing here needs; what g++ and pip need, they depend on.
recommends=()
if [[ ${missing[*]} =~ slurm-wlm|munge ]]; then
    recommends=(--no-install-recommends)
fi
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${recommends[@]}" "${missing[@]}"
