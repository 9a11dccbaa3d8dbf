-- Tokens that are good so many times, and no more.
ALTER TABLE tokens ADD COLUMN uses_left INTEGER;
