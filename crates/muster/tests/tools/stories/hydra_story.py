"""An application of Hydra's that is swept over Slurm by its launcher."""

import os
from pathlib import Path

import hydra
from hydra.core.hydra_config import HydraConfig


@hydra.main(version_base="1.3", config_path=None)
def story(config):
    number = HydraConfig.get().job.num
    line = f"{number} rate {config.rate} size {config.size} task {os.environ['SLURM_ARRAY_TASK_ID']}"
    Path(hydra.utils.get_original_cwd(), f"swept-{number}").write_text(line)


story()
