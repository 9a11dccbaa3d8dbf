# What the script of a job is told.

### a job without options
batch "$variables"

### tasks per node and CPUs per task
batch "$variables" -N2 --ntasks-per-node=2 -c 2

### only nodes
batch "$variables" -N2

### only tasks
batch "$variables" -n 3

### GPUs by node
batch "$variables" -N2 --gres=gpu:2
