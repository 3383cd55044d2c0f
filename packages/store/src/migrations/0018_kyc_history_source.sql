-- In a transaction of its own: it reads the whole table, and calls add rows meanwhile.
ALTER TABLE kyc_history VALIDATE CONSTRAINT kyc_history_source;
