import sql from 'sql-template-tag'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { notifyDocumentKeywordMatch } from '#server/account/notification/create-notifications.ts'
import type { RematchScope } from '#server/matching/match-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findReportMailRecipient } from '#server/report/mail/mail-content-queries.ts'
import { getReportMailFilters } from '#server/report/mail/report-mail-filters.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { findProjectsPassingSearches } from '#server/report/report-lists.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'

/** Maximum bell notifications per organisation and day; the report and its emails have no such limit. */
const MAX_NOTIFICATIONS_PER_DAY = 20

type PendingMatch = {
  readonly projectId: string
  readonly keywordId: number
  readonly word: string
  readonly page: number
  readonly isDocumentOnly: boolean
}

/**
 * Notifies users of projects matched only through a document. Runs after matching. Each user is notified of the
 * projects that their report emails would include; a notification contains word and page but not the passage. A match
 * is processed once and never notified later. Returns the number of notifications.
 */
export async function notifyDocumentMatches(
  db: Db,
  organisationId: number,
  scope: RematchScope,
  { since, at }: { readonly since: Date; readonly at: Date },
): Promise<number> {
  const pending = await findPendingMatches(db, organisationId, scope, since)
  if (pending.length === 0) return 0
  const documentOnlyMatches = [
    ...Map.groupBy(
      pending.filter(({ isDocumentOnly }) => isDocumentOnly),
      ({ projectId }) => projectId,
    ).values(),
  ]
  const toNotify = documentOnlyMatches
    .flatMap(([match]) => match ?? [])
    .slice(0, await remainingToday(db, organisationId, at))
  const readers = await readersOf(
    db,
    organisationId,
    toNotify.map(({ projectId }) => projectId),
    at,
  )
  return await db.transaction(async (tx) => {
    let notifiedCount = 0
    for (const { isDocumentOnly: _, ...match } of toNotify) {
      const userIds = readers.flatMap(({ userId, projects }) => (projects.has(match.projectId) ? userId : []))
      notifiedCount += await notifyDocumentKeywordMatch(tx, { organisationId, ...match, userIds, at })
    }
    await tx.execute(sql`
      update document_matches set told_at = ${at.toISOString()}::timestamptz
      where organisation_id = ${organisationId}::int and told_at is null
        and project_id = any (${[...new Set(pending.map(({ projectId }) => projectId))]}::text[])`)
    return notifiedCount
  })
}

function findPendingMatches(db: Db, organisationId: number, scope: RematchScope, since: Date): Promise<PendingMatch[]> {
  const projects = 'all' in scope ? null : [...(scope.projects ?? [])]
  return db.query<PendingMatch>(sql`
    select x.project_id as "projectId", x.keyword_id as "keywordId", k.word, x.page, coalesce(m.matched_by = '{document}', false) as "isDocumentOnly"
    from document_matches x join keywords k on k.id = x.keyword_id
    left join worded_matches m on m.organisation_id = x.organisation_id and m.project_id = x.project_id
    where x.organisation_id = ${organisationId}::int and x.told_at is null and x.load_id is not null
      and x.found_at <= ${since.toISOString()}::timestamptz
      and (${projects}::text[] is null or x.project_id = any (${projects}::text[]))
    order by x.found_at, x.project_id, x.keyword_id`)
}

async function remainingToday(db: Db, organisationId: number, at: Date): Promise<number> {
  const [row] = await db.query<{ told: number }>(sql`
    select count(distinct n.project_id)::int as told from notifications n
    where n.organisation_id = ${organisationId}::int and n.type = 'Document_found' and n.version like 'word:%'
      and (n.created_at at time zone 'Asia/Bangkok')::date = ${getBangkokToday(at)}::date`)
  return Math.max(0, MAX_NOTIFICATIONS_PER_DAY - row!.told)
}

async function readersOf(db: Db, organisationId: number, projectIds: readonly string[], at: Date) {
  if (projectIds.length === 0) return []
  const users = await db.query<{ id: number }>(sql`
    select id from users where organisation_id = ${organisationId}::int and not is_disabled order by id`)
  const readers: { readonly userId: number; readonly projects: ReadonlySet<string> }[] = []
  for (const { id: userId } of users) {
    const recipient = await findReportMailRecipient(db, userId)
    if (!recipient) continue
    const searches = getReportMailFilters(recipient).filters.map(({ search }) => search)
    const scope = {
      organisationId,
      userId,
      today: getBangkokToday(at),
      visit: await findPreviousReportVisit(db, userId, at),
    }
    readers.push({
      userId,
      projects: new Set(
        (await findProjectsPassingSearches(createReportEngine(db), searches, scope, projectIds)).flat(),
      ),
    })
  }
  return readers
}
