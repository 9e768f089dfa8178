import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { SLOW_MACHINE_OPTIONS, withDatabase } from '../../../test/server/database-setup.ts'
import { makeEmptyPostgres } from '../../../test/server/databases.ts'
import { createDb } from './create-db.ts'
import { DbUnavailableError, type OpenDb } from './db.ts'
import { openDb } from './open-db.ts'
import { openPostgres } from './postgres.ts'

const DISK_MB = 160
/** Megabytes left for the database: enough for a few WAL segments and the table. */
const LEFT_MB = 6

const disk = mkdtempSync(path.join(tmpdir(), 'tamngan-disk-'))
const isMounted = mountSmallDisk()
if (!isMounted)
  console.warn('\n*** NO small disk: only root may mount one. The tests of a full disk (R50) are SKIPPED. ***\n')
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true, force: true })
})

function mountSmallDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tamngan-test', disk], { stdio: 'ignore' })
    chmodSync(disk, 0o777)
    return true
  } catch {
    return false
  }
}

const ballast = path.join(disk, 'ballast')
function fillDisk(): void {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - LEFT_MB * 2 ** 20)))
}

/**
 * Writes rows until the disk is full. The database must then refuse writes as unavailable, still answer reads, and
 * recover.
 */
function testFullDisk(open: () => Promise<OpenDb>): void {
  let db: OpenDb
  beforeAll(async () => {
    db = await open()
    await db.script('create table written (n int primary key, text text not null)')
    fillDisk()
  })
  afterAll(async () => {
    await db.close()
    rmSync(ballast, { force: true })
  })
  const write = (n: number) =>
    db.execute(
      sql`insert into written select ${n}::int * 100 + g, repeat(md5(${n}::int::text || g), 60) from generate_series(0, 99) g`,
    )
  const batches = async () =>
    (
      await db.query<{ n: number; rows: number }>(
        sql`select n / 100 as n, count(*) as rows from written group by 1 order by 1`,
      )
    ).map(({ rows }) => rows)

  test('R50: writes get 503, reads continue, freed space restores both, and acknowledged data survives', async () => {
    let acknowledged = 0
    const failure = await (async () => {
      for (;;) {
        await write(acknowledged)
        acknowledged += 1
        if (acknowledged > 1_000) throw new Error('the disk was never full')
      }
    })().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DbUnavailableError)
    expect((failure as Error).message).toMatch(/could not (extend|write)|No space left/i)
    expect(await batches()).toEqual(Array(acknowledged).fill(100))
    await expect(write(5_000)).rejects.toBeInstanceOf(DbUnavailableError)
    rmSync(ballast)
    await write(acknowledged)
    expect(await batches()).toEqual(Array(acknowledged + 1).fill(100))
  })
}

describe.skipIf(!isMounted)('a full disk [PGlite]', () => {
  testFullDisk(() => {
    // The free space is sized for an empty database, so do not start from a prebuilt schema template.
    mkdirSync(path.join(disk, 'data/pglite'), { recursive: true })
    return openDb({ dataDir: path.join(disk, 'data') })
  })
})

describe.skipIf(!isMounted || inject('postgres') === undefined)('a full disk [PostgreSQL]', () => {
  // Only the tables of the database are on the small disk, because a PostgreSQL server shuts down when its WAL disk is
  // full (docs/reliability.md).
  const tablespace = `small_${process.pid}`
  const at = path.join(disk, 'tables')
  let drop: () => Promise<void>
  const onServer = (text: string) => withDatabase(inject('postgres')!.url, (admin) => admin.script(text))
  testFullDisk(async () => {
    execFileSync('mkdir', ['-m', '777', at])
    const [owner] = ['postgres', 'nobody'].filter((user) => hasUser(user))
    execFileSync('chown', [owner!, at])
    await onServer(`create tablespace ${tablespace} location '${at}'`)
    const empty = await makeEmptyPostgres()
    const name = new URL(empty.url).pathname.slice(1)
    await onServer(`alter database ${name} set tablespace ${tablespace}`)
    drop = async () => {
      await empty.drop()
      await onServer(`drop tablespace ${tablespace}`)
    }
    return createDb(await openPostgres(empty.url, SLOW_MACHINE_OPTIONS))
  })
  afterAll(() => drop())
})

function hasUser(user: string): boolean {
  try {
    execFileSync('id', [user], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
