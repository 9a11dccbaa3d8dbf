# What the commands that list print.

### squeue of nothing
squeue --me --name=no-such-name

### squeue without a head
squeue -h --name=no-such-name

### squeue of a waiting job
submit id -o /dev/null -H -J listed -t 5 --wrap true
squeue -j "$id" | sed "s/ *$id/JOB/"
scancel "$id"

### squeue in a format of letters
submit id -o /dev/null -H -J listed -N2 -n 4 -t 5 --wrap true
squeue -h -j "$id" -o "%P|%j|%u|%t|%T|%M|%l|%D|%C|%r|%Q" | sed 's/|[0-9]*$//'
scancel "$id"

### squeue in a format of words
submit id -o /dev/null -H -J listed -t 5 --wrap true
squeue -h -j "$id" -O "Name:12,UserName:10,StateCompact:4,TimeLimit:8,NumNodes:4,Reason:14"
scancel "$id"

### squeue of an array that waits
submit id -o /dev/null -H -J listed --array=1-5%2 --wrap true
squeue -h -j "$id" -o "%i %t" 
squeue -h -r -j "$id" -o "%K %t" | sort
scancel "$id"

### squeue of running jobs
submit id -w n1 -o /dev/null -J listed -n 2 --wrap 'touch up; sleep 30'
there up; running "$id"
squeue -h -j "$id" -o "%t %D %C %N %R"
scancel "$id"; ended "$id"

### squeue by state
submit id -o /dev/null -H -J listed-$$ --wrap true
squeue -h -t PD --name=listed-$$ -o %t
squeue -h -t R --name=listed-$$ -o %t
squeue -h -t PENDING,RUNNING --name=listed-$$ -o %T
scancel "$id"

### squeue of an unknown job
squeue -j 999999; echo $?

### squeue with an unknown option
squeue --no-such-option > said 2>&1; echo $?

### sinfo
sinfo -h -o "%P %a %l %D" -p short

### sinfo by node
sinfo -h -N -p short -o "%N %c %m %f"

### sinfo summary
sinfo -h -s -p short -o "%P %a %l"

### sinfo of an unknown partition
sinfo -h -p nowhere; echo $?

### hostnames of a list
scontrol show hostnames 'n[1-3,7],login'

### hostlist of names
scontrol show hostlist n1,n2,n3,login

### hostnames inside a job
batch 'scontrol show hostnames $SLURM_JOB_NODELIST; scontrol show hostnames' -N2

### sacct of an ended job
submit id -w n1 -J listed -o /dev/null --wrap 'sleep 1.5; exit 2'
ended "$id"; state "$id" > /dev/null
sacct -n -P -j "$id" -o JobID,State,ExitCode,NNodes,NCPUS,NodeList

### sacct parsable with a head
submit id -w n1 -J listed -o /dev/null --wrap true
ended "$id"; state "$id" > /dev/null
sacct -P -X -j "$id" -o JobID,State,ExitCode
sacct -p -X -j "$id" -o JobID,State

### sacct in columns
submit id -w n1 -J listed -o /dev/null --wrap 'sleep 1.5'
ended "$id"; state "$id" > /dev/null
sacct -X -j "$id" -o State,ExitCode,NNodes

### sacct in columns of a width
submit id -w n1 -J listed -o /dev/null --wrap 'sleep 1.5'
ended "$id"; state "$id" > /dev/null
sacct -n -X -j "$id" -o State%20,ExitCode%-10

### sacct of a job that never was
sacct -n -X -P -j 999999 -o State; echo $?

### sacct with an unknown field
sacct -o nothing > said 2>&1; echo $?

### the job as scontrol shows it
submit id -o /dev/null -H -J shown -n 4 -c 2 -t 30 --wrap true
field "$id" JobName JobState Reason NumCPUs NumTasks CPUs/Task TimeLimit Partition Requeue Restarts
scancel "$id"

### a job that never was
scontrol show job 999999; echo $?

### the node as scontrol shows it
scontrol -o show node n1 | tr ' ' '\n' | grep -E "^(NodeName|CPUTot|RealMemory|Partitions)="

### the partition as scontrol shows it
scontrol -o show partition short | tr ' ' '\n' | grep -E "^(PartitionName|MaxTime|DefaultTime|State|Default)="

### the submitted job is told
sbatch -w n1 -o /dev/null --wrap true | sed 's/[0-9]\+/ID/'

### the number alone
sbatch --parsable -w n1 -o /dev/null --wrap true | grep -c '^[0-9]*$'

### waiting for the end
sbatch --wait -w n1 -o /dev/null --wrap 'exit 3' > /dev/null; echo $?

### states that squeue shows at the end
submit id -w n1 -o /dev/null --wrap true
ended "$id"
squeue -h -t all -j "$id" -o "%t %T"
