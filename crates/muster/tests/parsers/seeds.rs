//! Good input for every reader.

pub(super) const JOBS_YAML: [&str; 3] = [
    include_str!("../../../../examples/gang.yaml"),
    include_str!("../../../../examples/checkpoint.yaml"),
    "command: [a]\nname: n\ntasks: 2..8\ngpus: H100|A100x8\nmemory: 64GiB\ntime: 1-12:00:00\n\
     array: 0-9:3,11%2\nafter: [afterok:7, singleton]\nwarning: USR1@2m\nnodes: disk=fast & !spot\n\
     begin: 2026-01-31T08:00:00Z\ngroups: []\nenv: {A: 1, B: x, C: 0.5}\noutput: '%x-%j-%t.out'\n",
];
pub(super) const JOBS_TOML: [&str; 2] = [
    "command = [\"a\", \"b\"]\ngpus = 0.5\nisolation = \"soft\"\ntime = \"4h\"\n[env]\nA = \"1\"\n\
     [topology]\nrequire = \"node\"\n",
    "script = \"echo\"\n[[groups]]\nname = \"a\"\ngpus = 1\n[[groups]]\nname = \"b\"\ntasks = 2\n",
];
pub(super) const JOBS_JSON: [&str; 1] =
    [r#"{"command": "echo $HOME", "tasks": 4, "gpus": "1g.10gb",
     "checkpoint": {"signal": "USR1", "save": "2m", "every": "30m"}, "after": "afterany:1"}"#];
pub(super) const SERVER: &str = include_str!("../../../../packaging/muster.toml");
pub(super) const AGENT: &str = include_str!("../../../../packaging/agent.toml");
pub(super) const CLUSTER_IN_SERVER: &str = "\
     [cluster.policy.floor]\nwait = \"12h\"\n[[cluster.queues]]\n\
     name = \"a\"\nguarantee = { gpus = \"8\", models = { H100 = \"4\" }, memory = \"64GiB\" }\n";
pub(super) const CLUSTER: &str = "\
     levels = [\"zone\", \"rack\"]\n[[queues]]\nname = \"a\"\nweight = 2\n\
     [[classes]]\nname = \"standard\"\nvalue = 5\nlimit_default = \"1d\"\n[[teams]]\nname = \"t\"\n\
     queue = \"a\"\nmembers = [\"u\"]\n[[pools]]\nname = \"p\"\nmax = 4\n\
     [[windows]]\nname = \"w\"\nopens = \"0 18 * * *\"\nzone = \"Europe/Berlin\"\nlasts = \"12h\"\n\
     changes = [{ class-value = [\"standard\", 9] }, { queue-limit = [\"a\", { gpus = \"4\" }] }]\n\
     [policy]\norder = \"fifo\"\nlas_limits = [\"5h\", 36000000]\n[policy.floor]\nwait = \"12h\"\n";
pub(super) const STORY: &str = include_str!("../../../../scenarios/stories/first-day.story");
pub(super) const TRACES: [&str; 4] = [
    "job_id,user,vc,gpu_num,cpu_num,state,submit_time,duration\n1,u,v,8,1,COMPLETED,100,60\n",
    "JobID|JobName|Submit|Start|End|Elapsed|State|Timelimit|NNodes|AllocTRES\n1|a|\
     2024-03-01T12:00:00|2024-03-01T12:30:00|2024-03-02T14:30:05|1-02:00:05|FAILED|2-00:00:00|4|\
     cpu=2,gres/gpu:a=32,gres/gpu=32,mem=2T,node=4\n",
    "; UnixStartTime: 1000\n7 10 5 60 8 -1 -1 16 3600 1024 5 3 2 9 1 4 -1 -1\n",
    "{\"id\":\"1\",\"submit_ms\":0,\"duration_ms\":1,\"gpus\":2,\"models\":[\"A\"]}\n",
];
pub(super) const ENTRIES: [&str; 3] = [
    r#"{"configured":{"cluster":{"levels":[],"policy":{"order":"fifo"}},"by":"user-a"}}"#,
    r#"{"announced":{"spec":{"name":"node-1","gpu_model":"H100","gpus":8,"cpus":"64","memory":
        "1TiB"},"address":"a","running":
        [{"job":1,"attempt":1}]}}"#,
    r#"{"told":{"node-drained":{"node":0}}}"#,
];
pub(super) const SUBMISSION: &str = r#"
    {"spec":{"name":"train","user":"user-a","queue":"default","class":
    "standard","groups":[{"name":"main","tasks":{"min":1,"max":4},"task":{"gpus":8}}],"timing":
    {"limit":"4h","warning":{"signal":10,"before":60000}},"array":{"indexes":[1,2],"throttle":1}},
    "program":{"command":["a"],"environment":{"A":"b"},"output":"%j.out"}}"#;
pub(super) const ANNOUNCE: &str = r#"
    {"protocol":1,"spec":{"name":"node-1","gpu_model":"H100","gpus":8,"cpus":64000,
    "memory":1024,"links":
    {"nvlink":[255]},"labels":{"disk":"fast"}},"address":"node-1","instance":"x","running":[],
    "reports":[]}"#;
pub(super) const REPORTS: &str = r#"
    {"session":1,"first":1,"version":3,"reports":[{"started":{"job":1,"attempt":1}},
    {"ended":{"of":{"job":1,"attempt":1},"exit":{"code":3}}},{"gpu-healthy":{"gpu":0}}]}"#;
pub(super) const DIRECTIVES: [&str; 2] = [
    r#""beat""#,
    r#"{"duties":{"version":4,"all":true,"duties":[{"job":1,"attempt":1,"version":2,"work":{"stop":
        {"grace_ms":1000}}},{"job":2,"attempt":1,"version":3,"work":{"run":{"tasks":[{"place":
        {"group":0,"rank":0,"gpus":3,"share":null},"rank":0,"local_rank":0,"cpus_milli":1000,
        "memory_mib":64}],"gang":{"name":"a","user":"u","queue":"q","tasks":1,"nodes":["n"],
        "node_rank":0,"restarts":0},"program":{"command":["a"]}}}}]}}"#,
];
pub(super) const REQUESTS: [&str; 3] = [
    r#"{"user":"user-a","role":"user"}"#,
    r#"{"name":"demo","users":["user-a"],"queues":[],"places":[{"node":"n"}],"start":0,"end":9,
        "leftovers":"wait"}"#,
    r#"{"levels":["rack"],"queues":[{"name":"a"}]}"#,
];
pub(super) const KEPT: [&str; 2] = [
    r#"{"url":"http://127.0.0.1:7070","pid":7,"token":"x"}"#,
    "[[server]]\nurl = \"http://127.0.0.1:7070\"\ntoken = \"x\"\n",
];
pub(super) const WORDS: [&str; 14] = [
    "1h30m",
    "1-12:00:00",
    "80GiB",
    "1.5T",
    "500m",
    "0.25",
    "H100|A100x8",
    "0.25..0.5",
    "2..8",
    "disk=fast,slow & !(spot | @node-1)",
    "0-99:10,5%4",
    "SIGUSR1",
    "2026-01-31T08:00:00Z",
    "research/vision",
];
pub(super) const SLURM_SCRIPTS: [&str; 2] = [
    "#!/bin/bash\n#SBATCH --job-name=train -N 2 --gres=gpu:h100:8\n#SBATCH -t 1-12 # a day\n\
     #SBATCH --array=0-15:4,20%2 --signal=B:USR1@120 --requeue\n#SBATCH -o 'logs/%x-%4j.out'\n\
     #SBATCH --export=ALL,SEED=1 --dependency=afterok:1:2_3,singleton\nsrun train\n#SBATCH -n 3\n",
    "#!/bin/sh\n#SBATCH --constraint=\"a&(b|c)\" --nodelist=n[1-3,7] --mem-per-cpu=2gb\n\
     #SBATCH --begin=now+1hour --switches=1@10:00\n\
     #SBATCH --container-image=a/b:1 --container-mounts=/a:/b:ro\ntrain\n",
];
pub(super) const SLURM_WORDS: [&str; 3] =
    ["-hu\nuser-a\n--states=PD\n-o\n%.18i %j", "12_[1-3]\n-s\nUSR1", "--wrap=hostname\n-N2"];
pub(super) const SLURM_CONFS: [&str; 2] = [
    "ClusterName=big\nNodeName=DEFAULT CPUs=8\nNodeName=n[1-4] Gres=gpu:h100:8 \\\n Feature=a\n\
     PartitionName=main Nodes=ALL Default=YES MaxTime=2-0\nSwitchName=s1 Nodes=n[1-2]\n\
     SwitchName=top Switches=s1\n",
    "NodeName=n1 Name=gpu Type=a100 File=/dev/nvidia[0-3]\nBlockName=b Nodes=n1\n\
     Account - 'vision':Fairshare=10\nParent - 'vision'\nUser - 'user-a':QOS='normal'\n",
];
