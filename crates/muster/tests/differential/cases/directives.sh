# Directives of scripts and what becomes of them.

### all three ways to write a value
printf '#!/bin/bash\n#SBATCH --job-name=a\n#SBATCH --time 5\n#SBATCH -N2\necho $SLURM_JOB_NAME $SLURM_NNODES\n' > s.sh
submit id -o out.txt s.sh
ended "$id"
cat out.txt
field "$id" TimeLimit NumNodes

### unambiguous prefixes
printf '#!/bin/bash\n#SBATCH --job-n=b --nodel=n1\necho $SLURM_JOB_NAME $SLURM_JOB_NODELIST\n' > s.sh
submit id -o out.txt s.sh
ended "$id"
cat out.txt

### directives after the first command are passed over
printf '#!/bin/bash\n#SBATCH -J first\ntrue\n#SBATCH -J second\necho $SLURM_JOB_NAME\n' > s.sh
submit id -o out.txt -w n1 s.sh
ended "$id"
cat out.txt

### comments and empty lines between directives
printf '#!/bin/bash\n\n# a comment\n#SBATCH -J one # and another\n   \n##SBATCH -J two\n# SBATCH -J three\n #SBATCH -J four\necho $SLURM_JOB_NAME\n' > s.sh
submit id -o out.txt -w n1 s.sh
ended "$id"
cat out.txt

### quotes in a directive
printf '#!/bin/bash\n#SBATCH --comment="two words" -J q\ntrue\n' > s.sh
submit id -o out.txt -w n1 s.sh
ended "$id"
field "$id" JobName

### several options on one line
printf '#!/bin/bash\n#SBATCH -N 2 -n 4 -t 7\necho $SLURM_NNODES $SLURM_NTASKS\n' > s.sh
submit id -o out.txt s.sh
ended "$id"
cat out.txt

### the last directive counts
printf '#!/bin/bash\n#SBATCH -t 5\n#SBATCH -t 9\ntrue\n' > s.sh
submit id -o out.txt -w n1 s.sh
ended "$id"
field "$id" TimeLimit

### the command line beats the script
printf '#!/bin/bash\n#SBATCH -t 5 -J from-script\necho $SLURM_JOB_NAME\n' > s.sh
submit id -o out.txt -w n1 -J from-line s.sh
ended "$id"
cat out.txt
field "$id" TimeLimit

### an unknown option
printf '#!/bin/bash\n#SBATCH --no-such-option=1\ntrue\n' > s.sh
sbatch s.sh > said 2>&1; echo $?
grep -c "unrecognized option" said

### a script without an interpreter
printf 'echo hello\n' > s.sh
sbatch s.sh; echo $?

### no script at all
sbatch nowhere.sh > said 2>&1; echo $?
cat said

### an empty script
: > s.sh
sbatch s.sh; echo $?

### a script with carriage returns
printf '#!/bin/bash\r\necho hello\r\n' > s.sh
sbatch s.sh; echo $?

### a script from standard input
printf '#!/bin/bash\necho from input\n' > s.sh
submit id -o out.txt -w n1 < s.sh
ended "$id"
cat out.txt

### a wrapped command
submit id -o out.txt -w n1 --wrap 'echo wrapped $SLURM_JOB_NAME'
ended "$id"
cat out.txt

### a wrapped command beside a script
printf '#!/bin/bash\ntrue\n' > s.sh
sbatch --wrap true s.sh; echo $?

### times in all forms
for time in 5 5:30 1:05:30 1-0 1-2:3 1-2:3:4 0; do
    submit id -o /dev/null -H -t $time --wrap true && field "$id" TimeLimit
    scancel "$id"
done

### a time that is none
sbatch -t soon --wrap true; echo $?

### memory that is none
sbatch --mem=lots --wrap true || echo refused

### an unknown partition
sbatch -p nowhere --wrap true; echo $?

### an unknown node
sbatch -w nowhere --wrap true; echo $?

### an unknown reservation
sbatch --reservation=nothing --wrap true 2> /dev/null; echo $?

### the time of the partition
submit id -o /dev/null -p short -w m1 --wrap true
field "$id" TimeLimit Partition
ended "$id"

### a feature that nodes have
batch 'echo $SLURM_JOB_NODELIST | grep -c n' -C fast

### features together
batch 'echo $SLURM_JOB_NODELIST | grep -c n' -C 'fast&h100'

### one feature or the other
batch 'echo $SLURM_JOB_NODELIST | grep -c n' -C 'h100|fast'

### certain nodes
batch 'echo $SLURM_JOB_NODELIST' -w n2

### not on certain nodes
batch 'echo $SLURM_JOB_NODELIST' -x n1

### several certain nodes
batch 'echo $SLURM_JOB_NODELIST' -w 'n[1-2]' -N2

### a comment
submit id -o /dev/null -H --comment "some words" --wrap true
field "$id" JobName
scancel "$id"

### mail is accepted
batch 'echo ran' -w n1 --mail-type=END,FAIL --mail-user=user-a@example.org

### options without effect are accepted
batch 'echo ran' -w n1 --wckey=x --nice=10 --gpu-bind=none --ntasks-per-core=1 --wait-all-nodes=1

### an account
batch 'echo ran' -w n1 --account=anything

### held from the beginning
submit id -o out.txt -H -w n1 --wrap 'echo ran'
squeue -h -j "$id" -o "%t %r"
scontrol release "$id"
ended "$id"
cat out.txt

### not before a time
submit id -o /dev/null --begin=now+1hour --wrap true
squeue -h -j "$id" -o "%t %r"
scancel "$id"
state "$id"

### what would happen
foretold() { sed -E 's/Job [0-9]+/Job ID/; s/[0-9-]+T[0-9:]+/TIME/'; }
sbatch --test-only -w n1 -n2 --wrap true 2>&1 | foretold; echo "${PIPESTATUS[0]}"
srun --test-only -N2 -w n1,n2 touch ran 2>&1 | foretold; echo "${PIPESTATUS[0]}"
ls ran 2>&1
sbatch --test-only -w n1 --wrap true -C nowhere 2>&1 | foretold; echo "${PIPESTATUS[0]}"
srun --test-only -w n1 -C nowhere true 2>&1 | foretold; echo "${PIPESTATUS[0]}"
