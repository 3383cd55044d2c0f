-- A transaction's number as the audit counts: it only ever grows, and shows which entries may still be on their
-- way. Behind a dump restored into another server, where numbers begin anew, it has to add what was reached.
CREATE FUNCTION audit_txid(transaction xid8)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT transaction::text::bigint $$;
