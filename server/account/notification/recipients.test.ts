import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { PROJECT_STATUSES } from '#contract/catalogue/project.ts'
import { addDays, countDaysBetween } from '#contract/thai/thai-date.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { listNotificationLines, TODAY } from '../../../test/world/notification-world.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../../test/world/report-world.ts'
import { notifyUsersOfDataLoadChanges } from './create-notifications.ts'

type Case = {
  readonly isStarred: boolean
  readonly isLabelled: boolean
  readonly isHidden: boolean
  readonly isEBidding: boolean
  readonly daysLeft: number | null
  readonly discussionDaysLeft: number | null
  readonly status: string
  readonly isArchived: boolean
  /** `watched`: in the report; `excluded`: removed by an exclusion word; `other`: matches no word. */
  readonly name: 'watched' | 'excluded' | 'other'
  readonly isChanged: boolean
}
/** Disables the timeout, because these tests write thousands of rows and may run on a busy machine. */
const PATIENT = { timeoutMs: 0 }
const BOTH = [false, true]
const DAYS = [-1, 0, 1, 7, 8, null]
const STATES = [
  ...PROJECT_STATUSES.map(({ code: status }) => ({ status, isArchived: false })),
  { status: 'in_progress', isArchived: true },
]
const NAMES = { watched: 'ซื้อกล้องวงจรปิด', excluded: 'เช่ากล้องวงจรปิด', other: 'ซื้อเครื่องถ่ายเอกสาร' }

function* allCases(): Generator<Case> {
  for (const isStarred of BOTH)
    for (const isLabelled of BOTH)
      for (const isHidden of BOTH)
        for (const isEBidding of BOTH)
          for (const [at, daysLeft] of DAYS.entries())
            for (const state of STATES)
              for (const name of ['watched', 'excluded', 'other'] as const)
                for (const isChanged of BOTH) {
                  const discussionDaysLeft = DAYS[(at + 2) % DAYS.length]!
                  yield {
                    isStarred,
                    isLabelled,
                    isHidden,
                    isEBidding,
                    daysLeft,
                    discussionDaysLeft,
                    ...state,
                    name,
                    isChanged,
                  }
                }
}
const CASES = [...allCases()].map((fields, i) => ({ ...fields, id: String(67_000_000_001 + i) }))
const inOrder = (a: string, b: string) => (a < b ? -1 : 1)
const dateIn = (days: number | null) => (days === null ? null : addDays(TODAY, days))

type Reader = { readonly id: number; readonly wantsEBidding: boolean; readonly report: readonly Case['name'][] }

/** Reference implementation of D16 and D17 for one user and one project, written as literally as possible. */
function expected(reader: Reader, project: (typeof CASES)[number]): string[] {
  if (project.isHidden || !reader.report.includes(project.name)) return []
  const lines: string[] = []
  if (project.isChanged && (project.isStarred || project.isLabelled)) lines.push(`${reader.id} Updated ${project.id}`)
  const isOpen = project.status === 'in_progress' && !project.isArchived
  const isOfInterest = project.isStarred || (reader.wantsEBidding && project.isEBidding)
  const dates = [
    ['Discussion_date_end', dateIn(project.discussionDaysLeft)],
    ['Submission_date_end', dateIn(project.daysLeft)],
  ] as const
  for (const [type, date] of dates) {
    if (date === null || !isOpen || !isOfInterest) continue
    const left = countDaysBetween(TODAY, date)
    if (left >= 0 && left <= 7) lines.push(`${reader.id} ${type} ${project.id} ${date}`)
  }
  return lines
}

onEachEngineInTurn('who is told of what', (makeDb) => {
  let db: OpenDb
  let readers: Reader[]
  let load: number

  beforeAll(async () => {
    db = await makeDb()
    const cameras = await addOrganisation(db, { words: { include: ['กล้อง'], exclude: ['เช่า'] } })
    const copiers = await addOrganisation(db, { words: { include: ['เครื่องถ่ายเอกสาร'] } })
    const member = async (organisation: number, wantsEBidding: boolean) => {
      const id = await addUser(db, organisation)
      await db.execute(sql`update users set is_noti_e_bidding = ${wantsEBidding}::boolean where id = ${id}::int`)
      return id
    }
    readers = [
      { id: await member(cameras, false), wantsEBidding: false, report: ['watched'] },
      { id: await member(cameras, true), wantsEBidding: true, report: ['watched'] },
      { id: await member(copiers, true), wantsEBidding: true, report: ['other'] },
    ]
    // Users who receive nothing: disabled users, users of a disabled organisation or one without the report, the demo
    // and its visitors.
    const silenced = ['is_disabled', 'is_access_budget_year_only']
    for (const flag of silenced) {
      const organisation = await addOrganisation(db)
      await db.script(`update organisations set ${flag} = true where id = ${organisation}`)
      await member(organisation, true)
    }
    await member(await addOrganisation(db, { code: 'demo' }), true)
    await db.script(`update users set is_disabled = true where id = ${await member(cameras, true)}`)
    await db.script(`update users set is_demo_visitor = true where id = ${await member(cameras, true)}`)

    await putCases(await addLoad(db))
    await mark()
    load = await addLoad(db)
    await db.execute(
      sql`
      update projects set changed_load = ${load}::bigint, written_load = ${load}::bigint
      where project_id = any (${CASES.filter(({ isChanged }) => isChanged).map(({ id }) => id)}::text[])`,
      PATIENT,
    )
  })

  async function putCases(first: number): Promise<void> {
    await putProjects(db, first, [{ id: 'template' }])
    const rows = CASES.map((project) => ({
      project_id: project.id,
      name: NAMES[project.name],
      name_search: NAMES[project.name],
      name_spaced: NAMES[project.name],
      method: project.isEBidding ? 'e_bidding' : 'selective',
      status: project.status,
      is_archived: project.isArchived,
      submission_ends_on: dateIn(project.daysLeft),
      draft_discussion_ends_on: dateIn(project.discussionDaysLeft),
    }))
    await db.execute(
      sql`
      insert into projects select (jsonb_populate_record(p, x)).*
      from projects p, jsonb_array_elements(${JSON.stringify(rows)}::jsonb) x where p.project_id = 'template'`,
      PATIENT,
    )
    await db.execute(sql`delete from projects where project_id = 'template'`)
    await db.transaction((tx) => matchDataLoadProjects(tx, first))
  }

  async function mark(): Promise<void> {
    const ids = (has: (project: Case) => boolean) => CASES.filter(has).map(({ id }) => id)
    await db.script(`insert into labels (user_id, id, name, color) select id, 'l', 'ป้าย', 'sky' from users`)
    await db.execute(
      sql`
      insert into bookmarks (user_id, project_id) select u.id, t.id from users u, unnest(${ids((project) => project.isStarred)}::text[]) t (id)`,
      PATIENT,
    )
    await db.execute(
      sql`
      insert into label_assignments (user_id, project_id, label_id)
      select u.id, t.id, 'l' from users u, unnest(${ids((project) => project.isLabelled)}::text[]) t (id)`,
      PATIENT,
    )
    await db.execute(
      sql`
      insert into hidden_projects (user_id, project_id) select u.id, t.id from users u, unnest(${ids((project) => project.isHidden)}::text[]) t (id)`,
      PATIENT,
    )
  }

  const at = new Date('2026-11-20T02:00:00Z')
  const notify = (loadId: number, today = TODAY) =>
    db.transaction((tx) => notifyUsersOfDataLoadChanges(tx, loadId, { today, at }))

  test(`for ${CASES.length} kinds of projects notifies exactly the users that D16 and D17 require`, async () => {
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    const made = await notify(load)
    const expectedLines = readers.flatMap((reader) => CASES.flatMap((project) => expected(reader, project)))
    expect(expectedLines.length).toBeGreaterThan(700)
    expect((await listNotificationLines(db)).toSorted(inOrder)).toEqual(expectedLines.toSorted(inOrder))
    expect(made.updates + made.warnings).toBe(expectedLines.length)
    const ready = await db.query<{ id: number }>(sql`select id from users where notifications_click_read order by id`)
    expect(ready.map(({ id }) => id)).toEqual(readers.map(({ id }) => id))
  })

  test('R52: repeating a load or loading without changes notifies no user twice', async () => {
    await db.execute(sql`update users set notifications_click_read = false`)
    const before = await listNotificationLines(db)
    expect(await notify(load)).toEqual({ updates: 0, warnings: 0 })
    expect(await notify(await addLoad(db))).toEqual({ updates: 0, warnings: 0 })
    expect(await listNotificationLines(db)).toEqual(before)
    expect(await db.query(sql`select 1 from users where notifications_click_read`)).toEqual([])
  })

  test('notifies the next day only of what then has seven days left', async () => {
    const before = (await listNotificationLines(db)).length
    await notify(await addLoad(db), addDays(TODAY, 1))
    const added = (await listNotificationLines(db)).slice(before)
    const eighth = CASES.map((project) => ({
      ...project,
      isChanged: false,
      daysLeft: project.daysLeft === 8 ? 7 : null,
      discussionDaysLeft: project.discussionDaysLeft === 8 ? 7 : null,
    }))
    const expectedLines = readers
      .flatMap((reader) => eighth.flatMap((project) => expected(reader, project)))
      .map((line) => line.replace(addDays(TODAY, 7), addDays(TODAY, 8)))
    expect(expectedLines.length).toBeGreaterThan(20)
    expect(added.toSorted(inOrder)).toEqual(expectedLines.toSorted(inOrder))
  })
})
