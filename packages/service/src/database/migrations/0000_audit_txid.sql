-- The transaction id of an audit entry or of a KYC change. Ids only grow, so they show which older transactions may
-- still add rows. A dump restored into another server has lower ids: docs/production.md replaces this function then.
CREATE FUNCTION audit_txid(transaction xid8)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT transaction::text::bigint $$;
