# Jobs that wait for others.

### after success
submit one -w n1 -o /dev/null --wrap 'sleep 0.3'
submit two -w n1 -o out.txt -d afterok:$one --wrap 'echo ran'
ended "$one" "$two"
cat out.txt
state "$two"

### after a failure that had to succeed
submit one -w n1 -o /dev/null --wrap 'exit 1'
submit two -w n1 -o out.txt -d afterok:$one --kill-on-invalid-dep=yes --wrap 'echo ran'
ended "$one" "$two"
ls
state "$two" | sed 's/ by .*|/|/'

### after any end
submit one -w n1 -o /dev/null --wrap 'exit 1'
submit two -w n1 -o out.txt -d afterany:$one --wrap 'echo ran'
ended "$one" "$two"
cat out.txt

### after a failure
submit one -w n1 -o /dev/null --wrap 'exit 1'
submit two -w n1 -o out.txt -d afternotok:$one --wrap 'echo ran'
ended "$one" "$two"
cat out.txt

### after the start
submit one -w n1 -o /dev/null --wrap 'sleep 1'
submit two -w n1 -o out.txt -d after:$one --wrap 'echo ran'
ended "$two"
cat out.txt
scancel "$one"

### one of a name at a time
submit one -w n1 -J single-$$ -o /dev/null --wrap 'sleep 0.5'
submit two -w n1 -J single-$$ -o out.txt -d singleton --wrap 'echo ran'
ended "$one" "$two"
cat out.txt

### waiting for one is told
submit one -o /dev/null -H --wrap true
submit two -o /dev/null -d afterok:$one --wrap true
squeue -h -j "$two" -o "%t %r"
scancel "$one" "$two"

### after all of several
submit one -w n1 -o /dev/null --wrap 'sleep 0.2'
submit two -w n1 -o /dev/null --wrap 'sleep 0.3'
submit three -w n1 -o out.txt -d afterok:$one:$two --wrap 'echo ran'
ended "$one" "$two" "$three"
cat out.txt

### after a whole array
submit one -w n1 -o /dev/null --array=1-2 --wrap 'sleep 0.2'
submit two -w n1 -o out.txt -d afterok:$one --wrap 'echo ran'
ended "$one" "$two"
cat out.txt

### after a job that is over
submit one -w n1 -o /dev/null --wrap true
ended "$one"
submit two -w n1 -o out.txt -d afterok:$one --wrap 'echo ran'
ended "$two"
cat out.txt

### a dependency that makes no sense
sbatch -d sometime:1 --wrap true; echo $?

### after either of two
submit one -o /dev/null -H --wrap true
submit two -w n1 -o /dev/null --wrap 'exit 1'
submit three -w n1 -o out.txt -d afterok:$one?afternotok:$two --wrap 'echo ran'
ended "$two" "$three"
cat out.txt
scancel "$one"

### after one element
submit one -w n1 -o /dev/null --array=1-2 --wrap '[ $SLURM_ARRAY_TASK_ID = 2 ]'
submit two -w n1 -o out.txt -d afterok:${one}_2 --wrap 'echo ran'
ended "$two"
cat out.txt

### each element after its own
submit one -w n1 -o /dev/null --array=1-2 --wrap '[ $SLURM_ARRAY_TASK_ID = 2 ]'
submit two -w n1 -o out-%a.txt --array=1-2 -d aftercorr:$one --kill-on-invalid-dep=yes --wrap 'echo ran $SLURM_ARRAY_TASK_ID'
ended "$one" "$two"
cat out-2.txt
ls

### another dependency
submit one -o /dev/null -H --wrap true
submit two -w n1 -o out.txt -d afterok:$one --wrap 'echo ran'
scontrol update JobId=$two Dependency=; echo $?
ended "$two"
cat out.txt
scancel "$one"
