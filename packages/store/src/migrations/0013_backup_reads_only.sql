-- The role of backups, which the migration command creates, reads tables and executes no function.
REVOKE ALL ON FUNCTION audit_txid(xid8), not_found_after_lease(timestamptz, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_txid(xid8), not_found_after_lease(timestamptz, text, integer) TO cardbridge_service;
