import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { runDue } from '../../../test/jobs.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { startWebhookReceiver, type TestReceiver } from '../../../test/webhook-receiver.ts'
import {
  addWebhook,
  addWebhookOwner,
  listDeliveries,
  loadWithEvents,
  webhookTestDependencies,
} from '../../../test/world/webhook-world.ts'
import { webhookJob } from './webhook-job.ts'

const WORKER = path.join(import.meta.dirname, 'webhook-worker-for-tests.ts')
const KILLS = 25
const EVENTS = 60
const LEASE_MS = 61_000

describe.skipIf(inject('postgres') === undefined)(
  'a webhook worker killed with SIGKILL, on PostgreSQL (R47, R52, R81)',
  () => {
    let db: OpenDb
    let url: string
    let drop: () => Promise<void>
    let receiver: TestReceiver
    beforeAll(async () => {
      ;({ url, drop } = await makeMigratedPostgres())
      db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
      receiver = await startWebhookReceiver()
    })
    afterAll(async () => {
      await receiver.close()
      await db.close()
      await drop()
    })

    async function killInTheMiddle(round: number): Promise<void> {
      const worker: ChildProcess = spawn(process.execPath, [WORKER, url, String(round * LEASE_MS)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let complaint = ''
      worker.stderr!.on('data', (piece) => {
        complaint += String(piece)
      })
      const kill = () => void worker.kill('SIGKILL')
      const before = round % 3 === 0 ? 2 : 0
      receiver.moods.length = 0
      receiver.moods.push(
        ...Array.from({ length: before }, () => 200),
        round % 2 === 0 ? kill : (response) => void response.end('ok', kill),
        ...Array.from({ length: 20 }, () => () => undefined),
      )
      const signal = await new Promise((resolve) => worker.once('exit', (_code, name) => resolve(name)))
      receiver.moods.length = 0
      if (signal !== 'SIGKILL') throw new Error(`the worker ended before it could be killed: ${complaint}`)
    }

    test(`${KILLS} times: each event arrives at least once, always with the same id and bytes`, async () => {
      const owner = await addWebhookOwner(db)
      const webhook = await addWebhook(db, { ...owner, url: receiver.url })
      const otherWebhook = await addWebhook(db, { ...owner, url: `${receiver.url}/other` })
      const projects = Array.from({ length: EVENTS }, (_, n) => ({ id: String(67_110_000_000 + n) }))
      await loadWithEvents(db, projects, new Date())
      for (let round = 1; round <= KILLS; round += 1) await killInTheMiddle(round)
      const undelivered = (await listDeliveries(db, webhook.id)).filter(({ state }) => state === 'waiting').length
      expect(undelivered).toBeGreaterThan(0)
      const now = new Date(Date.now() + (KILLS + 2) * LEASE_MS)
      await runDue(webhookJob, { db, parts: webhookTestDependencies, now })
      for (const { id } of [webhook, otherWebhook]) {
        const deliveries = await listDeliveries(db, id)
        expect(deliveries.map(({ state }) => state)).toEqual(Array.from({ length: EVENTS }, () => 'delivered'))
        const ofIt = receiver.received.filter((request) => deliveries.some((delivery) => delivery.id === request.id))
        expect(new Set(ofIt.map((request) => request.id)).size).toBe(EVENTS)
      }
      const bodies = new Map<string, string>()
      let repeated = 0
      for (const { id, body } of receiver.received) {
        if (bodies.has(id)) repeated += 1
        expect(bodies.get(id) ?? body).toBe(body)
        bodies.set(id, body)
      }
      // If no delivery were repeated, no kill would have hit one, and the test would prove nothing.
      expect([bodies.size, repeated >= KILLS / 2], String(repeated)).toEqual([2 * EVENTS, true])
      console.info(
        `${KILLS} kills: ${receiver.received.length} requests for ${bodies.size} events, ${repeated} repeated`,
      )
    }, 600_000)
  },
)
