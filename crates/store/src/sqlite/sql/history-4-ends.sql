-- By which signal a job ended, who ended it, and why an attempt was not the last.
ALTER TABLE jobs ADD COLUMN exit_signal TEXT;
ALTER TABLE jobs ADD COLUMN cancelled_by TEXT;
ALTER TABLE attempts ADD COLUMN note TEXT;
