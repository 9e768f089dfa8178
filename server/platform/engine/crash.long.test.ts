import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from './open-db.ts'

const KILLS = 5
/** Rows per transaction. After a crash either all or none of them must be present. */
const GROUP = 20

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'tamngan-crash-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const WRITER = path.join(import.meta.dirname, 'batch-writer-for-tests.ts')

function writeAndKill(first: number, afterAcknowledged: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRITER, dataDir, String(first), String(GROUP)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let problem = ''
    child.stderr.on('data', (chunk) => {
      problem += chunk
    })
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.split('\n').length > afterAcknowledged) child.kill('SIGKILL')
    })
    child.on('close', (_code, signal) => {
      const acknowledged = output.split('\n').slice(0, -1).map(Number)
      if (signal === 'SIGKILL') resolve(acknowledged.at(-1)!)
      else reject(new Error(`the writer ended by itself: ${problem}`))
    })
  })
}

test(`${KILLS} × kill -9 while writing: keeps acknowledged data, rest all or nothing, reopens at once (R47)`, async () => {
  let next = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const last = await writeAndKill(next, 5 + kill * 7)
    const openedAt = performance.now()
    const db = await openDb({ dataDir })
    const seconds = (performance.now() - openedAt) / 1000
    const batches = await db.query<{ batch: number; rows: number }>(
      sql`select batch, count(*) as rows from written group by batch order by batch`,
    )
    await db.script('create extension if not exists amcheck')
    await db.query(sql`select bt_index_check('written_pkey', true)`)
    await db.close()
    // Recovery takes 0.4-1 s on an idle machine (R47 requires 5), but other test files may be running here.
    expect(seconds).toBeLessThan(15)
    expect(batches.filter(({ rows }) => rows !== GROUP)).toEqual([])
    // The last transaction may have committed without being acknowledged.
    expect([last + 1, last + 2]).toContain(batches.length)
    expect(batches.map(({ batch }) => batch)).toEqual(batches.map((_, index) => index))
    next = batches.length
  }
}, 120_000)
