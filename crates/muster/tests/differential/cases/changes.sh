# Jobs that are changed after they were submitted.

### another limit while it waits
submit one -w n1 -H -t 10 -o out.txt --wrap 'squeue -h -j $SLURM_JOB_ID -o %l'
scontrol update JobId=$one TimeLimit=20; echo $?
squeue -h -j "$one" -o "%l"
scontrol update JobId=$one TimeLimit=+5; echo $?
squeue -h -j "$one" -o "%l"
scontrol release "$one"
ended "$one"
cat out.txt

### a shorter limit while it runs
submit one -w n1 -t 10 -o /dev/null --wrap 'sleep 60'
running "$one"
scontrol update jobid=$one timelimit=5; echo $?
squeue -h -j "$one" -o "%l"
scancel "$one"

### another name
submit one -H -o /dev/null -J before --wrap true
scontrol update JobId=$one JobName=after; echo $?
squeue -h -j "$one" -o "%j"
scancel "$one"

### another start
submit one -w n1 -o out.txt -b now+1hour --wrap 'echo ran'
scontrol update JobId=$one StartTime=now; echo $?
ended "$one"
cat out.txt

### the whole of an array
submit one -H -o /dev/null --array=1-2 -t 10 --wrap true
scontrol update JobId=$one TimeLimit=3; echo $?
squeue -h -r -j "$one" -o "%l" | sort
scancel "$one"

### a job that is not there
scontrol update JobId=999999 TimeLimit=3; echo $?

### a value that is none
submit one -H -o /dev/null --wrap true
scontrol update JobId=$one TimeLimit=soon; echo $?
scancel "$one"

### a deadline that can
submit one -w n1 -t 1 --deadline=now+1hour -o out.txt --wrap 'echo ran'
ended "$one"
cat out.txt

### a least time
submit one -w n1 -t 10 --time-min=5 -o out.txt --wrap 'echo ran'
ended "$one"
cat out.txt

### few switches for a while
submit one -N2 --switches=1@1 -o out.txt --wrap 'echo ran'
ended "$one"
cat out.txt

### another throttle of an array
submit one -o /dev/null -w n1 --array=1-6%1 --wrap 'sleep 60'
running "${one}_1"
squeue -h -j "$one" -t PD -o "%i %r"
scontrol update JobId=$one ArrayTaskThrottle=3; echo $?
running "${one}_3"
squeue -h -j "$one" -t PD -o "%i %r"
scontrol show job "${one}_4" | grep -o "ArrayTaskThrottle=[0-9]*"
scontrol update JobId=$one ArrayTaskThrottle=1; echo $?
scancel "${one}_1"; ended "${one}_1"
squeue -h -r -j "$one" -t R -o %i | wc -l
scancel "$one"; ended "$one"

### another QOS
submit one -o /dev/null -H --wrap true
scontrol update JobId=$one QOS=normal; echo $?
squeue -h -j "$one" -o %q
scancel "$one"
