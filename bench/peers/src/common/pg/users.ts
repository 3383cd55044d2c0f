import type pg from "pg";

const select = "select external_user_id from users where platform_id = $1 and";
const byMemberId = { name: "user_by_member_id", text: `${select} member_id = $2` };
const byEmail = { name: "user_by_email", text: `${select} email = $2` };

/** The provider's name for a platform's user. */
export async function externalUserIdOf(
  pool: pg.Pool,
  platformId: string,
  { memberId, email }: { memberId?: string | undefined; email?: string | undefined },
): Promise<string | undefined> {
  const query = memberId === undefined ? byEmail : byMemberId;
  const { rows } = await pool.query<{ external_user_id: string }>({
    ...query,
    values: [platformId, memberId ?? email?.toLowerCase()],
  });
  return rows[0]?.external_user_id;
}
