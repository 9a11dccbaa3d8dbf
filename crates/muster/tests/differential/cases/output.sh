# Where output goes.

### the usual file
submit id -w n1 --wrap 'echo hello'
ended "$id"
ls; cat slurm-$id.out

### the usual files of an array
submit id -w n1 --array=1-2 --wrap 'echo $SLURM_ARRAY_TASK_ID'
ended "$id"
ls; cat slurm-${id}_1.out slurm-${id}_2.out

### errors beside output
submit id -w n1 --wrap 'echo good; echo bad >&2'
ended "$id"
cat slurm-$id.out

### errors in a file of their own
submit id -w n1 -o out.txt -e err.txt --wrap 'echo good; echo bad >&2'
ended "$id"
cat out.txt; echo --; cat err.txt

### patterns of a job
submit id -w n1 -J name -o 'f-%j-%x-%u-%%.txt' --wrap true
ended "$id"
ls

### patterns of an element
submit id -w n1 --array=3-4 -o 'f-%A-%a-%4a.txt' --wrap true
ended "$id"
ls

### patterns of a node
submit id -w n1 -o 'f-%n-%t-%s.txt' --wrap true
ended "$id"
ls

### a number with zeros
submit id -w n1 -o 'f-%10j.txt' --wrap true
ended "$id"
ls | sed "s/0*$id/ID/"

### a folder that is not there
submit id -w n1 -o nowhere/out.txt --wrap true
ended "$id"
ls
state "$id"

### nothing is kept
submit id -w n1 -o none --wrap 'echo lost'
ended "$id"
ls

### input from a file
echo from file > in.txt
submit id -w n1 -i in.txt -o out.txt --wrap 'cat'
ended "$id"
cat out.txt

### without input
batch 'cat | wc -c' -w n1

### files are emptied
echo old > out.txt
submit id -w n1 -o out.txt --wrap 'echo new'
ended "$id"
cat out.txt

### files are added to
echo old > out.txt
submit id -w n1 -o out.txt --open-mode=append --wrap 'echo new'
ended "$id"
cat out.txt

### files of steps are added to where those of the job are
for mode in append truncate; do
    echo old > step.txt
    submit id -w n1 -o out.txt --open-mode=$mode --wrap 'env | grep OPEN_MODE; srun -o step.txt echo new'
    ended "$id"
    cat out.txt step.txt
done

### a folder in the path
mkdir logs
submit id -w n1 -o logs/%x.txt -J name --wrap 'echo hello'
ended "$id"
cat logs/name.txt

### an absolute path
submit id -w n1 -o "$PWD/out.txt" --wrap 'echo hello'
ended "$id"
cat out.txt

### the folder of the job counts
mkdir there
submit id -w n1 -D there -o out.txt --wrap 'echo hello'
ended "$id"
cat there/out.txt
