import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { decodeClaims, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import {
  formatNotification,
  listNotificationLines,
  loadAndNotify,
  starProjects,
  TODAY,
} from '../../../test/world/notification-world.ts'
import { makeUserWorld, type UserWorld } from '../../../test/world/user-world.ts'
import { notifyExportReady, notifyUsersOfDataLoadChanges } from './create-notifications.ts'
import { pruneNotifications } from './notifications.ts'

const [P1, P2, P3] = ['67110000001', '67110000002', '67110000003']
const closing = (id: string, daysLeft: number) => ({ id, submissionEndsOn: addDays(TODAY, daysLeft) })

onEachEngineInTurn('notifications', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let user: SignedIn
  let colleague: SignedIn
  let userId: number

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db, { projects: 1 })
    user = await signIn(world.app, 'manager@tharamek.example')
    colleague = await signIn(world.app, 'sales@tharamek.example')
    userId = Number(decodeClaims(user.access).sub)
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await db.script(`truncate notifications cascade; delete from bookmarks; delete from hidden_projects; delete from project_changes;
      delete from project_matches; delete from projects; update users set notifications_click_read = false`)
  })

  const group = async (reader = user) => (await world.me(reader)).notification_updated_status
  const lines = async (reader = user) => (await group(reader)).notifications.map(formatNotification)
  const poll = async (reader = user) =>
    (await world.app.inject({ url: '/api/v2/users/me/pulse/', headers: reader.headers })).json()

  test('D17: the first load warns of four days left; a new date warns again and outdates the old one; a past one never warns', async () => {
    await loadAndNotify(db, [closing(P1, 4)])
    await starProjects(db, userId, P1)
    await loadAndNotify(db, [])
    expect(await lines()).toEqual([`Submission_date_end ${P1} ${addDays(TODAY, 4)}`])
    await loadAndNotify(db, [closing(P1, 6)], { changes: { submission_end_date: addDays(TODAY, 6) } })
    expect(await lines()).toEqual([
      `Submission_date_end ${P1} ${addDays(TODAY, 6)}`,
      `Updated ${P1}`,
      `Submission_date_end ${P1} ${addDays(TODAY, 4)} outdated`,
    ])
    await loadAndNotify(db, [closing(P1, 30)])
    await loadAndNotify(db, [closing(P1, -1)])
    expect(await lines()).toEqual([
      `Updated ${P1}`,
      `Updated ${P1}`,
      `Submission_date_end ${P1} ${addDays(TODAY, 6)} outdated`,
      `Updated ${P1}`,
      `Submission_date_end ${P1} ${addDays(TODAY, 4)} outdated`,
    ])
  })

  test('D17: later loads do not repeat a warning after everything was read', async () => {
    await loadAndNotify(db, [closing(P1, 7)])
    await starProjects(db, userId, P1)
    await loadAndNotify(db, [])
    const [only] = (await group()).notifications
    await world.patched(user, { notification_updated_status: { clickRead: false, read_up_to: only!.id } })
    for (const day of [0, 0, 1, 5, 7, 8]) await loadAndNotify(db, [], { today: addDays(TODAY, day) })
    expect(await group()).toEqual({ clickRead: false, notifications: [{ ...only, read: true }] })
  })

  test.each(['UTC', 'Asia/Bangkok', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
    'R58: eight days become seven at midnight in Bangkok, with the database in the zone %s',
    async (zone) => {
      await loadAndNotify(db, [closing(P1, 8)])
      await starProjects(db, userId, P1)
      const madeAt = (instant: string) =>
        db.transaction(async (tx) => {
          await tx.script(`set local time zone '${zone}'`)
          const at = new Date(instant)
          return notifyUsersOfDataLoadChanges(tx, 0, { today: getBangkokToday(at), at })
        })
      expect(await madeAt('2026-11-20T16:59:59Z')).toEqual({ updates: 0, warnings: 0 })
      expect(await madeAt('2026-11-20T17:00:00Z')).toEqual({ updates: 0, warnings: 1 })
      const [only] = (await group()).notifications
      expect(only).toMatchObject({ due_date: '2026-11-28', date_created: '2026-11-20T17:00:00.000Z', outdated: false })
    },
  )

  test('a load notifies of its changes, the most urgent warning first, and turns the dot on', async () => {
    await loadAndNotify(db, [closing(P1, 20), closing(P2, 3), closing(P3, 1)])
    await starProjects(db, userId, P1, P2, P3)
    expect(await group()).toEqual({ clickRead: false, notifications: [] })
    const at = new Date('2026-11-20T18:30:00Z')
    await loadAndNotify(db, [{ ...closing(P1, 20), budget: 200_000_000 }], { at, changes: { budget: '2000000' } })
    const { clickRead, notifications } = await group()
    expect(clickRead).toBe(true)
    expect(notifications.map(formatNotification)).toEqual([
      `Submission_date_end ${P3} ${addDays(TODAY, 1)}`,
      `Submission_date_end ${P2} ${addDays(TODAY, 3)}`,
      `Updated ${P1}`,
    ])
    expect(notifications[2]).toMatchObject({
      detail: 'ประกวดราคาซื้อกล้องวงจรปิด',
      date_created: '2026-11-20T18:30:00.000Z',
      due_date: null,
      export_id: null,
      changes: [{ field: 'budget', old: 'before', new: '2000000', seen_at: expect.stringMatching(/^2.*Z$/) }],
    })
    expect(await group(colleague)).toEqual({ clickRead: false, notifications: [] })
  })

  test('hides notifications of a hidden project until it is restored', async () => {
    await loadAndNotify(db, [closing(P1, 3), closing(P2, 3)])
    await starProjects(db, userId, P1, P2)
    await loadAndNotify(db, [])
    const linesBefore = await lines()
    await world.patched(user, { hide_action: { action: 'add', project_id: P2 } })
    expect(await lines()).toEqual([`Submission_date_end ${P1} ${addDays(TODAY, 3)}`])
    expect(await poll()).toMatchObject({ unread: 1 })
    await world.patched(user, { hide_action: { action: 'remove', project_id: P2 } })
    expect(await lines()).toEqual(linesBefore)
  })

  test('announces an export once, to its user only', async () => {
    const ready = { userId, organisationId: 1, exportId: 'x1', fileName: 'REPORT_20261120.xlsx', at: new Date() }
    for (const again of [ready, ready]) await db.transaction((tx) => notifyExportReady(tx, again))
    const { clickRead, notifications } = await group()
    expect(clickRead).toBe(true)
    expect(notifications).toEqual([
      expect.objectContaining({
        type: 'Export_ready',
        detail: ready.fileName,
        project_id: null,
        export_id: 'x1',
        outdated: false,
      }),
    ])
    expect(await lines(colleague)).toEqual([])
    await world.patched(user, { notification_updated_status: { clickRead: false } })
    await db.transaction((tx) => notifyExportReady(tx, ready))
    expect((await group()).clickRead).toBe(false)
  })

  test('ids increase in commit order, so that read_up_to never covers a later notification', async () => {
    await loadAndNotify(db, [closing(P1, 3)])
    await starProjects(db, userId, P1)
    const ready = { userId, organisationId: 1, exportId: 'x1', fileName: 'x', at: new Date() }
    const order: string[] = []
    const notified = Promise.withResolvers<void>()
    const exporting = notified.promise.then(async () => {
      await db.transaction((tx) => notifyExportReady(tx, ready))
      order.push('export')
    })
    await db.transaction(async (tx) => {
      await notifyUsersOfDataLoadChanges(tx, 0, { today: TODAY, at: new Date() })
      notified.resolve()
      // Long enough for the other transaction to overtake this one if it did not wait for the lock.
      await tx.query(sql`select pg_sleep(0.3)`)
      order.push('load')
    })
    await exporting
    expect(order).toEqual(['load', 'export'])
    expect((await group()).notifications.map(({ type }) => type)).toEqual(['Export_ready', 'Submission_date_end'])
  })

  test('the change poll returns the newest notification and the unread count, consistent with the list of 100', async () => {
    expect(await poll()).toMatchObject({ newest_notification: null, unread: 0 })
    await db.execute(sql`
      insert into notifications (user_id, organisation_id, type, export_id, file_name, created_at)
      select ${userId}::int, 1, 'Export_ready', g::text, 'x', now() from generate_series(1, 130) g`)
    const { notifications } = await group()
    expect(notifications).toHaveLength(100)
    await world.patched(user, {
      notification_updated_status: { notifications: [{ id: notifications[9]!.id, read: true }] },
    })
    const answer = await poll()
    expect(answer).toEqual({
      data_time: expect.any(String),
      pursuit_version: null,
      newest_notification: notifications[0]!.id,
      unread: 99,
    })
    const page = (await world.app.inject({ url: '/api/v2/projects', headers: user.headers })).json()
    expect(answer.data_time).toBe(page.data_time)
    expect(await poll(colleague)).toMatchObject({ newest_notification: null, unread: 0 })
    expect(await poll(await enterDemo(world.app))).toMatchObject({ newest_notification: null, unread: 0 })
  })

  test('deletes everything older than 90 days and nothing newer', async () => {
    const now = new Date('2026-11-20T00:00:00Z')
    await db.execute(sql`
      insert into notifications (user_id, organisation_id, type, export_id, created_at)
      select ${userId}::int, 1, 'Export_ready', g::text, ${now.toISOString()}::timestamptz - g * interval '6 minutes'
      from generate_series(1, 43000) g`)
    await pruneNotifications(db, now)
    expect(await db.query(sql`select count(*) as n, max(export_id::int) as oldest from notifications`)).toEqual([
      { n: 21_600, oldest: 21_600 },
    ])
  })

  test('deleting a user deletes their notifications', async () => {
    const gone = await db.query<{ id: number }>(sql`
      insert into users (organisation_id, email, email_key, password_hash) values (1, 'x', ${`x${db.engine}`}, '-') returning id`)
    const ready = { userId: gone[0]!.id, organisationId: 1, exportId: 'x', fileName: 'x', at: new Date() }
    await db.transaction((tx) => notifyExportReady(tx, ready))
    await db.execute(sql`delete from users where id = ${gone[0]!.id}::int`)
    expect(await listNotificationLines(db)).toEqual([])
  })
})
