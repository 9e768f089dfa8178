import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { NotificationPatch } from '#contract/account/notification.ts'
import { applyUserPatch } from '#contract/report/apply-user-patch.ts'
import { undoOfUserPatch } from '#contract/report/undo-user-patch.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { claimsOf, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { makeUserWorld, type UserWorld } from '../../../test/world/user-world.ts'

onEachEngineInTurn('marks of notifications', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let who: SignedIn
  let stranger: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db, { projects: 1 })
    who = await signIn(world.app, 'manager@tharamek.example')
    stranger = await signIn(world.app, 'manager@noensai.example')
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await db.script('truncate notifications restart identity cascade; update users set notifications_click_read = true')
    await tell(who, 3) // 1, 2, 3
    await tell(stranger, 2) // 4, 5
  })

  const tell = ({ access }: SignedIn, count: number) =>
    db.execute(sql`
      insert into notifications (user_id, organisation_id, type, export_id, created_at)
      select ${Number(claimsOf(access).sub)}::int, 1, 'Export_ready', gen_random_uuid()::text, now() from generate_series(1, ${count}::int)`)
  const patch = (notification_updated_status: NotificationPatch, reader = who) =>
    world.patched(reader, { notification_updated_status })
  const readIds = async (reader = who) =>
    (await world.me(reader)).notification_updated_status.notifications.flatMap(({ id, read }) => (read ? [id] : []))

  test('one by one, all up to one, and back; the last mark of an id counts', async () => {
    await patch({ notifications: [{ id: '2', read: true }] })
    expect(await readIds()).toEqual(['2'])
    await patch({ read_up_to: '2' })
    expect(await readIds()).toEqual(['2', '1'])
    await patch({
      read_up_to: '3',
      notifications: [
        { id: '1', read: true },
        { id: '1', read: false },
      ],
    })
    expect(await readIds()).toEqual(['3', '2'])
    await patch({ read_up_to: '999999999999999' })
    expect(await readIds()).toEqual(['3', '2', '1'])
  })

  test('the popover opens: clickRead goes, and nothing is read by that', async () => {
    const { notification_updated_status: group } = await patch({ clickRead: false })
    expect([group.clickRead, await readIds()]).toEqual([false, []])
    expect((await patch({ clickRead: true })).notification_updated_status.clickRead).toBe(true)
  })

  test("the whole list sent back, as the specification's client does, changes what differs", async () => {
    const { notifications } = (await world.me(who)).notification_updated_status
    const sent = notifications.map((one) => ({ ...one, read: one.id === '3', detail: 'not looked at' }))
    const user = await patch({ notifications: sent })
    expect(user.notification_updated_status.notifications).toEqual(
      notifications.map((one) => ({ ...one, read: one.id === '3' })),
    )
  })

  test("R25: another user's ids, and unknown ones, change nothing and are answered alike", async () => {
    const foreign: NotificationPatch = {
      notifications: [
        { id: '4', read: true },
        { id: '5', read: true },
      ],
    }
    const unknown: NotificationPatch = {
      notifications: [
        { id: '8', read: true },
        { id: '9', read: true },
      ],
    }
    expect(await patch(foreign)).toEqual(await patch(unknown))
    expect(await patch({ read_up_to: '5' })).toEqual(await patch({ read_up_to: '99' }))
    expect([await readIds(), await readIds(stranger)]).toEqual([['3', '2', '1'], []])
    expect((await world.me(stranger)).notification_updated_status.clickRead).toBe(true)
  })

  test('what no id can be is refused, and nothing of the body is done', async () => {
    const refused = [
      { notifications: [{ id: 'x', read: true }] },
      { notifications: [{ id: '1' }] },
      { read_up_to: '-1' },
      { read_up_to: '1234567890123456' },
      { notifications: Array.from({ length: 101 }, () => ({ id: '1', read: true })) },
      { clickRead: 'yes' },
    ]
    for (const wrong of refused)
      expect((await world.patch(who, { notification_updated_status: { read_up_to: '3', ...wrong } })).status).toBe(400)
    expect(await readIds()).toEqual([])
  })

  test('the undo of a patch, sent to the server, brings back what was', async () => {
    await patch({ notifications: [{ id: '2', read: true }] })
    const before = await world.me(who)
    const change = { notification_updated_status: { clickRead: false, read_up_to: '3' } }
    const undo = undoOfUserPatch(before, change)!
    expect(undo.notification_updated_status).toEqual({
      clickRead: true,
      notifications: [
        { id: '3', read: false },
        { id: '1', read: false },
      ],
    })
    expect(await world.patched(who, change)).toEqual(applyUserPatch(before, change))
    expect(await world.patched(who, undo)).toEqual(before)
    expect(undoOfUserPatch(before, { notification_updated_status: { read_up_to: '0' } })).toBeUndefined()
  })

  test('what is told while all is being read stays unread', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { notifications } = (await world.me(who)).notification_updated_status
      const known = new Set(notifications.map(({ id }) => id))
      await Promise.all([patch({ clickRead: false, read_up_to: notifications[0]!.id }), tell(who, 2)])
      const after = (await world.me(who)).notification_updated_status.notifications
      expect(after.filter(({ id }) => !known.has(id)).map(({ read }) => read)).toEqual([false, false])
      expect(after.filter(({ id }) => known.has(id)).every(({ read }) => read)).toBe(true)
    }
  })
})
