import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { NotificationPatch } from '#contract/account/notification.ts'
import { applyUserPatch, invertUserPatch } from '#contract/report/apply-user-patch.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { decodeClaims, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { makeUserWorld, type UserWorld } from '../../../test/world/user-world.ts'

onEachEngineInTurn('marks of notifications', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let manager: SignedIn
  let stranger: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db, { projects: 1 })
    manager = await signIn(world.app, 'manager@tharamek.example')
    stranger = await signIn(world.app, 'manager@noensai.example')
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await db.script('truncate notifications restart identity cascade; update users set notifications_click_read = true')
    await addNotifications(manager, 3) // ids 1, 2, 3
    await addNotifications(stranger, 2) // ids 4, 5
  })

  const addNotifications = ({ access }: SignedIn, count: number) =>
    db.execute(sql`
      insert into notifications (user_id, organisation_id, type, export_id, created_at)
      select ${Number(decodeClaims(access).sub)}::int, 1, 'Export_ready', gen_random_uuid()::text, now() from generate_series(1, ${count}::int)`)
  const patch = (notification_updated_status: NotificationPatch, reader = manager) =>
    world.patched(reader, { notification_updated_status })
  const readIds = async (reader = manager) =>
    (await world.me(reader)).notification_updated_status.notifications.flatMap(({ id, read }) => (read ? [id] : []))

  test('marks one, all up to one, and unread again; the last mark of an id wins', async () => {
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

  test('opening the popover clears clickRead without marking anything read', async () => {
    const { notification_updated_status: group } = await patch({ clickRead: false })
    expect([group.clickRead, await readIds()]).toEqual([false, []])
    expect((await patch({ clickRead: true })).notification_updated_status.clickRead).toBe(true)
  })

  test("a whole list sent back, as by the specification's client, changes only what differs", async () => {
    const { notifications } = (await world.me(manager)).notification_updated_status
    const sent = notifications.map((notification) => ({
      ...notification,
      read: notification.id === '3',
      detail: 'not looked at',
    }))
    const user = await patch({ notifications: sent })
    expect(user.notification_updated_status.notifications).toEqual(
      notifications.map((notification) => ({ ...notification, read: notification.id === '3' })),
    )
  })

  test("R25: another user's ids and unknown ids change nothing and answer alike", async () => {
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

  test('refuses an invalid id without applying any part of the body', async () => {
    const refused = [
      { notifications: [{ id: 'x', read: true }] },
      { notifications: [{ id: '1' }] },
      { read_up_to: '-1' },
      { read_up_to: '1234567890123456' },
      { notifications: Array.from({ length: 101 }, () => ({ id: '1', read: true })) },
      { clickRead: 'yes' },
    ]
    for (const wrong of refused)
      expect((await world.patch(manager, { notification_updated_status: { read_up_to: '3', ...wrong } })).status).toBe(
        400,
      )
    expect(await readIds()).toEqual([])
  })

  test('the undo patch restores the previous state on the server', async () => {
    await patch({ notifications: [{ id: '2', read: true }] })
    const before = await world.me(manager)
    const change = { notification_updated_status: { clickRead: false, read_up_to: '3' } }
    const undo = invertUserPatch(before, change)!
    expect(undo.notification_updated_status).toEqual({
      clickRead: true,
      notifications: [
        { id: '3', read: false },
        { id: '1', read: false },
      ],
    })
    expect(await world.patched(manager, change)).toEqual(applyUserPatch(before, change))
    expect(await world.patched(manager, undo)).toEqual(before)
    expect(invertUserPatch(before, { notification_updated_status: { read_up_to: '0' } })).toBeUndefined()
  })

  test('a notification that arrives during "read all" stays unread', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { notifications } = (await world.me(manager)).notification_updated_status
      const existingIds = new Set(notifications.map(({ id }) => id))
      await Promise.all([patch({ clickRead: false, read_up_to: notifications[0]!.id }), addNotifications(manager, 2)])
      const after = (await world.me(manager)).notification_updated_status.notifications
      expect(after.filter(({ id }) => !existingIds.has(id)).map(({ read }) => read)).toEqual([false, false])
      expect(after.filter(({ id }) => existingIds.has(id)).every(({ read }) => read)).toBe(true)
    }
  })
})
