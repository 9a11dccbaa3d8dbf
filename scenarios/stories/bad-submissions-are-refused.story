# What cannot be right is refused with what to write instead

    levels rack
    queue team
    queue team/vision
    node n1 H100x8 in r1
      > n1 joined
    submit "empty" 0 x H100x1, queue team/vision
      > not accepted: groups[0].tasks.min: 0 is not allowed; expected 1 to 65536
      > not accepted: groups[0].tasks.max: 0 is not allowed; expected 1 to 65536
    submit "typo" 1 gpu, queue team/vison
      > not accepted: queue: `team/vison` is not allowed; expected one of team, team/vision
      > hint: did you mean team/vision?
    submit "not-a-leaf" 1 gpu, queue team
      > not accepted: queue: `team` is not allowed; expected a queue without queues below it, such as team/vision
    submit "class" 1 gpu, queue team/vision, class standart
      > not accepted: class: `standart` is not allowed; expected one of inference, reserved, express, standard, batch, preemptible
      > hint: did you mean standard?
    submit "level" 2 x 1 gpu, queue team/vision, require rak
      > not accepted: topology.require: `rak` is not allowed; expected one of rack, node
      > hint: did you mean rack?
    submit "model" H10x1, queue team/vision
      > not accepted: groups[0].task.models[0]: `H10` is not allowed; expected one of the 22 GPU models of this cluster
      > hint: did you mean H100?
    submit "heavy" 1 gpu, queue team/vision, weight 9
      > not accepted: weight: 9 is not allowed; expected -2 to 2
    submit "share" 1g.10gb (isolated soft), queue team/vision
      > not accepted: groups[0].task.share.isolation: soft is not allowed; expected hard: a MIG profile is isolated by hardware
    submit "elastic" 1..4 x 1 gpu, queue team/vision
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpu 0
    submit "fine" 1 gpu, queue team/vision, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpu 1
    jobs
      > job  name     user    queue        class     state      attempt  nodes
      > 1    elastic  user-a  team/vision  standard  launching  1        n1
      > 2    fine     user-a  team/vision  standard  launching  1        n1
