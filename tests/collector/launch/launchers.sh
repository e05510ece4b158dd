#!/usr/bin/env bash
# Checks that launchers and lapscope work together, in either order. The folder must have a trace of each rank, with its
# rank and the number of ranks, and the summaries must be merged. Runs this machine's Open MPI and Slurm with a fake
# libcupti. Starts Slurm's daemons as root, for this test only.
#
#   tests/collector/launch/launchers.sh BUILD
set -euo pipefail
build=$(realpath "${1:?usage: launchers.sh BUILD}")
lapscope=$build/bin/lapscope
program=("$build/tests/collector/inject/fake_cuda_program" init work=8)
record=("$lapscope" record --no-calibrate --cupti "$build/tests/collector/inject/libfake_cupti.so")
work=$(mktemp -d)
daemons=()
end() {
  [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap end EXIT
cd "$work"
failed=0

check() { # FOLDER: four ranks of four, whose summaries are as many
  local ranks sizes
  ranks=$(for trace in "$1"/*.sqlite; do
    "$lapscope" query "$trace" "SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'rank'" --format csv | tail -n +2
  done | sort | tr '\n' ' ')
  sizes=$(for trace in "$1"/*.sqlite; do
    "$lapscope" query "$trace" "SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'world-size'" --format csv | tail -n +2
  done | sort -u | tr '\n' ' ')
  mkdir -p "$1/summaries"
  for trace in "$1"/*.sqlite; do
    "$lapscope" summarize --ranks "$trace" -o "$1/summaries/$(basename "$trace" .sqlite).json"
  done
  local merged
  merged=$("$lapscope" analyze --summaries "$1/summaries" --format json | grep -c '"rank": "[0-3]"' || true)
  if [ "$ranks" = "0 1 2 3 " ] && [ "$sizes" = "4 " ] && [ "$merged" -eq 4 ]; then
    echo "$1: ranks ${ranks}of ${sizes}merged"
  else
    echo "FAILED: $1: ranks '$ranks', sizes '$sizes', $merged merged"
    failed=1
  fi
}

if command -v mpirun >/dev/null; then
  mpi=(mpirun --oversubscribe -n 4)
  [ "$(id -u)" -ne 0 ] || mpi+=(--allow-run-as-root)
  "${mpi[@]}" "${record[@]}" -o launched/ -- "${program[@]}"
  check launched
  "${record[@]}" -o launches/ -- "${mpi[@]}" "${program[@]}"
  rm -f launches/*norank*
  check launches
else
  echo "lapscope-skip: launchers: there is no mpirun (openmpi-bin)"
fi

start_slurm() {
  local host
  host=$(hostname -s)
  mkdir -p slurm/state slurm/spool
  dd if=/dev/urandom of=slurm/munge.key bs=1 count=128 2>/dev/null
  chmod 400 slurm/munge.key
  munged --foreground --force --socket "$work/slurm/munge.socket" --key-file "$work/slurm/munge.key" \
    --pid-file "$work/slurm/munge.pid" --seed-file "$work/slurm/munge.seed" --log-file "$work/slurm/munge.log" &
  daemons+=($!)
  cat >slurm/slurm.conf <<CONF
ClusterName=test
SlurmctldHost=$host
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/slurm/munge.socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SlurmctldPort=16817
SlurmdPort=16818
ReturnToService=2
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:4 State=UP
CONF
  export SLURM_CONF=$work/slurm/slurm.conf
  slurmctld -D &
  daemons+=($!)
  slurmd -D -N "$host" &
  daemons+=($!)
  for _ in $(seq 50); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
    sleep 0.2
  done
  return 1
}

if [ "$(id -u)" -eq 0 ] && command -v slurmctld >/dev/null && command -v munged >/dev/null; then
  if start_slurm >slurm.log 2>&1; then
    srun -n 4 --overcommit "${record[@]}" -o srun/ -- "${program[@]}"
    check srun
  else
    echo "lapscope-skip: launchers: Slurm did not start here"
    cat slurm.log slurm/*.log 2>/dev/null | tail -5
  fi
else
  echo "lapscope-skip: launchers: Slurm needs root, slurm-wlm and munge"
fi
exit $failed
