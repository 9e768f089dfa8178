import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import type { FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, putProjects } from '../../../test/world/report-world.ts'
import { addWebhook, addWebhookOwner, listDeliveries, loadWithEvents } from '../../../test/world/webhook-world.ts'
import { writeWebhookEventsForLoad } from './write-webhook-events.ts'

const NOW = new Date('2026-11-23T02:00:00Z')
const [ONE, TWO, THREE] = ['67110000001', '67110000002', '67110000003'] as const
const PASSWORD = 'Tamngan#2569'
const url = 'https://hooks.example/'

onEachEngineInTurn('events of webhooks', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let owner: { organisationId: number; userId: number }
  let boss: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    owner = await addWebhookOwner(db)
    const hash = await hashPassword(PASSWORD)
    const [user] = await db.query<{ email: string }>(
      sql`update users set password_hash = ${hash} where id = ${owner.userId}::int returning email`,
    )
    app = await appOn(db, { now: () => NOW })
    boss = await signIn(app, user!.email, PASSWORD)
  })
  afterAll(() => app.close())
  beforeEach(() => emptyTables(db, 'webhooks', 'jobs', 'projects', 'project_matches', 'loads', 'pursuits'))

  const typesOf = async (id: number) =>
    (
      await db.query<{ type: string; project_id: string }>(
        sql`select type, project_id from webhook_deliveries where webhook_id = ${id}::int order by project_id, type`,
      )
    ).map(({ type, project_id }) => `${project_id} ${type}`)
  const waitingJobs = async () =>
    (await db.query<{ key: string }>(sql`select key from jobs where kind = 'webhook' and state = 'waiting'`)).map(
      ({ key }) => Number(key),
    )

  test('sends new, changed and awarded projects of the report to each subscribed webhook, with its own job', async () => {
    const all = await addWebhook(db, { ...owner, url })
    const winners = await addWebhook(db, { ...owner, url, events: ['project.winner'] })
    const stranger = await addOrganisation(db, { words: { include: ['เรือดำน้ำ'] } })
    const none = await addWebhook(db, { organisationId: stranger, userId: owner.userId, url })
    await loadWithEvents(db, [{ id: ONE }, { id: TWO }, { id: THREE, name: 'จ้างก่อสร้างถนน' }], NOW)
    expect([await typesOf(all.id), await typesOf(winners.id)]).toEqual([[`${ONE} match.new`, `${TWO} match.new`], []])
    // The next load moves a date of the first project and awards the second; the third is outside the report.
    const load = await addLoad(db)
    await db.execute(sql`update projects set written_load = ${load}::bigint, changed_load = ${load}::bigint`)
    await db.execute(sql`update projects set winner_name = 'บริษัท ก', winner_satang = 100 where project_id = ${TWO}`)
    await db.execute(sql`
      insert into project_changes (project_id, load_id, field, old_value, new_value) values
        (${ONE}, ${load}::bigint, 'submission_end_date', null, '2026-12-01'), (${TWO}, ${load}::bigint, 'winner_name', null, 'บริษัท ก'),
        (${THREE}, ${load}::bigint, 'budget', '1', '2')`)
    await db.execute(sql`delete from webhook_deliveries`)
    await db.transaction(async (tx) => {
      await matchDataLoadProjects(tx, load)
      await writeWebhookEventsForLoad(tx, load, NOW)
    })
    expect(await typesOf(all.id)).toEqual([`${ONE} project.changed`, `${TWO} project.changed`, `${TWO} project.winner`])
    expect(await typesOf(winners.id)).toEqual([`${TWO} project.winner`])
    expect(await typesOf(none.id)).toEqual([])
    const [changed] = await db.query<{ data: { changes: unknown } }>(
      sql`select data from webhook_deliveries where webhook_id = ${all.id}::int and project_id = ${ONE}`,
    )
    expect(changed!.data.changes).toEqual([{ field: 'submission_end_date', old: null, new: '2026-12-01' }])
    expect((await waitingJobs()).filter((key) => key === winners.id)).toHaveLength(1)
  })

  test('a project that arrives with a recent winner is sent as awarded, never as new', async () => {
    const { id } = await addWebhook(db, { ...owner, url })
    const awarded = { status: 'contract_created', winner: 'บริษัท ก' }
    await loadWithEvents(
      db,
      [
        { id: ONE, ...awarded, winnerAnnouncedOn: '2026-11-20' },
        { id: TWO, ...awarded, winnerAnnouncedOn: '2025-01-20' },
      ],
      NOW,
    )
    expect(await typesOf(id)).toEqual([`${ONE} project.winner`])
  })

  test('R52: commits events with the load: a failing load leaves neither delivery nor job', async () => {
    const { id } = await addWebhook(db, { ...owner, url })
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: ONE }])
    const failing = db.transaction(async (tx) => {
      await matchDataLoadProjects(tx, load)
      expect(await writeWebhookEventsForLoad(tx, load, NOW)).toBe(1)
      throw new Error('cut')
    })
    await expect(failing).rejects.toThrow('cut')
    expect([await listDeliveries(db, id), await waitingJobs()]).toEqual([[], []])
  })

  test('a real load writes them with everything it publishes', async () => {
    const { id } = await addWebhook(db, { ...owner, url })
    const source: FeedSource = {
      name: 'test',
      async *records() {
        yield {
          line: 1,
          record: {
            ...{ projectId: ONE, name: 'ประกวดราคาซื้อกล้องวงจรปิด', deptName: 'เทศบาลตัวอย่าง', deptProvince: 30 },
            ...{ projectProvince: 30, budgetSatang: 100, biddingInvitedOn: '2026-11-22' },
            announcements: [{ movement: 'w1', announcedOn: '2026-11-22' }],
          },
        }
      },
    }
    const options = { origin: 'test', fingerprint: 'test:1', today: '2026-11-23', now: () => NOW }
    await withDataLoadLease(db, (lease) => runDataLoad(db, lease, source, options))
    expect(await typesOf(id)).toEqual([`${ONE} match.new`])
  })

  test('the request that moves a stage sends its start, its move and its end, without other data', async () => {
    const { id } = await addWebhook(db, { ...owner, url })
    await loadWithEvents(db, [{ id: ONE }], NOW)
    await db.execute(sql`delete from webhook_deliveries`)
    await db.execute(sql`delete from jobs`)
    const patch = async (actions: object[]) =>
      (
        await app.inject({
          method: 'PATCH',
          url: `/api/v2/pursuits/${ONE}`,
          headers: boss.headers,
          payload: { actions },
        })
      ).statusCode
    expect(await patch([{ action: 'set_stage', stage: 'pricing' }])).toBe(200)
    expect(await patch([{ action: 'set_price', price: 1_234_567 }])).toBe(200)
    expect(await patch([{ action: 'add_note', id: 'note', text: 'ความลับ' }])).toBe(200)
    expect(await patch([{ action: 'set_stage', stage: 'submitted' }])).toBe(200)
    expect(await patch([{ action: 'remove' }])).toBe(200)
    const deliveries = await db.query<{ data: { stage: unknown; previous_stage: unknown } }>(
      sql`select data from webhook_deliveries where webhook_id = ${id}::int and type = 'pursuit.stage'`,
    )
    const stage = (code: string) => DEFAULT_PURSUIT_STAGES.find((defaultStage) => defaultStage.id === code)!
    const moves = deliveries.map(({ data }) => [data.previous_stage, data.stage])
    expect(moves).toHaveLength(3)
    expect(moves).toEqual(
      expect.arrayContaining([
        [null, stage('pricing')],
        [stage('pricing'), stage('submitted')],
        [stage('submitted'), null],
      ]),
    )
    const all = JSON.stringify(deliveries)
    expect(['1234567', 'ความลับ', 'price', 'owner'].filter((word) => all.includes(word))).toEqual([])
    expect(await waitingJobs()).toEqual([id, id, id])
  })

  test('writes nothing while off, and stores without a job while paused', async () => {
    const off = await addWebhook(db, { ...owner, url })
    const paused = await addWebhook(db, { ...owner, url })
    await db.execute(sql`update webhooks set is_on = false where id = ${off.id}::int`)
    await db.execute(sql`update webhooks set paused_at = now(), pause_reason = 'failing' where id = ${paused.id}::int`)
    await loadWithEvents(db, [{ id: ONE }], NOW)
    expect([await listDeliveries(db, off.id), await waitingJobs()]).toEqual([[], []])
    expect(await listDeliveries(db, paused.id)).toMatchObject([{ state: 'dead', reason: 'paused' }])
  })
})
