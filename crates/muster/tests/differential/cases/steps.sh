# Steps: what `srun` does inside and outside of jobs.

### one task on each node by default
batch 'srun bash -c "echo \$SLURM_PROCID \$SLURMD_NODENAME" | sort' -N2

### tasks of the job
batch 'srun bash -c "echo \$SLURM_PROCID \$SLURM_LOCALID \$SLURM_NODEID" | sort -n' -N2 --ntasks-per-node=2

### fewer tasks than the job
batch 'srun -n 2 bash -c "echo \$SLURM_PROCID of \$SLURM_NTASKS" | sort' -N1 -w n1 -n 4

### more tasks than the job
batch 'srun -n 9 true' -N1 -w n1 -n 2 2>&1 | grep -c "More processors requested than permitted"

### one node of two
batch 'srun -N1 -n1 bash -c "echo \$SLURM_STEP_NODELIST \$SLURM_NNODES \$SLURM_JOB_NUM_NODES"' -N2

### a certain node
batch 'srun -N1 -n1 -w n2 bash -c "echo \$SLURMD_NODENAME"' -N2

### not on a certain node
batch 'srun -N1 -n1 -x n1 bash -c "echo \$SLURMD_NODENAME"' -N2

### from the second node on
batch 'srun -N1 -n1 -r 1 bash -c "echo \$SLURMD_NODENAME"' -N2

### variables of a task
batch "srun -n1 -N1 -w n1 bash -c '$variables' | grep -v CPUS_ON_NODE" -N2 --ntasks-per-node=2 -c 2

### variables of the last of four tasks
batch "srun bash -c 'if [ \$SLURM_PROCID = 3 ]; then $variables; fi'" -N2 --ntasks-per-node=2

### variables of a task with GPUs
batch "srun bash -c '$variables'" -w n1 -n1 --gres=gpu:2

### numbers of steps
batch 'srun -n1 bash -c "echo \$SLURM_STEP_ID"; srun -n1 bash -c "echo \$SLURM_STEP_ID"' -w n1

### labels
batch 'srun -l bash -c "echo hello" | sort' -N2 --ntasks-per-node=2

### labels of errors
batch 'srun -l bash -c "echo oops >&2" 2>&1 | sort' -w n1 -n2

### the exit code of a task
batch 'srun bash -c "exit 3"; echo $?' -w n1 2>&1

### the highest exit code counts
batch 'srun bash -c "exit \$SLURM_PROCID" 2> /dev/null; echo $?' -N1 -w n1 -n 4

### a task that is killed
batch 'srun bash -c "kill -9 \$\$" 2> /dev/null; echo $?' -w n1

### a command that is not there
batch 'srun no-such-command > /dev/null 2>&1; echo $?' -w n1

### one bad task ends all
batch 'srun -K1 bash -c "[ \$SLURM_PROCID = 1 ] && exit 5; sleep 60" 2> /dev/null; echo $?' -N1 -w n1 -n 3

### steps one after the other
batch 'for i in 1 2 3; do srun -n1 echo step $i; done' -w n1

### steps side by side
batch 'for i in 1 2; do srun -n1 --exact bash -c "sleep 0.2; echo done" & done; wait' -N1 -w n1 -n 2

### a step waits for another
batch 'srun -n2 sleep 0.5 & sleep 0.2; srun -n2 echo second 2> /dev/null; wait' -N1 -w n1 -n 2

### overlapping steps
batch 'srun -n1 --overlap sleep 1 & srun -n1 --overlap echo beside; wait' -N1 -w n1 -n 1

### standard input goes to the first task
batch 'echo words | srun -n2 bash -c "[ \$SLURM_PROCID = 0 ] && cat || true"' -N1 -w n1 -n 2

### standard input for everybody is empty
batch 'echo words | srun -n2 --input=none cat | wc -c' -N1 -w n1 -n 2

### output into a file
batch 'srun -n2 -o step.txt bash -c "echo \$SLURM_PROCID"; sort step.txt' -N1 -w n1 -n 2

### output into a file for each task
batch 'srun -n2 -o step-%t.txt bash -c "echo \$SLURM_PROCID"; cat step-0.txt step-1.txt' -N1 -w n1 -n 2

### output of one task only
batch 'srun -n2 -o 1 bash -c "echo \$SLURM_PROCID"' -N1 -w n1 -n 2

### no output
batch 'srun -n2 -o none echo hidden' -N1 -w n1 -n 2

### errors apart
batch 'srun -n1 -e errors.txt bash -c "echo good; echo bad >&2"; cat errors.txt' -w n1

### the folder of a step
mkdir there
batch 'srun -n1 --chdir=there pwd' -w n1

### the variables of a step
batch 'export ONE=1; srun -n1 bash -c "echo [\$ONE]"; srun -n1 --export=NONE /bin/bash -c "echo [\$ONE]"' -w n1

### a step in a job from outside
submit id -N1 -w n1 -n 2 -o /dev/null --wrap 'touch up; sleep 60'
there up; running "$id"
srun --jobid="$id" --overlap -n1 bash -c 'echo $SLURM_JOB_ID $SLURMD_NODENAME'
scancel "$id"; ended "$id"

### a job of its own
srun -w n1 -n2 bash -c 'echo $SLURM_PROCID' 2> /dev/null | sort

### a job of its own on two nodes
srun -N2 bash -c 'echo $SLURMD_NODENAME' 2> /dev/null | sort

### a job of its own that fails
srun -w n1 bash -c 'exit 4' 2> /dev/null; echo $?

### a job of its own with labels
srun -w n1 -n2 -l echo hello 2> /dev/null | sort

### input of a job of its own
echo words | srun -w n1 cat 2> /dev/null

### an allocation
salloc -N2 -n2 srun bash -c 'echo $SLURMD_NODENAME' 2> /dev/null | sort

### what an allocation tells
salloc -w n1 -n1 bash -c 'echo $SLURM_NNODES $SLURM_NTASKS $SLURM_JOB_NODELIST' 2> /dev/null

### messages of an allocation
salloc -w n1 true 2>&1 | sed 's/[0-9]\{4,\}/ID/' | grep -E "Granted|Relinquishing"

### who does not wait is told that nodes are busy
submit id -p short -w m1 --exclusive --wrap 'sleep 60'; running "$id"
srun -I -p short -w m1 true 2>&1 | sed 's/[0-9]\{4,\}/ID/'; echo "${PIPESTATUS[0]}"
# At times Slurm also says that what it never gave is revoked.
salloc -I1 -p short -w m1 true 2>&1 | grep -v revoked; echo "${PIPESTATUS[0]}"
sinfo -h -n m1 -o "%T %N"
scancel "$id"; ended "$id"

### who does not wait and need not
srun -I5 -w n1 echo hello

### the exit code of an allocation
salloc -w n1 bash -c 'exit 6' 2> /dev/null; echo $?

### accounting rows of steps
printf '#!/bin/bash\nsrun -n1 sleep 1.5\nsrun -n2 false\ntrue\n' > s.sh
submit id -N1 -w n1 -n 2 -o /dev/null s.sh
ended "$id"; state "$id" > /dev/null
sacct -n -P -j "$id" -o JobID,State,ExitCode | grep -v extern

### cancelling one step
printf '#!/bin/bash\nsrun -n1 bash -c "touch up; sleep 60" 2> /dev/null\necho after\n' > s.sh
submit id -w n1 -o out.txt s.sh
there up
scancel "$id.0"
ended "$id"
tail -n 1 out.txt

### cancelling one step is told in its errors
printf '#!/bin/bash\nsrun -n1 bash -c "touch up; sleep 60"\necho after\n' > s.sh
submit id -w n1 -o out.txt s.sh
there up
scancel "$id.0"
ended "$id"
untimed out.txt | grep -v srun

### and in the file for them
printf '#!/bin/bash\nsrun -n2 -o step-%%t.txt bash -c "touch up-\$SLURM_PROCID; sleep 60"\n' > s.sh
submit id -w n1 -n2 -o out.txt s.sh
there up-0; there up-1
scancel "$id.0"
ended "$id"
untimed step-0.txt; echo --; untimed step-1.txt

### a step that is sent its end
printf '#!/bin/bash\nsrun -n1 bash -c "touch up; sleep 60"\necho after\n' > s.sh
submit id -w n1 -o out.txt s.sh
there up
scancel --signal=TERM "$id.0"
ended "$id"
untimed out.txt | grep -v srun

### one bad task ends all and that is told
batch 'srun -K1 bash -c "[ \$SLURM_PROCID = 1 ] && exit 5; sleep 60"' -N1 -w n1 -n 3 | untimed | grep slurmstepd

### a cancelled job of its own
srun -w n1 -J own-$$ bash -c 'touch up; sleep 60' > out.txt 2>&1 &
there up
note "$(squeue -h --name=own-$$ -o %A)"
scancel --name=own-$$
wait
untimed out.txt | grep slurmstepd

### a signal before the end goes to steps
printf '#!/bin/bash\nsrun -n1 bash -c "trap \\"echo step; exit 0\\" USR1; touch up; for i in \\$(seq 600); do sleep 0.1; done"\necho after\n' > s.sh
submit id -w n1 -o out.txt s.sh
there up
scancel --signal=USR1 "$id"
ended "$id"
grep -v "User defined" out.txt

### a signal to the script alone
printf '#!/bin/bash\ntrap "echo script; touch go" USR1\nsleep 600 &\ntouch up\nuntil [ -e go ]; do sleep 0.1; done\nkill %%1 && echo child lives\n' > s.sh
submit id -w n1 -o out.txt s.sh
there up
scancel --signal=USR1 --batch "$id"
ended "$id"
grep -v Terminated out.txt

### GPUs of each task
batch 'srun --gpus-per-task=1 bash -c "echo \$SLURM_PROCID \$SLURM_GPUS_ON_NODE" | sort' -N1 -w n1 -n 2 --gres=gpu:2

### CPUs of each task are not told where they were not asked for
batch 'srun -n1 bash -c "echo [\${SLURM_CPUS_PER_TASK-}]"' -N1 -w n1 -n 1
