import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { createMailLinkTokens } from '#server/report/mail/mail-link-token.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { startPushServer, TEST_PUSH, TEST_VAPID } from '../../../test/server/push-server.ts'
import { connectTestChannel, listChannelMessages, sendDueMessages } from '../../../test/world/channel-world.ts'
import { loadAndNotify, starProjects } from '../../../test/world/notification-world.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { createPushSender } from './push-sender.ts'
import { registerPushDevice } from './queries.ts'

const KILLS = 25
const USERS = 60
const NOON = new Date('2026-11-20T12:00:00+07:00')
const DUE = new Date('2026-11-20T12:10:00+07:00')

const WORKER = path.join(import.meta.dirname, 'push-worker-for-tests.ts')

test('R52: a worker killed 25 times delivers each message to each browser under one id', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tamngan-killed-push-'))
  const service = await startPushServer()
  const before = await openDb({ dataDir })
  await migrateDatabase(before)
  await notifyAll(before, (name) => service.browser(name).address)
  await before.close()

  const args = [dataDir, TEST_SECRET, JSON.stringify(TEST_VAPID), DUE.toISOString()]
  let killedBetween = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const already = service.received.length
    await killOnOutput(WORKER, args, kill % 2 === 0 ? /^after 2$/m : /^before 3$/m)
    if (service.received.length > already) killedBetween += 1
  }

  const db = await openDb({ dataDir })
  try {
    await releaseAllLeases(db)
    const waiting = (await listChannelMessages(db)).filter(({ state }) => state === 'waiting').length
    // The killed workers sent some of the messages, but not all.
    expect(waiting).toBeLessThan(2 * USERS)
    expect(killedBetween).toBeGreaterThan(KILLS / 2)
    await sendDueMessages(db, [createPushSender({ ...TEST_PUSH, tokens: createMailLinkTokens([TEST_SECRET]) })], DUE)
    expect((await listChannelMessages(db)).map(({ state }) => state)).toEqual(Array(2 * USERS).fill('sent'))
    const byBrowser = Map.groupBy(service.received, ({ browser }) => browser)
    expect(byBrowser.size).toBe(2 * USERS)
    for (const [browser, messages] of byBrowser) {
      expect(new Set(messages.map(({ payload, topic }) => `${payload.id} ${topic}`)).size, browser).toBe(1)
      expect(messages[0]!.payload.title, browser).toBe('2 เรื่องที่ต้องรู้')
    }
    // Four jobs run concurrently, each for one browser, so a kill repeats at most four messages.
    expect(service.received.length - 2 * USERS).toBeLessThanOrEqual(4 * KILLS)
    expect(service.complaints).toEqual([])
    console.log(
      `${KILLS} kills, ${service.received.length} messages for ${2 * USERS} browsers, ${service.received.length - 2 * USERS} sent again`,
    )
  } finally {
    await service.close()
    await db.close()
  }
}, 900_000)

async function notifyAll(db: Db, addressOf: (name: string) => Parameters<typeof registerPushDevice>[2]): Promise<void> {
  const organisationId = await addOrganisation(db, { words: { include: ['กล้อง'] } })
  const projects = ['69119000001', '69119000002'].map((id) => ({
    id,
    name: `ซื้อกล้อง ${id}`,
    submissionEndsOn: '2026-11-24',
  }))
  await loadAndNotify(db, projects, { at: NOON })
  for (let i = 0; i < USERS; i += 1) {
    const userId = await addUser(db, organisationId)
    await db.execute(
      sql`insert into sessions (id, user_id, expires_at) values (${`s${i}`}, ${userId}::int, '2027-01-01')`,
    )
    for (const device of ['desk', 'phone'])
      await db.transaction((tx) =>
        registerPushDevice(tx, { userId, organisationId, sessionId: `s${i}` }, addressOf(`${device} ${i}`), {
          userAgent: 'x',
          at: NOON,
        }),
      )
    await connectTestChannel(db, { userId, organisationId }, 'push')
    await starProjects(db, userId, ...projects.map(({ id }) => id))
  }
  await loadAndNotify(db, [], { at: NOON })
}
