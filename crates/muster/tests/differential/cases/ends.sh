# How jobs end.

### success
batch true -w n1

### failure
batch 'exit 3' -w n1

### a high exit code
batch 'exit 100' -w n1

### a signal of its own
batch 'kill -9 $$' -w n1

### the last command counts
batch 'false; true' -w n1

### a command that is not there
batch 'no-such-command' -w n1 | sed 's/.*: line/line/'

### cancelled while it waits
submit id -o /dev/null -H --wrap true
scancel "$id"
state "$id"

### cancelled while it runs
submit id -w n1 -o out.txt --wrap 'touch up; sleep 60'
there up
scancel "$id"
ended "$id"
state "$id" | sed 's/ by .*|/|/'
untimed out.txt

### what is said of a cancelled job stands with its errors
submit id -w n1 -o out.txt -e err.txt --wrap 'touch up; sleep 60'
there up
scancel "$id"
ended "$id"
cat out.txt; echo --; untimed err.txt

### the first node speaks for a cancelled job
submit id -N2 -o out.txt --wrap 'touch up; sleep 60'
there up
scancel "$id"
ended "$id"
untimed out.txt

### cancelled before its output is anywhere
submit id -w n1 -o none --wrap 'touch up; sleep 60'
there up
scancel "$id"
ended "$id"
ls

### a requeued job is told
submit id -w n1 -o out.txt --open-mode=append --wrap '[ -e up ] && exit 0; touch up; sleep 60'
there up
scontrol requeue "$id"
until grep -q slurmstepd out.txt; do sleep 0.05; done
scancel "$id"
ended "$id"
untimed out.txt | head -n 1

### a signal that ends the script is told as its end
submit id -w n1 -o out.txt --wrap 'touch up; sleep 60'
there up
scancel --signal=TERM --batch "$id"
ended "$id"
untimed out.txt | grep slurmstepd

### one that ends everything, too
submit id -w n1 -o out.txt --wrap 'touch up; sleep 60'
there up
scancel --signal=KILL --full "$id"
ended "$id"
untimed out.txt | grep slurmstepd

### the time is over
submit id -w n1 -p short -t 1 -o out.txt --wrap 'sleep 100'
ended "$id"
untimed out.txt
state "$id"

### cancelling asks before it forces
printf '#!/bin/bash\ntrap "echo asked; exit 0" TERM\ntouch up\nfor i in $(seq 600); do sleep 0.1; done\n' > s.sh
submit id -w n1 -o out.txt s.sh
there up
scancel "$id"
ended "$id"
untimed out.txt | grep -v Terminated

### cancelled by name
submit one -o /dev/null -H -J cancel-me-$$ --wrap true
submit two -o /dev/null -H -J cancel-me-$$ --wrap true
scancel --name=cancel-me-$$
ended "$one" "$two"
state "$one"; state "$two"

### cancelled by state
submit one -o /dev/null -H -J by-state-$$ --wrap true
scancel --state=PENDING --name=by-state-$$
ended "$one"
state "$one"

### cancelling what is not there
scancel 999999; echo $?

### cancelling nonsense
scancel nonsense; echo $?

### one element is cancelled
submit id -o /dev/null -H --array=1-3 --wrap true
scancel ${id}_2
squeue -h -r -j "$id" -o %K | sort
scancel "$id"
ended "$id"

### a signal to a job
printf '#!/bin/bash\ntrap "echo got it; exit 0" USR1\ntouch up\nfor i in $(seq 600); do sleep 0.1; done\n' > s.sh
submit id -w n1 -o out.txt s.sh
there up
scancel --signal=USR1 --batch "$id"
ended "$id"
cat out.txt
state "$id"

### the job is killed when its time is over
submit id -w n1 -p short -t 0:01 -o /dev/null --wrap 'sleep 100'
field "$id" TimeLimit
scancel "$id"

### held and released
submit id -w n1 -o out.txt -H --wrap 'echo ran'
scontrol release "$id"
ended "$id"
cat out.txt

### held while it waits
submit id -o /dev/null --begin=now+1hour --wrap true
scontrol uhold "$id"
squeue -h -j "$id" -o "%t %r"
scancel "$id"

