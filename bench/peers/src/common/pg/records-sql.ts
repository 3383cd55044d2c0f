/* Prepared once a connection, by name. */

const userColumns = `id, external_user_id as "externalUserId", member_id as "memberId", email`;

export const insertUser = {
  name: "insert_user",
  text: `insert into users (platform_id, member_id, email, external_user_id) values ($1, $2, $3, $4)
    on conflict do nothing returning ${userColumns}`,
};

export const lockUser = {
  name: "lock_user",
  text: `select ${userColumns} from users where platform_id = $1 and (member_id = $2 or email = $3)
    order by member_id = $2 desc limit 1 for update`,
};

export const latest = {
  name: "latest_record",
  text: `select id as "kycRecordId", fingerprint, settlement, status, sub_status as "subStatus",
    card_account_id as "cardAccountId"
    from kyc_records where user_id = $1 order by created_at desc limit 1`,
};

export const insertRecord = {
  name: "insert_record",
  text: "insert into kyc_records (id, user_id, fingerprint, sealed) values ($1, $2, $3, $4)",
};

export const settle = {
  name: "settle_record",
  text: `update kyc_records set settlement = $2, status = $3, sub_status = $4, card_account_id = $5
    where id = $1 and settlement = 'unsettled'`,
};

export const history = {
  name: "insert_history",
  text: "insert into kyc_history (record_id, status, sub_status, source) values ($1, $2, $3, $4)",
};

export const audit = {
  name: "insert_audit",
  text: "insert into audit (platform_id, actor, act, subject, request_id) values ($1, $2, $3, $4, $5)",
};
