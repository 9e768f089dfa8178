import { previewKeywordApproval } from '#server/matching/keyword-impact/preview-keyword-approval.ts'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import { createRecentProjectsCache, type RecentProjectsCache } from '#server/matching/recent-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type AdminRequest, AdminRequestRejectedError, type AdminResponse } from './admin-requests.ts'
import {
  addToKeywordBlacklist,
  approveKeyword,
  deleteUnapprovedKeyword,
  findOrganisationId,
  findUnapprovedKeyword,
  listKeywordBlacklist,
  listUnapprovedKeywords,
  lockUnapprovedKeyword,
  removeFromKeywordBlacklist,
  setOrganisationWatchListLockWindow,
} from './queries.ts'
import { type AdminActor, recordAdminEvent } from './record-admin-event.ts'

export type KeywordAdminRequest = Extract<
  AdminRequest,
  { do: 'blacklist' | 'change-blacklist' | 'waiting' | 'keyword-impact' | 'judge-keyword' | 'set-window' | 'rematch' }
>

type KeywordContext = {
  readonly db: Db
  readonly by: AdminActor
  readonly recentProjects?: RecentProjectsCache | undefined
}

const MAX_SAMPLES = 5

export async function runKeywordAdminRequest(
  context: KeywordContext,
  request: KeywordAdminRequest,
): Promise<AdminResponse> {
  const { db } = context
  switch (request.do) {
    case 'blacklist':
      return { blacklist: await listKeywordBlacklist(db) }
    case 'change-blacklist':
      return await changeBlacklist(context, request)
    case 'waiting':
      return { waiting: await listUnapprovedKeywords(db) }
    case 'keyword-impact':
      return await impactOf(context, request.id)
    case 'judge-keyword':
      return await decideKeyword(context, request)
    case 'set-window':
      return await closeLists(context, request)
    case 'rematch':
      return await rematch(context, request.organisation)
  }
}

type Request<Do extends KeywordAdminRequest['do']> = Extract<KeywordAdminRequest, { do: Do }>

async function changeBlacklist(
  { db, by }: KeywordContext,
  { word: typed, add }: Request<'change-blacklist'>,
): Promise<AdminResponse> {
  const word = typed.trim()
  if (word === '') throw new AdminRequestRejectedError('an empty word cannot be on the blacklist')
  const isChanged = add ? await addToKeywordBlacklist(db, word) : await removeFromKeywordBlacklist(db, word)
  if (!isChanged && add) throw new AdminRequestRejectedError(`${word} is already on the blacklist`, 'taken')
  if (!isChanged) throw new AdminRequestRejectedError(`${word} is not on the blacklist`, 'unknown')
  await recordAdminEvent(db, by, {}, { did: add ? 'add-to-blacklist' : 'remove-from-blacklist', word })
  return {
    done: `${word}: ${add ? 'can no longer be added to watch lists; lists that have it keep it' : 'can be added to watch lists again'}`,
  }
}

async function impactOf(
  { db, recentProjects = createRecentProjectsCache(db, () => new Date()) }: KeywordContext,
  id: number,
): Promise<AdminResponse> {
  const keyword = await findUnapprovedKeyword(db, id)
  const preview =
    keyword && (await previewKeywordApproval(db, recentProjects, { organisationId: keyword.organisationId, id }))
  if (!preview) throw new AdminRequestRejectedError(`no keyword ${id} is waiting`, 'unknown')
  const { days, before, after, added, per_working_day: perWorkingDay, level, added_samples: samples } = preview
  const names = samples.slice(0, MAX_SAMPLES).map(({ name }) => name)
  return { impact: { days, before, after, added, perWorkingDay, level, samples: names } }
}

async function decideKeyword(
  { db, by }: KeywordContext,
  { id, approve }: Request<'judge-keyword'>,
): Promise<AdminResponse> {
  return await db.transaction(async (tx) => {
    const keyword = await lockUnapprovedKeyword(tx, id)
    if (!keyword) throw new AdminRequestRejectedError(`no keyword ${id} is waiting`, 'unknown')
    const { organisationId, organisation, list, word } = keyword
    if (approve) {
      await approveKeyword(tx, id)
      await enqueueProjectMatchJob(
        tx,
        organisationId,
        list === 'include' ? { expressions: [word] } : { all: true },
        new Date(),
      )
    } else await deleteUnapprovedKeyword(tx, id)
    await recordAdminEvent(
      tx,
      by,
      { organisationId },
      { did: approve ? 'approve-keyword' : 'reject-keyword', id, list, word },
    )
    return { done: `${organisation}: ${word} is ${approve ? 'approved and will match' : 'rejected and deleted'}` }
  })
}

async function closeLists(
  { db, by }: KeywordContext,
  { organisation: code, window }: Request<'set-window'>,
): Promise<AdminResponse> {
  // Without a window, store equal times, which mean that the lists are never closed (C12).
  const { start, end } = window ?? { start: '00:00', end: '00:00' }
  const id = await setOrganisationWatchListLockWindow(db, code, `${start}:00`, `${end}:00`)
  if (id === undefined) throw new AdminRequestRejectedError(`there is no organisation ${code}`, 'unknown')
  const summary = window ? `lists are closed from ${start} to ${end}, Bangkok time` : 'lists are never closed'
  await recordAdminEvent(db, by, { organisationId: id }, { did: 'set-window', done: summary })
  return { done: `${code}: ${summary}` }
}

async function rematch({ db, by }: KeywordContext, code: string): Promise<AdminResponse> {
  const id = await findOrganisationId(db, code)
  if (id === undefined) throw new AdminRequestRejectedError(`there is no organisation ${code}`, 'unknown')
  await db.transaction(async (tx) => {
    await enqueueProjectMatchJob(tx, id, { all: true }, new Date())
    await recordAdminEvent(tx, by, { organisationId: id }, { did: 'rematch' })
  })
  return { done: `${code}: everything will be rematched in the background` }
}
