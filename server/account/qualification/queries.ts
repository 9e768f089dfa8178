import sql from 'sql-template-tag'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import type { Db } from '#server/platform/engine/db.ts'

export async function loadQualifications(db: Db, organisationId: number): Promise<Qualifications> {
  const [row] = await db.query<{ profile: Partial<Qualifications> }>(
    sql`select profile from qualifications where organisation_id = ${organisationId}::int`,
  )
  return { ...EMPTY_QUALIFICATIONS, ...row?.profile }
}

/** Replaces these sections only, so concurrent saves of different sections do not overwrite each other. */
export async function saveQualifications(
  tx: Db,
  organisationId: number,
  changedSections: Partial<Qualifications>,
): Promise<void> {
  await tx.execute(sql`
    insert into qualifications (organisation_id, profile) values (${organisationId}::int, ${JSON.stringify(changedSections)}::jsonb)
    on conflict (organisation_id) do update set profile = qualifications.profile || excluded.profile`)
}
