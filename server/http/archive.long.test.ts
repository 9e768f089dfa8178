import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createDb } from '#server/engine/create-db.ts'
import type { Db } from '#server/engine/db.ts'
import { buildOnline } from '#server/engine/online-migration.ts'
import { openPostgres } from '#server/engine/postgres.ts'
import {
  ARCHIVED_TABLES,
  archiveFigures,
  archiveYears,
  dissolveArchive,
} from '#server/engine/repartition/archive-years.ts'
import { abandonSplit, type SplitProgress } from '#server/engine/repartition/copy-and-exchange.ts'
import { asTenant } from '#server/engine/tenant.ts'
import type { FeedRecord } from '#server/features/feed/feed-source.ts'
import { matchChanges } from '#server/features/matching/match-changes.ts'
import { rematchOrganisation } from '#server/features/matching/match-organisation.ts'
import { makeBackup, restoreFile } from '#server/jobs/backup-file.ts'
import {
  ARCHIVE_EMAIL,
  type ArchiveWorld,
  answersOf,
  catalogOf,
  corrected,
  leftOverOf,
  loadRecords,
  makeArchiveWorld,
  oldRecords,
  partitionsOf,
  sumsOf,
} from '../../test/server/archive-world.ts'
import { PATIENT } from '../../test/server/database-setup.ts'
import { killOnceItPrints } from '../../test/server/killed-process.ts'
import { takePglite } from '../../test/server/pglite-pool.ts'
import { setWords } from '../../test/world/report-world.ts'

const isAway = inject('postgres') === undefined
/** As a command of its own, with batches that leave time to be killed in. */
const COMMAND = `
  import { createDb } from '#server/engine/create-db.ts'
  import { openPostgres } from '#server/engine/postgres.ts'
  import { archiveYears } from '#server/engine/repartition/archive-years.ts'
  const db = createDb(await openPostgres(process.argv[1]))
  await archiveYears(db, { before: Number(process.argv[2]), batch: 20, onProgress: ({ partition, phase, rows }) => console.log(partition, phase, rows) })
`
describe.skipIf(isAway)('earlier years move to partitions of their own while servers go on [PostgreSQL]', () => {
  let all: FeedRecord[]
  let world: ArchiveWorld

  beforeEach(async () => {
    all ??= await oldRecords()
    world = await makeArchiveWorld(all)
  }, 240_000)
  afterEach(() => world.close())

  test('every question is answered as before, by SQL and from memory, while loads change what is in the archive; and the way back leaves the tables as they were', async () => {
    const { db } = world
    const twin = await makeArchiveWorld(all)
    await db.script('alter table contracts set (autovacuum_vacuum_scale_factor = 0.01)')
    const before = await catalogOf(db)
    const first = [await answersOf(db, 0), await answersOf(db, 64)] as const
    expect(Object.keys(first[0]).length).toBeGreaterThan(60)
    // What is not the same twice says nothing of an archive.
    const again = [await answersOf(db, 0), await answersOf(db, 64)] as const
    const unsteady = Object.keys(first[0]).filter((url) => first[0][url] !== again[0][url])
    expect(unsteady).toEqual([])
    expect(again).toEqual(first)
    const rows = await sumsOf(db)
    const looked = await archiveFigures(db, 2568)
    expect(looked.tables[0]).toMatchObject({ table: 'projects', rows: rows.projects!.rows, partitions: [] })
    expect(looked.tables[0]!.older).toBe(all.filter(({ projectId }) => projectId.startsWith('67')).length + 1)
    expect(looked.delivered).toBeGreaterThan(0)

    const report = await archiveYears(db, { before: 2568 })
    expect(report.divided).toBeGreaterThan(5)
    expect(await partitionsOf(db)).toEqual(
      expect.arrayContaining([
        'contracts_before_2568',
        'contracts_from_2568',
        'projects_before_2568',
        'projects_from_2568',
      ]),
    )
    expect(await catalogOf(db)).toEqual(before)
    expect(await leftOverOf(db)).toEqual([])
    expect(await sumsOf(db)).toEqual(rows)
    expect([await answersOf(db, 0), await answersOf(db, 64)]).toEqual(first)
    expect(await archiveYears(db, { before: 2568 })).toMatchObject({ divided: 0 })
    // Requests reach no part by its own name.
    await asTenant({ organisationId: 1, userId: 1 }, async () => {
      expect(await db.query(sql`select from projects limit 1`)).toHaveLength(1)
      await expect(db.query(sql`select from projects_before_2568`)).rejects.toThrow('permission denied')
    })
    const lies = await archiveFigures(db, 2568)
    expect(lies.tables.map(({ table, rows: all_, older }) => [table, all_, older])).toEqual(
      looked.tables.map(({ table, rows: all_, older }) => [table, all_, older]),
    )

    // A late correction, an old number that is new, words that change, a deletion: as in a database that has no archive.
    for (const on of [db, twin.db]) {
      const loaded = await loadRecords(on, corrected(all, 1))
      expect(loaded.updatedProjects).toBeGreaterThan(50)
      const [one] = await on.query<{ id: number }>(
        sql`select organisation_id as id from users where email_key = ${ARCHIVE_EMAIL}`,
      )
      await rematchOrganisation(on, one!.id)
      // Reads all projects, heap by heap.
      await setWords(on, one!.id, { include: ['กล้อง', 'ถนน'] })
      expect((await matchChanges(on, one!.id, { expressions: ['กล้อง', 'ถนน'] })).matched).toBeGreaterThan(10)
      await on.execute(sql`delete from projects where project_id = ${all[3]!.projectId}`)
    }
    const [late] = await db.query<{ place: string }>(
      sql`select tableoid::regclass::text as place from projects where project_id = '67019990001'`,
    )
    expect(late).toEqual({ place: 'projects_before_2568' })
    const changed = await sumsOf(twin.db)
    expect(await sumsOf(db)).toEqual(changed)
    const expected = [await answersOf(twin.db, 0), await answersOf(twin.db, 64)] as const
    expect([await answersOf(db, 0), await answersOf(db, 64)]).toEqual(expected)
    expect(expected[0]).not.toEqual(first[0])

    // A year later: what is younger than the archive is copied, and nothing else.
    const next = await archiveYears(db, { before: 2569 })
    expect(next.rows).toBeLessThan(Object.values(changed).reduce((sum, one) => sum + one.rows, 0))
    expect(await partitionsOf(db)).toEqual(
      expect.arrayContaining(['projects_before_2568', 'projects_from_2568_before_2569', 'projects_from_2569']),
    )
    expect(await leftOverOf(db)).toEqual([])
    expect(await sumsOf(db)).toEqual(changed)
    expect([await answersOf(db, 0), await answersOf(db, 64)]).toEqual(expected)
    expect(await catalogOf(db)).toEqual(before)

    expect((await dissolveArchive(db, {})).divided).toBe(report.divided)
    expect(await partitionsOf(db)).toEqual([])
    expect(await catalogOf(db)).toEqual(before)
    expect(await db.query(sql`select reloptions as is from pg_class where oid = 'contracts'::regclass`)).toEqual([
      { is: ['autovacuum_vacuum_scale_factor=0.01'] },
    ])
    expect(await leftOverOf(db)).toEqual([])
    expect(await sumsOf(db)).toEqual(changed)
    expect([await answersOf(db, 0), await answersOf(db, 64)]).toEqual(expected)
    expect(await dissolveArchive(db, {})).toMatchObject({ divided: 0 })
    await twin.close()
  }, 600_000)

  test('readers and loads go on while it moves: answers are those of before or of the load, and what was written is what was written elsewhere', async () => {
    const { db, url } = world
    const twin = await makeArchiveWorld(all)
    const said: SplitProgress[] = []
    const command = createDb(await openPostgres(url, PATIENT))
    let isDone = false
    const seen = { asked: 0, loads: 0 }
    const ids = async (on: Db) =>
      JSON.stringify(
        await on.query(sql`
          select p.project_id, p.name, p.budget_satang, (select count(*) from contracts c where c.project_id = p.project_id) as contracts,
            (select count(*) from bidders b where b.project_id = p.project_id) as bidders
          from projects p where p.project_id = any (${all.filter((_, at) => at % 7 > 3).map(({ projectId }) => projectId)}::text[]) order by 1`),
      )
    // Of projects that no load of this test writes.
    const before = await ids(db)
    const reader = async () => {
      while (!isDone) {
        expect(await ids(db)).toBe(before)
        seen.asked += 1
      }
    }
    const loader = async () => {
      while (!isDone && seen.loads < 3) {
        seen.loads += 1
        await loadRecords(db, corrected(all, seen.loads))
      }
    }
    const writer = async () => {
      for (let n = 0; !isDone; n += 1) {
        const name = `old ${n % 2}`
        await db.execute(sql`update projects set remark = ${name} where project_id like '6705%'`)
        await db.execute(
          sql`delete from project_changes where project_id like '67%' and project_id = ${all[(n * 7) % all.length]!.projectId}`,
        )
      }
    }
    const others = [reader(), loader(), writer()]
    await archiveYears(command, { before: 2568, batch: 50, onProgress: (progress) => said.push(progress) }).finally(
      () => {
        isDone = true
      },
    )
    await Promise.all(others)
    await db.execute(sql`update projects set remark = 'done' where project_id like '6705%'`)
    await command.close()
    expect(seen.asked).toBeGreaterThan(5)
    expect(new Set(said.map(({ phase }) => phase))).toEqual(new Set(['copy', 'compare', 'wait', 'swap', 'validate']))
    expect(await ids(db)).toBe(before)
    for (let n = 1; n <= seen.loads; n += 1) await loadRecords(twin.db, corrected(all, n))
    await twin.db.execute(sql`update projects set remark = 'done' where project_id like '6705%'`)
    const names = ARCHIVED_TABLES.filter((name) => name !== 'project_changes')
    expect(await sumsOf(db, names)).toEqual(await sumsOf(twin.db, names))
    expect(await leftOverOf(db)).toEqual([])
    // References hold between partitions: nobody hangs a contract on a project that is not there, and what hangs on one goes with it.
    await expect(
      db.execute(sql`insert into contracts (project_id, contract_no) values ('67019990999', '1')`),
    ).rejects.toThrow('foreign key')
    const [gone] = await db.query<{ id: string }>(
      sql`select project_id as id from contracts where project_id < '68' limit 1`,
    )
    await db.execute(sql`delete from projects where project_id = ${gone!.id}`)
    expect(await db.query(sql`select from contracts where project_id = ${gone!.id}`)).toEqual([])
    await expect(
      db.execute(
        sql`insert into projects select (jsonb_populate_record(p, '{"source": "twice"}')).* from projects p where p.project_id < '68' limit 1`,
      ),
    ).rejects.toThrow('duplicate key')
    await twin.close()
  }, 400_000)

  test('killed in the middle it has changed no answer, and the next call goes on behind the last batch; given up it leaves nothing', async () => {
    const { db, url } = world
    const rows = await sumsOf(db)
    const first = await answersOf(db, 0)
    await killOnceItPrints(COMMAND, [url, '2568'], /^contracts copy [1-9]\d*$/m)
    expect(await sumsOf(db)).toEqual(rows)
    expect(await answersOf(db, 0)).toEqual(first)
    // `projects` is moved, `contracts` are half copied.
    expect(await partitionsOf(db)).toEqual(['projects_before_2568', 'projects_from_2568'])
    const said: SplitProgress[] = []
    await archiveYears(db, { before: 2568, onProgress: (progress) => said.push(progress) })
    expect(said[0]).toMatchObject({ partition: 'contracts', phase: 'copy', done: 0 })
    expect(said[0]!.rows).toBeGreaterThan(0)
    expect(await sumsOf(db)).toEqual(rows)
    expect(await leftOverOf(db)).toEqual([])

    // Another year than the one that was begun: what was copied for that is of no use.
    await killOnceItPrints(COMMAND, [url, '2569'], /^contracts_from_2568 copy [1-9]\d*$/m)
    await abandonSplit(db)
    expect(await leftOverOf(db)).toEqual([])
    expect(await sumsOf(db)).toEqual(rows)
    // Killed before the references were read once more.
    await db.script(`
      alter table contracts_from_2568 drop constraint contracts_project_id_fkey;
      alter table contracts_from_2568 add constraint contracts_project_id_fkey foreign key (project_id) references projects (project_id) on delete cascade not valid`)
    expect((await leftOverOf(db)).length).toBe(1)
    await archiveYears(db, { before: 2569 })
    expect(await leftOverOf(db)).toEqual([])
    expect(await sumsOf(db)).toEqual(rows)
    expect(await answersOf(db, 0)).toEqual(first)
  }, 400_000)

  test('a backup of it is restored into one table on either engine, and over an archive; indexes and columns come to partitions', async () => {
    const { db, url } = world
    await archiveYears(db, { before: 2568 })
    const rows = await sumsOf(db)
    const first = await answersOf(db, 0)
    const folder = await mkdtemp(path.join(tmpdir(), 'tamngan-archive-'))
    const file = path.join(folder, 'backup.gz')
    await makeBackup(db, file, { alongside: false })
    const embedded = await takePglite(inject('pgliteSnapshot'))
    await restoreFile(embedded, file, { replace: true })
    expect(await sumsOf(embedded)).toEqual(rows)
    await expect(archiveYears(embedded, { before: 2568 })).rejects.toThrow('this is for PostgreSQL')
    await embedded.close()

    await buildOnline(db, 'create index concurrently projects_by_status on projects (status)', {
      isDone: async () =>
        (
          await db.query(
            sql`select to_regclass('projects_by_status') as is where to_regclass('projects_by_status') is not null`,
          )
        ).length > 0,
      record: async () => undefined,
    })
    await db.script('alter table projects add column later text; update projects set later = name')
    await archiveYears(db, { before: 2569 })
    expect(await db.query(sql`select from projects where later is distinct from name`)).toEqual([])
    expect(
      await db.query(sql`select count(*)::int as n from pg_inherits where inhparent = 'projects_by_status'::regclass`),
    ).toEqual([{ n: 3 }])

    // Nobody else may be there.
    await db.close()
    const alone = createDb(await openPostgres(url, PATIENT))
    await restoreFile(alone, file, { replace: true })
    expect(await partitionsOf(alone)).toEqual([])
    expect(await sumsOf(alone)).toEqual(rows)
    expect(await answersOf(alone, 0)).toEqual(first)
    await alone.close()
    await rm(folder, { recursive: true })
  }, 400_000)

  test('who looks at a moment before keeps seeing it: table and copy do not change places until then', async () => {
    const { db, url } = world
    const rows = await sumsOf(db, ['projects', 'contracts'])
    const command = createDb(await openPostgres(url, PATIENT))
    const hasBegun = Promise.withResolvers<void>()
    const isWaiting = Promise.withResolvers<void>()
    let looks = 0
    const reader = db.transaction(
      async (tx) => {
        await tx.query(sql`select from organisations`)
        hasBegun.resolve()
        await isWaiting.promise
        return { seen: await sumsOf(tx, ['projects', 'contracts']), parts: await partitionsOf(tx) }
      },
      { readOnly: true, idleTimeoutMs: 0 },
    )
    await hasBegun.promise
    const archiving = archiveYears(command, {
      before: 2568,
      onProgress: ({ phase }) => {
        if (phase === 'wait') looks += 1
        if (looks === 3) isWaiting.resolve()
      },
    })
    // When nothing holds it back.
    archiving.then(() => isWaiting.resolve(), isWaiting.reject)
    expect(await reader).toEqual({ seen: rows, parts: [] })
    await archiving
    await command.close()
    expect(await sumsOf(db, ['projects', 'contracts'])).toEqual(rows)
  }, 240_000)

  test('the archive may lie on another disk, and what cannot be moved whole is refused in a sentence', async () => {
    const { db, url } = world
    const free = createDb(await openPostgres(`${url}?options=-c%20allow_in_place_tablespaces%3Don`, PATIENT))
    await free.script("create tablespace cold_of_tests location ''")
    await free.close()
    await archiveYears(db, { before: 2568, tablespace: 'cold_of_tests' })
    const lies = await db.query<{ name: string }>(sql`
      select c.relname::text as name from pg_class c join pg_tablespace t on t.oid = c.reltablespace where t.spcname = 'cold_of_tests' and c.relkind = 'r' order by 1`)
    expect(lies.map(({ name }) => name)).toEqual(
      (await partitionsOf(db)).filter((name) => name.endsWith('_before_2568')),
    )
    const [indexes] = await db.query<{ n: number }>(sql`
      select count(*)::int as n from pg_index i join pg_class c on c.oid = i.indexrelid join pg_tablespace t on t.oid = c.reltablespace
      where t.spcname = 'cold_of_tests' and i.indrelid = 'projects_before_2568'::regclass`)
    expect(indexes!.n).toBeGreaterThan(3)
    await dissolveArchive(db, {})
    await db.script('drop tablespace cold_of_tests')

    await expect(archiveYears(db, { before: 2026 })).rejects.toThrow('2026 is no year of the Buddhist era')
    await db.script('create view of_an_operator as select name from contracts join projects using (project_id)')
    await expect(archiveYears(db, { before: 2568 })).rejects.toThrow('has views that would not come with it')
    expect(await partitionsOf(db)).toEqual([])
  }, 400_000)
})
