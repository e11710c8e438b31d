#!/usr/bin/env bash
# A Slurm cluster of virtual nodes on this one machine, to try `experiment run --engine slurm`. Everything is in one folder; it uses
# no systemd, no cgroups, and free ports of the loopback interface. It installs nothing and needs root.
#
#   scripts/slurm.sh start DIR [NODES]   starts it (2 nodes of one core each), and prints the line that makes Slurm's
#                                        commands use it: eval "$(scripts/slurm.sh start DIR)"
#   scripts/slurm.sh stop DIR            cancels its jobs and ends its processes; its logs stay
#   scripts/slurm.sh status DIR          shows nodes and jobs
set -euo pipefail

fail() {
    echo "slurm.sh: $*" >&2
    exit 1
}

usage() {
    sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2
    exit 2
}

[ $# -ge 2 ] || usage
verb=$1
folder=$(realpath -m -- "$2")
export SLURM_CONF=$folder/slurm.conf
export PATH=$PATH:/usr/sbin:/sbin

# The processes of this cluster that are alive: their numbers, the node daemons first.
daemons() {
    local file number
    for file in "$folder"/run/slurmd.*.pid "$folder/run/slurmctld.pid" "$folder/run/munged.pid"; do
        number=$(cat "$file" 2>/dev/null) || continue
        # A number alone may be another's by now.
        if tr '\0' ' ' 2>/dev/null <"/proc/$number/cmdline" | grep -qF -- "$folder/"; then
            echo "$number"
        fi
    done
}

# Processes that watch over a job of this cluster.
steps() {
    local process
    for process in /proc/[0-9]*; do
        if [ "$(cat "$process/comm" 2>/dev/null)" = slurmstepd ] \
            && tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -qxF -- "SLURM_CONF=$SLURM_CONF"; then
            echo "${process#/proc/}"
        fi
    done
}

# Waits until a list of processes is empty, at most so many tenths of a second.
gone() {
    local list=$1 tenths=$2
    while [ -n "$($list)" ]; do
        [ "$tenths" -gt 0 ] || return 1
        tenths=$((tenths - 1))
        sleep 0.1
    done
}

stop() {
    [ -e "$SLURM_CONF" ] || return 0
    if [ -n "$(daemons)" ]; then
        timeout 20 scancel --full --user="$(id -un)" --signal=KILL >/dev/null 2>&1 || true
        timeout 20 scancel --user="$(id -un)" >/dev/null 2>&1 || true
        gone steps 100 || true
    fi
    local signal
    for signal in TERM KILL; do
        for number in $(daemons) $(steps); do
            kill "-$signal" "$number" 2>/dev/null || true
        done
        if gone daemons 100 && gone steps 20; then
            return 0
        fi
    done
    fail "these processes of $folder do not end: $(daemons | tr '\n' ' ')"
}

in_use() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# The first of $1 ports in a row that are free.
free_ports() {
    local base port
    for base in $(seq 16817 20 19800); do
        for port in $(seq "$base" $((base + $1 - 1))); do
            if in_use "$port"; then
                continue 2
            fi
        done
        echo "$base"
        return 0
    done
    fail "found no $1 free ports in a row from 16817 on"
}

start() {
    local nodes=$1 missing=() program need
    for need in munged:munge slurmctld:slurm-wlm slurmd:slurm-wlm sbatch:slurm-wlm; do
        program=${need%%:*}
        command -v "$program" >/dev/null || missing+=("${need##*:}")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        fail "please install Slurm (as root: apt-get install --no-install-recommends slurm-wlm munge); missing:" \
            "$(printf '%s\n' "${missing[@]}" | sort -u | tr '\n' ' ')"
    fi
    [ "$(id -u)" = 0 ] || fail "the daemons must be started as root"
    [[ $nodes =~ ^[1-9][0-9]?$ ]] || fail "NODES must be 1 to 99, not $nodes"
    [[ $folder != *[[:space:]%]* ]] || fail "Slurm cannot have spaces or % in its own paths: $folder"
    # The path of a socket has 107 bytes at most.
    [ ${#folder} -le 90 ] || fail "the path is too long for a socket in it: $folder"
    stop
    rm -rf "${folder:?}"/{state,spool,run}
    mkdir -p "$folder"/{state,spool,run,log}
    chmod 755 "$folder" "$folder/run"
    if [ ! -s "$folder/munge.key" ]; then
        head -c 1024 /dev/urandom >"$folder/munge.key"
    fi
    chmod 400 "$folder/munge.key"
    local base memory host
    base=$(free_ports $((nodes + 1)))
    host=$(hostname -s)
    memory=$(($(awk '/MemTotal/ { print int($2 / 1024) }' /proc/meminfo) * 8 / 10 / nodes))
    cat >"$SLURM_CONF" <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# A job that is put back into the queue begins again no sooner than its credential expires.
AuthInfo=socket=$folder/run/munge.sock,cred_expire=5
CredType=cred/munge
SlurmctldPort=$base
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=2
JobAcctGatherParams=OverMemoryKill,UsePss
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=2,sched_min_interval=100000,batch_sched_delay=0
ReturnToService=2
MinJobAge=86400
SlurmdTimeout=10
SlurmctldTimeout=30
KillWait=5
SlurmdParameters=config_overrides
NodeName=n[1-$nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + nodes))] CPUs=1 RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    munged --force --key-file="$folder/munge.key" --socket="$folder/run/munge.sock" \
        --pid-file="$folder/run/munged.pid" --log-file="$folder/log/munged.log" \
        --seed-file="$folder/run/munged.seed" --num-threads=2 >&2
    slurmctld -f "$SLURM_CONF" >&2
    local node
    for node in $(seq 1 "$nodes"); do
        mkdir -p "$folder/spool/n$node"
        slurmd -f "$SLURM_CONF" -N "n$node" >&2
    done
    for _ in $(seq 1 300); do
        if [ "$(sinfo --noheader --Node --format=%T 2>/dev/null | sort -u)" = idle ]; then
            printf 'export SLURM_CONF=%q\n' "$SLURM_CONF"
            return 0
        fi
        sleep 0.1
    done
    tail -n 5 "$folder"/log/*.log >&2
    stop
    fail "the nodes did not become idle within 30 s; see the logs above, in $folder/log"
}

case $verb in
start) start "${3:-2}" ;;
stop) stop ;;
status)
    [ -e "$SLURM_CONF" ] || fail "$folder holds no cluster; start one with: $0 start $folder"
    sinfo --Node --long
    squeue --array
    ;;
*) usage ;;
esac
