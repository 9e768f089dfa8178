import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { scheduleMorningSummaries } from '#server/channels/channel/delivery-hours.ts'
import { enableNotificationChannel } from '#server/channels/channel/queries.ts'
import { createLineSender } from '#server/channels/line/line-sender.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { runDueJobs } from '#server/platform/queue/job-worker.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { silentLog } from '../../test/jobs.ts'
import { LineServer } from '../../test/line/line-server.ts'
import { createTestLineDependencies } from '../../test/line/line-world.ts'
import { TEST_SECRET } from '../../test/server/http-app.ts'
import { killOnOutput } from '../../test/server/killed-process.ts'
import { loadAndNotify } from '../../test/world/notification-world.ts'
import { reportMailDependencies } from '../../test/world/report-mail-world.ts'
import { addOrganisation, addUser } from '../../test/world/report-world.ts'
import { notificationChannelJob } from './channel-job.ts'

const KILLS = 25
const USERS = 12
const NIGHT = new Date('2026-11-20T04:00:00+07:00')
const MORNING = new Date('2026-11-20T07:30:00+07:00')

const WORKER = path.join(import.meta.dirname, 'line-worker-for-tests.ts')

test('R77: killed 25 times midway, sends the morning card to each user exactly once', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tamngan-killed-line-'))
  const line = new LineServer()
  await line.start()
  const people = await prepare(dataDir, line)
  let isDone = false
  let kills = 0
  for (; kills < KILLS; kills += 1) {
    // Workers are killed at growing distances: after the claim, the message id, the push, and the sent mark.
    const after = 2 + (kills % 9)
    // A third of the responses are lost: LINE has the message, but the server does not learn that LINE has it.
    line.pushMood = kills % 3 === 0 ? 'loses' : undefined
    const at = new Date(MORNING.getTime() + kills * 60_000)
    await killOnOutput(
      WORKER,
      [dataDir, TEST_SECRET, JSON.stringify(line.settings()), String(after), at.toISOString()],
      /under way/,
    )
  }
  line.pushMood = undefined
  const db = await openDb({ dataDir })
  try {
    await releaseAllLeases(db)
    const later = () => new Date(MORNING.getTime() + 12 * 3_600_000 - 60_000)
    const parts = {
      channels: {
        senders: [createLineSender(createTestLineDependencies(line))],
        reader: reportMailDependencies.reader,
      },
    }
    await runDueJobs({ db, kinds: [notificationChannelJob], parts, log: silentLog, now: later })
    isDone = (await waiting(db)) === 0
  } finally {
    await db.close()
    await line.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  expect(isDone).toBe(true)
  expect(kills).toBe(KILLS)
  expect(line.delivered.map(({ to }) => to).toSorted(byText)).toEqual(people.toSorted(byText))
  expect(line.refused.filter(({ status }) => status === 409).length).toBeGreaterThan(0)
  expect(line.refused.filter(({ status }) => status !== 409)).toEqual([])
}, 900_000)

const byText = (a: string, b: string) => (a < b ? -1 : 1)

async function waiting(db: Db): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql`select count(*)::int as n from channel_messages where state = 'waiting'`,
  )
  return row!.n
}

/** Publishes a load at night and adds LINE users whose messages are due in the morning. Returns their LINE ids. */
async function prepare(dataDir: string, line: LineServer): Promise<string[]> {
  const db = await openDb({ dataDir })
  await migrateDatabase(db)
  const organisationId = await addOrganisation(db, { words: { include: ['กล้อง'] } })
  const { identity } = createTestLineDependencies(line)
  const people: string[] = []
  for (let i = 0; i < USERS; i += 1) {
    const userId = await addUser(db, organisationId)
    const { id } = line.person(`คนที่ ${i}`)
    people.push(id)
    await db.transaction(async (tx) => {
      await enableNotificationChannel(tx, { userId, organisationId }, 'line')
      await tx.execute(sql`
        insert into line_links (user_id, organisation_id, line_hash, line_sealed, connected_at)
        values (${userId}::int, ${organisationId}::int, ${identity.hash(id)}, ${identity.seal(id)}, ${NIGHT.toISOString()}::timestamptz)`)
    })
  }
  const load = await loadAndNotify(db, [{ id: '69119000001', name: 'ซื้อกล้องวงจรปิด', movementOn: '2026-11-20' }], {
    at: NIGHT,
  })
  await db.execute(sql`update loads set published_at = ${NIGHT.toISOString()}::timestamptz where id = ${load}::bigint`)
  await db.transaction((tx) => scheduleMorningSummaries(tx, NIGHT))
  await db.close()
  return people
}
