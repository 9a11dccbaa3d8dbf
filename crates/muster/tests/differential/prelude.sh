# What every case can use, on both sides. Numbers of jobs are noted, so that they can be compared.
note() { echo "$1" >> .ids; }

# Submits, notes the number, prints nothing: `submit NAME OPTIONS...` sets $NAME.
submit() {
    local submit_name=$1 submit_id
    shift
    submit_id=$(sbatch --parsable "$@") || { echo "sbatch exits with $?"; return 1; }
    note "$submit_id"
    printf -v "$submit_name" '%s' "$submit_id"
}

# Waits until jobs are over.
ended() {
    local id
    for id; do
        while squeue -h -j "$id" -o %t 2>/dev/null | grep -q .; do sleep 0.05; done
    done
}

# Waits until a job runs.
running() { until [ "$(squeue -h -j "$1" -o %t 2>/dev/null | head -n 1)" = R ]; do sleep 0.05; done; }

# Waits until a file is there.
there() { until [ -e "$1" ]; do sleep 0.05; done; }

# What files say, without the time at which things were ended, and without the name of the node that
# a Slurm of several nodes on one machine puts to its own.
untimed() { sed -E 's/slurmstepd-[^:]+:/slurmstepd:/; s/ AT [0-9T:-]+/ AT TIME/' "$@"; }

# Runs a script text as a job with these options to its end, and shows what it wrote.
batch() {
    local text=$1 id
    shift
    printf '#!/bin/bash\n%s\n' "$text" > script.sh
    submit id -o out.txt "$@" script.sh || return
    ended "$id"
    cat out.txt
    state "$id"
}

# How a job ended. Slurm's database hears of it a little later.
state() {
    local try
    for try in $(seq 100); do
        sacct -n -X -P -o State -j "$1" 2>/dev/null | grep -qE "RUNNING|PENDING|^$" || break
        sleep 0.05
    done
    sacct -n -X -P -o State,ExitCode -j "$1"
}

# Some fields of what `scontrol show job` says.
field() {
    local id=$1 name
    shift
    for name; do scontrol -o show job "$id" | tr ' ' '\n' | grep "^$name=" | head -n 1; done
}

# Writes a script: `script NAME` with its text on standard input.
script() { cat > "$1"; chmod +x "$1"; }

# The variables that tell a program where it is.
variables='env | grep -E "^(SLURM|SBATCH)" | grep -vE "^SLURM_(TASK_PID|CONF|SUBMIT_DIR)=" | sort'
