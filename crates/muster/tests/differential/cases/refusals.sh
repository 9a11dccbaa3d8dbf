# What no node has.

### a feature that no node has
sbatch -C nowhere --wrap true
srun -C nowhere true
salloc -C nowhere true

### features that no node has together
sbatch -C 'fast&nowhere' --wrap true

### a feature or one that no node has
sbatch -C 'fast|nowhere' --wrap true

### more GPUs than any node has
sbatch --gres=gpu:9 --wrap true
sbatch --gpus-per-node=9 --wrap true
srun --gres=gpu:9 true

### more GPUs than all nodes have
sbatch --gpus=99 --wrap true

### a type of GPU that no node has
sbatch --gres=gpu:nosuch:1 --wrap true

### more nodes than there are
submit id -N9 --wrap true
squeue -h -j "$id" -o %t
scancel "$id"

### a job that is not to be requeued
submit id -w n1 --no-requeue -o out.txt --wrap 'touch up; sleep 60'
there up
scontrol requeue "$id"
scontrol requeuehold "$id"
squeue -h -j "$id" -o %t
scancel "$id"
