import sql from 'sql-template-tag'
import type { Db } from './db.ts'

/**
 * Which projects a change of an organisation's rules may touch; they alone are matched anew. `expressions`: name keywords that came, went or
 * changed, in the search grammar. `terms`: terms of AI keywords (plain text). `units`: departments and units. `projects`: ids.
 */
export type MatchScope =
  | { readonly all: true }
  | {
      readonly expressions?: readonly string[]
      readonly terms?: readonly string[]
      readonly units?: readonly string[]
      readonly projects?: readonly string[]
    }

/** Asks for the matching that a change of rules needs, in the transaction that changes them; `rules_version` moves on with it. */
export async function requestMatching(tx: Db, organisationId: number, scope: MatchScope, at: Date): Promise<void> {
  await tx.execute(sql`update organisations set rules_version = rules_version + 1 where id = ${organisationId}::int`)
  await tx.execute(sql`
    insert into match_requests (organisation_id, scope, requested_at, next_at)
    values (${organisationId}::int, ${JSON.stringify(scope)}::jsonb, ${at.toISOString()}::timestamptz, ${at.toISOString()}::timestamptz)`)
}
