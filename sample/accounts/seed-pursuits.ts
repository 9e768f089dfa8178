import type { PursuitAction } from '#contract/team/pursuit-action.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { patchPursuit } from '#server/team/pursuit/patch-pursuit.ts'
import {
  findPursuableProjects,
  findUsersOfTeamWithoutPursuits,
  type PursuableProjectState,
  type SamplePursuableProject,
} from './queries-sample.ts'
import { SAMPLE_ORGANISATIONS } from './sample-organisations.ts'

/** Work on one tender, one day per entry of `days`. `owner`: index among the organisation's users. */
type PursuitStory = {
  readonly kind: PursuableProjectState
  readonly owner?: 0 | 1
  readonly days: readonly ((project: SamplePursuableProject) => readonly PursuitAction[])[]
}

const to = (stage: string, reason?: string) => (): PursuitAction[] => [
  { action: 'set_stage', stage, ...(reason === undefined ? {} : { reason }) },
]
const note = (text: string) => (): PursuitAction[] => [{ action: 'add_note', id: 'sample-note', text }]
const checked = (count: number): PursuitAction[] =>
  Array.from({ length: count }, (_, i) => ({ action: 'check_item', id: `t${i + 1}`, done: true }))

/** Sets our price to this share of the reference or winning price, rounded to a hundred baht. */
const priced = (share: number, of: number | null): PursuitAction[] =>
  of === null ? [] : [{ action: 'set_price', price: Math.round((of * share) / 100) * 100 }]
const prepared =
  (items: number, share: number) =>
  (project: SamplePursuableProject): PursuitAction[] => [
    { action: 'decide', decision: 'bid' },
    { action: 'set_stage', stage: 'preparing' },
    ...checked(items),
    ...priced(share, project.reference),
  ]
const submitted =
  (share: number) =>
  (project: SamplePursuableProject): PursuitAction[] => [
    ...prepared(4, share)(project),
    { action: 'set_stage', stage: 'submitted' },
  ]
const lost = (share: number, reason: string): PursuitStory['days'] => [
  to('pricing'),
  (project) => [...submitted(0.95)(project), ...priced(share, project.winning)],
  to('lost', reason),
]

const STORIES: readonly PursuitStory[] = [
  { kind: 'coming', days: [to('screened')] },
  { kind: 'coming', owner: 1, days: [to('screened')] },
  { kind: 'coming', owner: 1, days: [to('pricing'), note('ขอราคาจากตัวแทน 2 รายแล้ว รอตอบภายในวันศุกร์')] },
  { kind: 'coming', owner: 0, days: [to('pricing')] },
  { kind: 'coming', owner: 0, days: [to('deciding'), note('งบพอ แต่ส่งมอบ 45 วัน ขอเช็กสต็อกกับคลังก่อนตัดสินใจ')] },
  { kind: 'coming', owner: 1, days: [to('pricing'), prepared(2, 0.94)] },
  { kind: 'coming', owner: 0, days: [to('pricing'), prepared(3, 0.97)] },
  { kind: 'ended', owner: 1, days: [to('pricing'), submitted(0.93)] },
  { kind: 'ended', owner: 0, days: [to('pricing'), submitted(0.96)] },
  // e-GP publishes late, so the team learns the result from the agency before an official winner is known.
  { kind: 'ended', owner: 1, days: [to('pricing'), submitted(0.91), to('won')] },
  { kind: 'ended', owner: 0, days: [to('pricing'), submitted(0.89), to('won')] },
  { kind: 'ended', owner: 1, days: [to('pricing'), submitted(0.94), to('won')] },
  { kind: 'won by others', owner: 1, days: lost(1.04, 'ราคาสูงกว่าผู้ชนะ') },
  { kind: 'won by others', owner: 0, days: lost(1.09, 'ราคาสูงกว่าผู้ชนะ') },
  { kind: 'won by others', owner: 1, days: lost(0.98, 'เอกสารรับรองผลงานไม่ครบ') },
  { kind: 'won by others', owner: 0, days: [to('declined', 'ส่งมอบไม่ทัน')] },
  { kind: 'won by others', owner: 1, days: [to('declined', 'งบต่ำกว่าต้นทุน')] },
  { kind: 'won by others', owner: 1, days: [to('declined', 'ส่งมอบไม่ทัน')] },
]
const STORIES_BY_KIND = Object.groupBy(STORIES, ({ kind }) => kind)

/**
 * Gives the first demo organisation a working team: tenders on the board in every stage, some of them finished, so that
 * board, calendar and results have content. Does nothing once any member has worked on a tender. Call when all projects
 * are loaded. `today`: ISO date in Bangkok.
 */
export async function seedPursuits(db: Db, today = getBangkokToday(new Date())): Promise<void> {
  await db.transaction(async (tx) => {
    const team = await findUsersOfTeamWithoutPursuits(tx, SAMPLE_ORGANISATIONS[0]!.code)
    if (team.length === 0) return
    const { organisationId } = team[0]!
    const projects = new Map<PursuableProjectState, SamplePursuableProject[]>()
    for (const kind of Object.keys(STORIES_BY_KIND) as PursuableProjectState[])
      projects.set(
        kind,
        await findPursuableProjects(tx, organisationId, { kind, today, limit: STORIES_BY_KIND[kind]!.length }),
      )
    for (const { kind, owner, days } of STORIES) {
      const project = projects.get(kind)!.shift()
      if (project !== undefined)
        await applyStory(tx, project, { today, days, actor: team[owner ?? 0]!, isOwned: owner !== undefined })
    }
  })
}

type StoryContext = Pick<PursuitStory, 'days'> & {
  readonly today: string
  readonly actor: Actor
  readonly isOwned: boolean
}

/**
 * Applies the steps of a story on mornings three days apart. The last step is on the day when the tender ended, or
 * yesterday.
 */
async function applyStory(
  tx: Db,
  project: SamplePursuableProject,
  { today, days, actor, isOwned }: StoryContext,
): Promise<void> {
  const lastDay = project.endedOn !== null && project.endedOn < today ? project.endedOn : addDays(today, -1)
  for (const [i, actionsOf] of days.entries()) {
    const now = new Date(`${addDays(lastDay, (i + 1 - days.length) * 3)}T02:30:00Z`)
    const owned: PursuitAction[] = i === 0 && isOwned ? [{ action: 'set_owner', owner: actor.userId }] : []
    const actions = [...owned, ...actionsOf(project)]
    await patchPursuit(tx, actor, project.id, { actions, now })
  }
}
