import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'

const texts = z.optional(z.array(z.string()))
const scopeSchema = z.union([
  z.object({ all: z.literal(true) }),
  z.object({ expressions: texts, terms: texts, units: texts, projects: texts }),
])

/**
 * The projects that a rule change may affect. `expressions`: changed name keywords in search grammar. `terms`: terms of
 * AI keywords (plain text). `units`: departments and units. `projects`: ids.
 */
export type RematchScope = z.output<typeof scopeSchema>

export const PROJECT_MATCH_JOB_TYPE: JobType<RematchScope> = { kind: 'match', payload: scopeSchema }

/** Queues matching in the transaction that changes the rules, and increments `rules_version`. */
export async function enqueueProjectMatchJob(
  tx: Db,
  organisationId: number,
  scope: RematchScope,
  at: Date,
): Promise<void> {
  await tx.execute(sql`update organisations set rules_version = rules_version + 1 where id = ${organisationId}::int`)
  await enqueueSingleJob(tx, PROJECT_MATCH_JOB_TYPE, {
    key: String(organisationId),
    payload: scope,
    organisationId,
    at,
  })
}
