# What the script of a job is told. Where one node is enough, it is always the same.

### a job without options
batch "$variables" -w n1

### a name
batch "$variables" -w n1 -J some-name

### tasks per node and CPUs per task
batch "$variables" -N2 --ntasks-per-node=2 -c 2

### only nodes
batch "$variables" -N2

### only tasks
batch "$variables" -N1 -w n1 -n 3

### more tasks than one per node
batch "$variables" -N2 -n 6 --ntasks-per-node=3

### tasks that do not divide
batch 'echo $SLURM_NTASKS $SLURM_NNODES' -N2 -n 5

### only CPUs per task
batch "$variables" -w n1 -c 4

### GPUs by gres
batch "$variables" -N2 --gres=gpu:2

### GPUs of a type by gres
batch "$variables" -w n1 --gres=gpu:h100:1

### GPUs per node
batch "$variables" -N2 --gpus-per-node=1

### GPUs per node of a type
batch "$variables" -N1 -w n1 --gpus-per-node=h100:2

### GPUs per task
batch "$variables" -N1 -w n1 -n 2 --gpus-per-task=1

### GPUs in all
batch "$variables" -w n1 -N1 --gpus=2

### CPUs per GPU
batch "$variables" -w n1 --gres=gpu:2 --cpus-per-gpu=3

### memory per node
batch "$variables" -w n1 --mem=2G

### memory with the letter of bytes
batch "$variables" -w n1 --mem=2GB

### memory per CPU
batch "$variables" -w n1 -c 2 --mem-per-cpu=100

### memory per GPU
batch "$variables" -w n1 --gres=gpu:1 --mem-per-gpu=1G

### all memory
batch "$variables" -w n1 --mem=0

### a node alone
batch "$variables" -w n1 --exclusive

### overcommit
batch "$variables" -N2 -n 5 -O

### distribution
batch "$variables" -N2 -n 4 --ntasks-per-node=2 --distribution=cyclic

### no hyper-threads
batch "$variables" -N1 -w n1 -n 1 --hint=nomultithread

### another partition
batch "$variables" -p short -w m1

### a dependency is named
submit first -o /dev/null --wrap true
batch "$variables" -w n1 -d afterany:$first

### elements of an array
printf '#!/bin/bash\nenv | grep ^SLURM_ARRAY | grep -v ARRAY_JOB_ID | sort\n[ $SLURM_ARRAY_JOB_ID = $1 ] || echo other\n' > s.sh
submit id -o 'out-%a.txt' --array=2-6:2 -w n1 s.sh 0
ended "$id"
grep -h -v other out-2.txt out-4.txt out-6.txt

### elements of a list with a throttle
printf '#!/bin/bash\nenv | grep ^SLURM_ARRAY_TASK | grep -v STEP | sort\n' > s.sh
submit id -o 'out-%a.txt' --array=1,5,9%2 -w n1 s.sh
ended "$id"
cat out-1.txt out-5.txt out-9.txt

### variables of the submitter travel
export OWN_VARIABLE="a b"
batch 'echo "[$OWN_VARIABLE]"' -w n1

### no variables travel
export OWN_VARIABLE=kept
batch 'echo "[$OWN_VARIABLE] [$HOME] [${SLURM_EXPORT_ENV-}]"' -w n1 --export=NONE

### only named variables travel
export ONE=1 TWO=2
batch 'echo "[$ONE] [$TWO] [$THREE]"' -w n1 --export=ONE,THREE=3

### all variables and one more
export ONE=1
batch 'echo "[$ONE] [$TWO] [${SLURM_EXPORT_ENV-}]"' -w n1 --export=ALL,TWO=2

### the folder of the submitter
mkdir deep; cd deep
submit id -o ../out.txt -w n1 --wrap 'pwd; echo $SLURM_SUBMIT_DIR'
ended "$id"
cat ../out.txt

### another folder
mkdir other
batch 'pwd; [ "$SLURM_SUBMIT_DIR" = "$OLD" ] || echo "$SLURM_SUBMIT_DIR"' -w n1 --chdir=other

### arguments of the script
printf '#!/bin/bash\necho $# "$1" "$2"\n' > s.sh
submit id -o out.txt -w n1 s.sh "one two" --flag
ended "$id"
cat out.txt

### the mask for new files
umask 027
batch 'umask' -w n1

### a script for another interpreter
printf '#!/usr/bin/env python3\nimport os\nprint(os.environ["SLURM_JOB_NUM_NODES"], os.environ["SLURM_JOB_NAME"])\n' > s.py
submit id -o out.txt -N2 s.py
ended "$id"
cat out.txt

### the script runs once on the first node
batch 'echo $SLURMD_NODENAME $SLURM_NODEID $SLURM_PROCID' -N2 --ntasks-per-node=4

### variables of options beat directives and are beaten by the command line
export SBATCH_JOB_NAME=from-environment SBATCH_TIMELIMIT=3
printf '#!/bin/bash\n#SBATCH -J from-script -t 2\necho $SLURM_JOB_NAME\n' > s.sh
submit one -o one.txt -w n1 s.sh
submit two -o two.txt -w n1 -J from-line s.sh
ended "$one" "$two"
cat one.txt two.txt
field "$one" TimeLimit
