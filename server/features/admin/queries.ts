import sql from 'sql-template-tag'
import type { Db } from '#server/db/db.ts'

export type OrganisationLine = {
  code: string
  name: string
  package: string
  users: number
  words: number
  matches: number
  isDisabled: boolean
}

export async function listOrganisations(db: Db): Promise<OrganisationLine[]> {
  return await db.query<OrganisationLine>(sql`
    select o.code, o.name, o.package, o.is_disabled as "isDisabled",
      (select count(*) from users u where u.organisation_id = o.id and not u.is_demo_visitor) as users,
      (select count(*) from keywords k where k.organisation_id = o.id) as words,
      (select count(*) from project_matches m where m.organisation_id = o.id) as matches
    from organisations o order by o.id`)
}

export type UserLine = { email: string; name: string; role: string; organisation: string; isDisabled: boolean }

/** Users of one organisation, or of all; visitors of the demo are none. */
export async function listUsers(db: Db, organisationCode: string | undefined): Promise<UserLine[]> {
  const code = organisationCode ?? null
  return await db.query<UserLine>(sql`
    select u.email, concat_ws(' ', u.first_name, u.last_name) as name, u.role, o.code as organisation,
      u.is_disabled or o.is_disabled as "isDisabled"
    from users u join organisations o on o.id = u.organisation_id
    where (${code}::text is null or o.code = ${code}::text) and not u.is_demo_visitor
    order by o.id, u.id`)
}

/** Sets the password, ends every session of the user (R12) and forgives failed logins; false when nobody has this e-mail. */
export async function replacePassword(db: Db, emailKey: string, passwordHash: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const users = await tx.query<{ id: number; organisationId: number }>(sql`
      update users set password_hash = ${passwordHash} where email_key = ${emailKey}
      returning id, organisation_id as "organisationId"`)
    const user = users[0]
    if (user === undefined) return false
    await tx.execute(sql`update sessions set revoked_at = now() where user_id = ${user.id} and revoked_at is null`)
    await tx.execute(sql`delete from login_failures where email_key = ${emailKey}`)
    await tx.execute(sql`
      insert into audit_events (kind, organisation_id, user_id, detail)
      values ('password_set_by_admin', ${user.organisationId}, ${user.id}, '{}')`)
    return true
  })
}
