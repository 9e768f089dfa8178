import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readArchiveStatus, readBackups } from '#server/platform/engine/backup/backup-runs.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { migrate } from '#server/platform/engine/migrate.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { PATIENT } from '../../test/server/database-setup.ts'
import { signIn } from '../../test/server/http-app.ts'
import { newServerFolder, type RestartablePostgres, startPostgresIn } from '../../test/server/postgres-server.ts'
import { makeUserWorld, projectId, type UserWorld } from '../../test/world/user-world.ts'
import { archiveSettings, configText, hasPgbackrest, pgbackrest, type Stanza } from './pgbackrest.ts'
import { findBinaries, ownerToBe } from './postgres-programs.ts'
import { drill, finishRestore, restoreInPlace, rowsOfTables } from './recover.ts'

const canRun = hasPgbackrest() && findBinaries() !== undefined
if (!canRun) console.warn('SKIPPED: point-in-time recovery: pgbackrest or PostgreSQL is not installed')

const WAIT = { timeout: 60_000, interval: 100 }
const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

describe.skipIf(!canRun)('R47: point-in-time recovery of PostgreSQL', () => {
  let folder: string
  let stanza: Stanza
  let server: RestartablePostgres
  let db: OpenDb
  let world: UserWorld
  let me: Awaited<ReturnType<typeof signIn>>

  const inFolder = (name: string) => path.join(folder, name)
  const star = async (n: number) => {
    const { status } = await world.patch(me, { bookmark_action: { action: 'add', project_id: projectId(n) } })
    if (status !== 200) throw new Error(`not starred: ${status}`)
  }
  const stars = async (on: Db) =>
    (await on.query<{ id: string }>(sql`select project_id as id from bookmarks order by 1`)).map(({ id }) => id)
  const now = async () => (await db.query<{ at: string }>(sql`select clock_timestamp() as at`))[0]!.at
  /** Waits until the WAL written so far is archived. */
  async function archived(): Promise<void> {
    const [piece] = await db.query<{ name: string }>(sql`select pg_walfile_name(pg_switch_wal()) as name`)
    await vi.waitFor(async () => {
      const [last] = await db.query<{ name: string }>(sql`select last_archived_wal as name from pg_stat_archiver`)
      expect(last!.name >= piece!.name).toBe(true)
    }, WAIT)
  }

  beforeAll(async () => {
    folder = newServerFolder()
    const owner = ownerToBe()
    if (owner) chownSync(folder, owner.uid, owner.gid)
    for (const name of ['repository', 'state', 'socket']) {
      mkdirSync(inFolder(name), { mode: 0o700 })
      if (owner) chownSync(inFolder(name), owner.uid, owner.gid)
    }
    stanza = { config: inFolder('pgbackrest.conf'), stanza: 'tamngan' }
    const settings = [...archiveSettings(stanza), `unix_socket_directories=${inFolder('socket')}`]
    server = (await startPostgresIn(folder, settings))!
    const port = Number(new URL(server.url).port)
    const folders = { data: inFolder('data'), socket: inFolder('socket'), repository: inFolder('repository') }
    writeFileSync(stanza.config, configText({ stanza: 'tamngan', port, state: inFolder('state'), ...folders }))
    chmodSync(stanza.config, 0o600)
    if (owner) chownSync(stanza.config, owner.uid, owner.gid)
    db = createDb(await openPostgres(server.url, PATIENT))
    await migrate(db)
    world = await makeUserWorld(db, { projects: 200 })
    me = await signIn(world.app, 'manager@tharamek.example')
    await star(1)
    await pgbackrest(stanza, ['stanza-create'])
    const env = { ...process.env, DATABASE_URL: server.url }
    const script = [
      path.join(root, 'scripts/recovery/restore-point.ts'),
      'backup',
      '--type',
      'full',
      '--config',
      stanza.config,
    ]
    const { stdout } = await run(process.execPath, script, { cwd: root, env })
    expect(stdout).toMatch(/^\d{8}-\d{6}F: \d+ MB of server data/)
  }, 240_000)
  afterAll(async () => {
    await world?.app.close()
    await db?.close()
    await server?.stop('immediate')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })

  const requestFor = (to: string, name: string) => ({ stanza, to, folder: inFolder(name), database: 'postgres' })
  let moment: string
  let rows: Record<string, number>
  /** Job leases change shortly after a response, and when another server takes over. */
  const lasting = ({ job_leases: _, ...counts }: Record<string, number>) => counts

  test('restores beside the live server: earlier changes are there, later ones are not, and the live server is untouched', async () => {
    await star(2)
    rows = lasting(await rowsOfTables(db))
    moment = await now()
    await star(3)
    await db.execute(sql`delete from projects where project_id = ${projectId(200)}`)
    await archived()
    const done = await drill({
      ...requestFor(moment, 'aside'),
      look: async (aside) => ({ stars: await stars(aside), rows: await rowsOfTables(aside) }),
    })
    expect(done.seen.stars).toEqual([projectId(1), projectId(2)])
    expect(lasting(done.seen.rows)).toEqual(rows)
    expect(new Date(done.lastChangeAt!).getTime()).toBeLessThanOrEqual(new Date(moment).getTime())
    expect(done.restoreSeconds).toBeGreaterThan(0)
    console.log(`drill: files ${done.restoreSeconds.toFixed(1)} s, log ${done.replaySeconds.toFixed(1)} s`)
    expect(await stars(db)).toEqual([projectId(1), projectId(2), projectId(3)])
    expect(existsSync(inFolder('aside'))).toBe(false)
    const [info] = JSON.parse(await pgbackrest(stanza, ['--output=json', 'info'])) as [{ archive: { max: string }[] }]
    expect(info.archive.map(({ max }) => max.slice(0, 8))).toEqual(['00000001'])
  }, 120_000)

  test('works from the command line, which reports rows and times and records the drill', async () => {
    const args = [
      'drill',
      '--config',
      stanza.config,
      '--to',
      moment,
      '--folder',
      inFolder('by-command'),
      '--database',
      'postgres',
    ]
    const script = [path.join(root, 'scripts/recovery/restore-point.ts'), ...args]
    const { stdout } = await run(process.execPath, script, {
      cwd: root,
      env: { ...process.env, DATABASE_URL: server.url },
    })
    expect(stdout).toMatch(/^ +200 {2}projects$/m)
    expect(stdout).toMatch(/^files restored in [\d.]+ s, WAL replayed in [\d.]+ s$/m)
    expect(new Set((await readBackups(db)).map(({ kind }) => kind))).toEqual(new Set(['base', 'drill']))
  }, 120_000)

  test('rejects an unreachable point with a reason and leaves no files', async () => {
    const never = { look: () => Promise.reject(new Error('looked')) }
    const refused = (to: string) => expect(drill({ ...requestFor(to, 'refused'), ...never }))
    await refused('2026-11-27 14:05').rejects.toThrow('not a time with a time zone')
    await refused('2999-01-01T00:00:00Z').rejects.toThrow('is in the future')
    await refused('2020-01-01T00:00:00Z').rejects.toThrow('is before the oldest base backup')
    await archived()
    // After the last archived change.
    await refused(await now()).rejects.toThrow('the archive ends before that time')
    expect(existsSync(inFolder('refused'))).toBe(false)
  }, 120_000)

  test('encrypts the repository: it contains no text of the database', () => {
    const files = readdirSync(inFolder('repository'), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    expect(files.length).toBeGreaterThan(5)
    const texts = ['PG_VERSION', 'projects', '[backup:current]', 'backrest'].map((text) => Buffer.from(text))
    for (const file of files) {
      const bytes = readFileSync(path.join(file.parentPath, file.name))
      expect(texts.filter((text) => bytes.includes(text)).map(String), file.name).toEqual([])
      expect(bytes.subarray(0, 7).toString()).toBe('Salted_')
    }
  })

  test('reports failing WAL archiving at once and recovers by itself', async () => {
    renameSync(stanza.config, `${stanza.config}.away`)
    await db.query(sql`select pg_switch_wal()`)
    await vi.waitFor(async () => expect((await readArchiveStatus(db)).isFailing).toBe(true), WAIT)
    renameSync(`${stanza.config}.away`, stanza.config)
    // PostgreSQL pauses a minute after archiving failed; finishing a WAL segment makes it retry at once.
    await star(4)
    await db.query(sql`select pg_switch_wal()`)
    await vi.waitFor(async () => expect((await readArchiveStatus(db)).isFailing).toBe(false), {
      ...WAIT,
      timeout: 120_000,
    })
  }, 240_000)

  test('replaces a stopped server: the later star is gone, every session has ended, and archiving continues', async () => {
    await expect(restoreInPlace(stanza, { to: moment, data: inFolder('data') })).rejects.toThrow(
      'PostgreSQL is still running in this folder',
    )
    await archived()
    await server.stop('fast')
    await restoreInPlace(stanza, { to: moment, data: inFolder('data') })
    await server.start()
    expect(await finishRestore(db)).toBeGreaterThan(0)
    expect(await stars(db)).toEqual([projectId(1), projectId(2)])
    expect(lasting(await rowsOfTables(db))).toEqual(rows)
    expect((await world.patch(me, {})).status).toBe(401)
    await archived()
    const later = await now()
    await db.execute(sql`delete from bookmarks`)
    await archived()
    const { seen } = await drill({ ...requestFor(later, 'later'), look: stars })
    expect(seen).toEqual([projectId(1), projectId(2)])
  }, 240_000)
})
