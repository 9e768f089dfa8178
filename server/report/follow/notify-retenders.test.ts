import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { writeTemporaryTestFile } from '#server/catalogue/feed/feed-for-tests.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { decodeClaims, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { setWords } from '../../../test/world/report-world.ts'
import { makeUserWorld, type UserWorld } from '../../../test/world/user-world.ts'

const [FIRST, SECOND] = ['69119904001', '69119904002']
const NAME = 'ประกวดราคาซื้อเครื่องวัดคุณภาพน้ำอัตโนมัติ พร้อมติดตั้ง จำนวน ๓ ชุด ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)'
const HEADER =
  'project_id,project_name,project_type_name,dept_name,dept_sub_name,purchase_method_name,announce_date,project_money,budget_year,province,project_status'
const OPEN = 'ระหว่างดำเนินการ'
const row = (
  id: string,
  { status = OPEN, day = '2026-10-05', money = 1_000_000, name = NAME, dept = 'กรมสมมุติ' } = {},
) => `${id},${name},ซื้อ,${dept},สำนักงานสมมุติ,ประกวดราคาอิเล็กทรอนิกส์ (e-bidding),${day},${money},2570,เชียงใหม่,${status}`
const CANCELLED = row(FIRST, { status: 'ยกเลิกโครงการ' })
const ANEW = row(SECOND, { day: '2026-11-20', money: 980_000, name: `${NAME} (ครั้งที่ ๒)` })

onEachEngineInTurn('a followed tender that is cancelled and announced again under another number', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let boss: SignedIn
  let seller: SignedIn
  let bossId: number
  let organisation: number

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db, { projects: 1, now: () => new Date('2026-11-28T02:00:00Z') })
    boss = await signIn(world.app, 'manager@tharamek.example')
    seller = await signIn(world.app, 'sales@tharamek.example')
    bossId = Number(decodeClaims(boss.access).sub)
    const [user] = await db.query<{ id: number }>(
      sql`select organisation_id as id from users where id = ${bossId}::int`,
    )
    organisation = user!.id
    await setWords(db, organisation, { include: ['เครื่องวัด'] })
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await emptyTables(
      db,
      'projects',
      'loads',
      'project_matches',
      'notifications',
      'bookmarks',
      'labels',
      'pursuits',
      'pursuit_notes',
      'pursuit_events',
      'follows',
      'job_leases',
      'departments',
    )
    await load('2026-10-06', row(FIRST))
  })

  async function load(today: string, ...rows: readonly string[]): Promise<void> {
    const { source, fingerprint } = await openFeedFile(
      writeTemporaryTestFile('projects.csv', `${[HEADER, ...rows].join('\n')}\n`),
    )
    const options = { origin: 'test', fingerprint: `${fingerprint} ${today}`, today }
    await withDataLoadLease(db, (lease) => runDataLoad(db, lease, source, options))
  }
  const star = (user = boss, id = FIRST) => world.patched(user, { bookmark_action: { action: 'add', project_id: id } })
  const notifiedIds = async (user = boss, type = 'Announced_anew') =>
    (await world.me(user)).notification_updated_status.notifications
      .filter((notification) => notification.type === type)
      .map((notification) => notification.project_id)

  test.each([
    ['in one load', [[CANCELLED, ANEW]]],
    ['the cancellation first', [[CANCELLED], [ANEW]]],
    ['the new number first', [[ANEW], [CANCELLED]]],
  ])('notifies its follower once, %s', async (_when, loads) => {
    await star()
    for (const [day, rows] of loads.entries()) await load(`2026-11-2${1 + day}`, ...rows)
    expect([await notifiedIds(), await notifiedIds(seller)]).toEqual([[SECOND], []])
    await load('2026-11-28', CANCELLED, ANEW)
    expect(await notifiedIds()).toEqual([SECOND])
  })

  // Titles and budgets of one tender are compared in find-linked-projects.test.ts; these also depend on how a load stores
  // them and on the days that the statement compares.
  test.each([
    ['Arabic digits and other blanks', { name: NAME.replace('๓', '3').replaceAll(' ', '\u00a0 ') }],
    ['เเ for แ and a split sara am', { name: NAME.replaceAll('แ', 'เเ').replaceAll('ำ', '\u0e4d\u0e32') }],
    ['no money', { money: 0 }],
    ['the same day', { day: '2026-11-21' }],
  ])('finds it under a title with %s', async (_what, change) => {
    await star()
    await load('2026-11-21', CANCELLED, row(SECOND, { day: '2026-11-20', ...change }))
    expect(await notifiedIds()).toEqual([SECOND])
  })

  test('is not mistaken for a work with another number of pieces', async () => {
    await star()
    const name = NAME.replace('จำนวน ๓ ชุด', 'จำนวน ๗ ชุด')
    await load('2026-11-21', CANCELLED, row(SECOND, { day: '2026-11-20', name }))
    expect(await notifiedIds()).toEqual([])
  })

  test('follows a tender that is cancelled twice to its third number', async () => {
    const third = '69119904003'
    await star()
    await load('2026-11-21', CANCELLED, ANEW)
    await star(boss, SECOND)
    await load('2026-11-24', row(SECOND, { status: 'ยกเลิกโครงการ', day: '2026-11-20' }))
    await load('2026-11-26', row(third, { day: '2026-11-26', name: `${NAME} (ครั้งที่ ๓)` }))
    expect((await notifiedIds()).toSorted()).toEqual([SECOND, third])
  })

  test('labels and a board card count as following; another work of the unit is not mistaken for it', async () => {
    await db.execute(sql`insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, created_at, changed_at)
      values (${organisation}::int, ${FIRST}, 'screened', now(), ${bossId}::int, now(), now())`)
    const otherTitle = row('69119904009', { day: '2026-11-20', name: NAME.replace('คุณภาพน้ำ', 'ความเร็วลมและฝุ่น') })
    const elsewhere = row('69119904010', { day: '2026-11-20', dept: 'กรมอื่น' })
    await load('2026-11-21', CANCELLED, otherTitle, elsewhere)
    expect(await notifiedIds()).toEqual([])
    await load('2026-11-22', ANEW)
    expect(await notifiedIds()).toEqual([SECOND])
  })

  test('one request carries over star, labels and card; a revived first number is still followed', async () => {
    await star()
    const { headers } = boss
    const patch = (actions: object[]) =>
      world.app.inject({ method: 'PATCH', url: `/api/v2/pursuits/${FIRST}`, headers, payload: { actions } })
    await patch([
      { action: 'set_stage', stage: 'pricing' },
      { action: 'add_note', id: 'n1', text: 'โทรถามแล้ว' },
    ])
    await load('2026-11-21', CANCELLED, ANEW)
    const carry = (to: string, from: string, user = boss) =>
      world.app.inject({
        method: 'POST',
        url: `/api/v2/pursuits/${to}/carry`,
        headers: user.headers,
        payload: { from },
      })
    expect((await carry(SECOND, FIRST)).statusCode).toBe(204)
    const card = (await world.app.inject({ url: `/api/v2/pursuits/${SECOND}`, headers })).json()
    expect(card).toMatchObject({ pursuit: { stage: 'pricing' }, notes: [{ text: 'โทรถามแล้ว' }] })
    expect(card.history[0]).toMatchObject({ action: 'carry', from: FIRST, to: SECOND })
    expect((await world.app.inject({ url: `/api/v2/pursuits/${FIRST}`, headers })).json().pursuit).toBeNull()
    expect((await world.me(boss)).project_bookmark.toSorted()).toEqual([FIRST, SECOND])
    const before = (await notifiedIds(boss, 'Updated')).length
    await load('2026-11-25', row(FIRST))
    expect(await notifiedIds(boss, 'Updated')).toHaveLength(before + 1)
    expect((await world.app.inject({ url: `/api/v2/projects/${FIRST}`, headers })).json().row.status).toBe(
      'in_progress',
    )
    // The server refuses a transfer to a project that already has a card, or to one that the organisation does not
    // have.
    await patch([{ action: 'set_stage', stage: 'screened' }])
    expect((await carry(SECOND, FIRST)).statusCode).toBe(400)
    expect((await carry(SECOND, '69119999999')).statusCode).toBe(404)
    expect((await carry(SECOND, SECOND)).statusCode).toBe(400)
  })
})
