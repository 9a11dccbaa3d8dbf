-- How busy each GPU was, two bytes for each: its number, and how busy in steps of four thousandths.
-- 255 stands for what was not measured. Samples from before have nothing here.
ALTER TABLE samples ADD COLUMN gpus BLOB;
