-- In a transaction of its own: it reads the whole table, and calls add rows meanwhile.
ALTER TABLE api_keys VALIDATE CONSTRAINT api_keys_operators_are_internal;
