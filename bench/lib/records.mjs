/**
 * Gives every user a decided record with its history, as a submission does. Nothing decrypts these records, so their
 * ciphertext is noise of the usual length.
 */
export async function addRecords({ query }, platformId) {
  // Requires a superuser. Checking a foreign key for each row would take longer than everything else.
  await query("set session_replication_role = replica");
  const noise = "decode(repeat(md5(id || 'x'), 45), 'hex')";
  await query(
    `insert into kyc_records (id, platform_id, user_id, encrypted, fingerprint, resolution, status, sub_status,
       card_account_id, revision, attempt, step, answered_at)
     select 'kyc_' || md5(id), platform_id, id, ${noise}, decode(md5(id) || md5(id || 'y'), 'hex'), 'answered',
       'APPROVED', 'approved', 'acct_1', 1, 1, 'ask', now()
     from users where platform_id = $1 and id like 'usr_bench_%'`,
    [platformId],
  );
  await query(
    `insert into kyc_history (platform_id, record_id, source, resolution, status, sub_status, card_account_id, revision)
     select platform_id, id, step.source, step.resolution, step.status, step.sub_status, step.account, step.revision
     from kyc_records
     cross join (values ('submission', 'unresolved', null, null, null, null::bigint),
                        ('provider', 'answered', 'APPROVED', 'approved', 'acct_1', 1))
       as step (source, resolution, status, sub_status, account, revision)
     where platform_id = $1`,
    [platformId],
  );
  await query("set session_replication_role = origin");
  await query("vacuum (analyze)");
  await query("checkpoint");
}
