-- Records carry a MAC: whoever can write here and has no key cannot forge one.

ALTER TABLE journal ADD COLUMN mac bytea NOT NULL DEFAULT '';  -- key id and HMAC-SHA256 over stream, seq and digest
