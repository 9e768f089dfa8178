import sql from 'sql-template-tag'
import { passagesQuestion, phrasesIn } from '#contract/document/document-words.ts'
import { acceptedNode } from '#contract/report/report-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/engine/db.ts'
import { FOUND_JOB } from '#server/features/document/queries.ts'
import { notifyDocumentFound } from '#server/features/notification/create-notifications.ts'
import { findPassing } from '#server/features/report/queries-passing.ts'
import { previousVisit } from '#server/features/report/queries-visit.ts'
import { searchOfStored } from '#server/features/report/saved-filter-counts.ts'
import { defineJob } from '#server/queue/job.ts'

type Watching = { readonly userId: number; readonly filterId: string; readonly search: ReportSearch }

/**
 * After each reading: tells by the bell whoever has a saved filter that looks into documents and is switched on for mails, when the project passes it and this very document holds one
 * of its words. The reading asks for it in its own transaction; begun again, or read again, it tells nobody twice.
 */
export const documentFoundJob = defineJob<{ id: string }>({
  ...FOUND_JOB,
  concurrency: 1,
  maxAttempts: 5,
  backoff: { firstMs: 1_000, longestMs: 5 * 60_000 },
  async run({ db, organisationId, now, finish }, { id }) {
    const found = organisationId === undefined ? [] : await whoFinds(db, { id, organisationId }, now())
    return await db.transaction(async (tx) => {
      let told = 0
      for (const one of found) if (await notifyDocumentFound(tx, { ...one, at: now() })) told += 1
      await finish(tx)
      return { told }
    })
  },
})

async function whoFinds(
  db: Db,
  { id, organisationId }: { readonly id: string; readonly organisationId: number },
  now: Date,
): Promise<{ userId: number; filterId: string; projectId: string }[]> {
  const [document] = await db.query<{ projectId: string }>(sql`
    select project_id as "projectId" from documents where id = ${id} and organisation_id = ${organisationId}::int`)
  if (!document) return []
  const { projectId } = document
  const found: { userId: number; filterId: string; projectId: string }[] = []
  for (const [userId, own] of Map.groupBy(await loadWatching(db, organisationId), (one) => one.userId)) {
    const held = await ofDocument(db, id, own)
    if (held.length === 0) continue
    const scope = { organisationId, userId, today: bangkokToday(now), visit: await previousVisit(db, userId, now) }
    const passing = await findPassing(
      db,
      held.map(({ search }) => search),
      scope,
      [projectId],
    )
    for (const [i, { filterId }] of held.entries())
      if (passing[i]!.length > 0) found.push({ userId, filterId, projectId })
  }
  return found
}

/** Filters of the organisation's users that look into documents and are told of by mail. */
async function loadWatching(db: Db, organisationId: number): Promise<Watching[]> {
  const rows = await db.query<{ userId: number; filterId: string; data: unknown }>(sql`
    select f.user_id as "userId", f.id as "filterId", f.filter_data as data
    from saved_filters f join users u on u.id = f.user_id
    where u.organisation_id = ${organisationId}::int and f.is_send and f.filter_data -> 'search' @> '[{"key": "document_text__in"}]'
    order by f.user_id, f.id`)
  return rows.flatMap(({ data, ...one }) => {
    const search = searchOfStored(data)
    return search?.document_text__in === undefined ? [] : [{ ...one, search }]
  })
}

/** Those of which this document holds a word that is wanted: what other documents of the project say was there before. */
async function ofDocument(db: Db, id: string, watching: readonly Watching[]): Promise<Watching[]> {
  const held: Watching[] = []
  for (const one of watching) {
    const wanted = passagesQuestion(one.search.document_text__in!)
    if (wanted === undefined) continue
    const rows = await db.query(sql`
      select from document_pages p
      where p.document_id = ${id} and exists (
        select from unnest(${phrasesIn(acceptedNode(wanted))}::text[]) w (phrase) where position(w.phrase in p.folded) > 0)
      limit 1`)
    if (rows.length > 0) held.push(one)
  }
  return held
}
