#!/bin/sh
# Two jobs in a chain: the second starts when the first has succeeded, and never if it has failed.
# `muster submit` prints the number of the job and nothing else, so that scripts can go on with it.
set -eu
muster=${MUSTER:-muster}

first=$("$muster" submit --name prepare --cpus 1 --memory 64MiB --time 5m -- echo "data prepared")
second=$("$muster" submit --name train --cpus 1 --memory 64MiB --time 5m \
    --after "afterok:$first" -- echo "trained after job $first")
echo "$first $second"
