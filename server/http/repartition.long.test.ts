import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { ReportFacets } from '#contract/report/report.ts'
import { createDb } from '#server/engine/create-db.ts'
import type { Db, OpenDb } from '#server/engine/db.ts'
import { openPostgres } from '#server/engine/postgres.ts'
import { abandonSplit, type SplitProgress } from '#server/engine/repartition/copy-and-exchange.ts'
import { splitPartitions } from '#server/engine/repartition/split-partitions.ts'
import { asTenant } from '#server/engine/tenant.ts'
import { matchLoad } from '#server/features/matching/match-load.ts'
import { rematchOrganisation } from '#server/features/matching/match-organisation.ts'
import { answerFacets, answerPage } from '#server/features/report/answer.ts'
import { answerIds } from '#server/features/report/answer-lists.ts'
import { ReportMemory } from '#server/features/report/memory/report-memory.ts'
import type { ReportScope } from '#server/features/report/queries.ts'
import { PATIENT } from '../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../test/server/databases.ts'
import { killOnceItPrints } from '../../test/server/killed-process.ts'
import { takePglite } from '../../test/server/pglite-pool.ts'
import { addPopulation, seeded, TODAY } from '../../test/world/report-population.ts'
import { addOrganisation, addUser, setWords } from '../../test/world/report-world.ts'

const TO_64 = { table: 'project_matches', partitions: 64 }
const isAway = inject('postgres') === undefined
/** As a command of its own, with batches that leave time to be killed in. */
const COMMAND = `
  import { createDb } from '#server/engine/create-db.ts'
  import { openPostgres } from '#server/engine/postgres.ts'
  import { splitPartitions } from '#server/engine/repartition/split-partitions.ts'
  const db = createDb(await openPostgres(process.argv[1]))
  await splitPartitions(db, { table: 'project_matches', partitions: 64, batch: 20,
    onProgress: ({ done, phase, rows }) => console.log(done, phase, rows) })
`

const byText = (one: string, another: string) => (one < another ? -1 : 1)

/** Everything that the catalog says of the table and of its partitions, without their numbers: equal for 16 and for 64. */
async function catalogOf(db: Db): Promise<{ table: unknown; partitions: unknown[]; bounds: string[] }> {
  const anyNumber = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(/project_matches_[0-9]+/g, 'project_matches_N'))
  const rows = await db.query<{ name: string; bound: string | null; says: unknown }>(sql`
    select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bound, json_build_object(
      'kind', c.relkind, 'schema', c.relnamespace::regnamespace, 'owner', pg_get_userbyid(c.relowner), 'acl', c.relacl, 'options', c.reloptions,
      'rls', c.relrowsecurity, 'forced', c.relforcerowsecurity, 'persistence', c.relpersistence,
      'columns', (select json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated, a.attstorage, a.attcollation,
        a.attacl, a.attislocal, a.attinhcount) order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
      'indexes', (select json_agg(json_build_array(replace(pg_get_indexdef(i.indexrelid), ' ONLY ', ' '), i.indisvalid, i.indisprimary,
        (select h.inhparent::regclass from pg_inherits h where h.inhrelid = i.indexrelid)) order by i.indexrelid::regclass::text collate "C")
        from pg_index i where i.indrelid = c.oid),
      'constraints', (select json_agg(json_build_array(k.conname, k.contype, pg_get_constraintdef(k.oid), k.conislocal, k.coninhcount) order by k.conname)
        from pg_constraint k where k.conrelid = c.oid),
      'triggers', (select json_agg(json_build_array(t.tgname, t.tgenabled, pg_get_triggerdef(t.oid)) order by t.tgname) from pg_trigger t where t.tgrelid = c.oid),
      'policies', (select json_agg(json_build_array(p.polname, p.polcmd, p.polroles::regrole[]::text, pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)))
        from pg_policy p where p.polrelid = c.oid)
    ) as says
    from pg_class c where c.relkind in ('r', 'p') and (c.relname = 'project_matches' or c.oid in (select inhrelid from pg_inherits where inhparent = 'project_matches'::regclass))
    order by 1`)
  return {
    table: rows.filter(({ bound }) => bound === null).map(({ says }) => says),
    partitions: rows.filter(({ bound }) => bound !== null).map(({ says }) => anyNumber(says)),
    bounds: rows.flatMap(({ bound, name }) => (bound === null ? [] : [`${name} ${bound}`])).toSorted(byText),
  }
}

const leftOver = async (db: Db) =>
  await db.query(sql`
    select nspname::text as name from pg_namespace where nspname like '%\\_partitions'
    union all select tgname::text from pg_trigger where tgname like 'copy%' union all select conname::text from pg_constraint where conname = 'place'`)

test('the embedded database is refused in a sentence', async () => {
  const db = await takePglite(inject('pgliteSnapshot'))
  await expect(splitPartitions(db, TO_64)).rejects.toThrow('this is for PostgreSQL')
  await db.close()
}, 120_000)

describe.skipIf(isAway)('16 partitions of matches become 64 while servers go on [PostgreSQL]', () => {
  let base: { url: string; drop(): Promise<void> }
  let db: OpenDb
  let scope: ReportScope
  let other: ReportScope

  /** Each answer as a text in which fields and counted options stand in one order. */
  const inOrder = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(inOrder)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .map(([name, of]) => [name, inOrder(of)] as const)
              .toSorted(([one], [another]) => (one < another ? -1 : 1)),
          )
        : value
  const counted = ({ options, ...facets }: ReportFacets) => ({
    ...facets,
    options: Object.entries(options).map(([name, all]) => [
      name,
      all.map((one) => JSON.stringify(inOrder(one))).toSorted(byText),
    ]),
  })
  const ask = async (memory: ReportMemory | undefined, who: ReportScope) =>
    await asTenant({ organisationId: who.organisationId, userId: who.userId }, async () =>
      [
        await answerPage({ db, memory }, {}, who),
        await answerPage({ db, memory }, { is_archived: true }, who),
        counted(await answerFacets({ db, memory }, { project_name__in: 'กล้อง<<ซ่อม' }, who)),
      ].map((answer) => JSON.stringify(inOrder(answer))),
    )
  const rematch = async (words: string[]) => {
    await setWords(db, other.organisationId, { include: words })
    await rematchOrganisation(db, other.organisationId)
  }
  const rowsOf = async (on: Db) =>
    await on.query(
      sql`select organisation_id, project_id, filters_id, words_id, first_load, changed_load from project_matches order by 1, 2`,
    )
  /** Rows of organisations that nobody asks for: some in every partition. */
  const addRows = async (organisations: number, rows: number) =>
    await db.execute(sql`
      insert into project_matches (organisation_id, project_id, filters_id, words_id, first_load, changed_load)
      select 1000 + o, 'p' || n, n, 1, 1, null from generate_series(1, ${organisations}::int) o, generate_series(1, ${rows}::int) n`)

  beforeEach(async () => {
    base = await makeMigratedPostgres()
    db = createDb(await openPostgres(base.url, PATIENT))
    const { organisationId, userId } = await addPopulation(db, matchLoad, { count: 60 })
    const stranger = await addOrganisation(db, { words: { include: ['ยา'] } })
    scope = { organisationId, userId, today: TODAY }
    other = { organisationId: stranger, userId: await addUser(db, stranger), today: TODAY }
    await rematchOrganisation(db, stranger)
  })
  afterEach(async () => {
    await db.close()
    await base.drop()
  })

  test('the catalog says the same of the table and of each partition, and nothing is left over', async () => {
    await db.script('alter table project_matches_3 set (autovacuum_vacuum_scale_factor = 0.01)')
    const before = await catalogOf(db)
    expect(await splitPartitions(db, { ...TO_64, partitions: 32 })).toMatchObject({ divided: 16 })
    const report = await splitPartitions(db, TO_64)
    expect(report).toMatchObject({ divided: 32 })
    const after = await catalogOf(db)
    expect(after.table).toEqual(before.table)
    expect(after.bounds).toEqual(
      Array.from(
        { length: 64 },
        (_, i) => `project_matches_${i} FOR VALUES WITH (modulus 64, remainder ${i})`,
      ).toSorted(byText),
    )
    // One for those that an operator set something for.
    const kinds = (all: unknown[]) => new Set(all.map((one) => JSON.stringify(one)))
    expect(kinds(before.partitions).size).toBe(2)
    expect(kinds(after.partitions)).toEqual(kinds(before.partitions))
    expect(await leftOver(db)).toEqual([])
    expect(await splitPartitions(db, TO_64)).toMatchObject({ divided: 0 })
    await expect(splitPartitions(db, { ...TO_64, partitions: 96 })).rejects.toThrow('a multiple of that, not 96')
    // Requests reach no part by its own name.
    await asTenant({ organisationId: scope.organisationId, userId: scope.userId }, () =>
      expect(db.query(sql`select from project_matches_40`)).rejects.toThrow('permission denied'),
    )
  }, 120_000)

  test('readers by SQL and from memory and a matching that goes on see the same before, meanwhile and afterwards', async () => {
    await addRows(40, 200)
    const [both, one] = [['ยา', 'กล้อง'], ['ยา']]
    // What stands in the report: its words say at once what was asked for, its projects follow when they have been matched.
    const ids = async () =>
      await asTenant({ organisationId: other.organisationId, userId: other.userId }, async () =>
        JSON.stringify(await answerIds({ db, memory: undefined }, {}, other)),
      )
    const idsOf = async (words: string[]) => {
      await rematch(words)
      return await ids()
    }
    const possible = [await idsOf(both), await idsOf(one)]
    expect(possible[0]).not.toEqual(possible[1])
    const before = await ask(undefined, scope)
    const rows = await rowsOf(db)
    const memory = new ReportMemory(db, { megabytes: 64 })
    await memory.hold(scope.organisationId)
    let isDone = false
    const seen = { asked: 0, matched: 0 }
    const reader = async (which: ReportMemory | undefined) => {
      while (!isDone) {
        expect(await ask(which, scope)).toEqual(before)
        expect(possible).toContain(await ids())
        seen.asked += 1
      }
    }
    const matching = async () => {
      while (!isDone) {
        await rematch(seen.matched % 2 === 0 ? both : one)
        seen.matched += 1
      }
    }
    const all = [reader(undefined), reader(memory), matching()]
    const report = await splitPartitions(db, { ...TO_64, batch: 100 }).finally(() => {
      isDone = true
    })
    await Promise.all(all)
    await memory.stop()
    expect(seen.asked).toBeGreaterThan(5)
    expect(seen.matched).toBeGreaterThan(2)
    expect(report.longestSwapMs).toBeLessThan(5_000)
    expect(await ask(undefined, scope)).toEqual(before)
    expect(await idsOf(one)).toEqual(possible[1])
    // Numbers of sentences move on with each matching; all else is as it was.
    const others = (all: unknown[]) =>
      all.filter((row) => (row as { organisation_id: number }).organisation_id !== other.organisationId)
    expect(others(await rowsOf(db))).toEqual(others(rows))
  }, 240_000)

  test('rows that are written, changed and deleted while they are copied are as the writers left them', async () => {
    await addRows(8, 300)
    const random = seeded(64)
    let isDone = false
    // A twin that is written alike and never divided.
    await db.script(
      'create table twin (like project_matches including all); insert into twin select * from project_matches',
    )
    const write = async () => {
      while (!isDone) {
        const [o, n] = [1001 + Math.floor(random() * 8), Math.floor(random() * 330)]
        const what = random()
        for (const table of ['project_matches', 'twin'])
          await db.script(
            what < 0.4
              ? `delete from ${table} where organisation_id = ${o} and filters_id between ${n} and ${n + 3}`
              : what < 0.7
                ? `update ${table} set changed_load = coalesce(changed_load, 0) + 1 where organisation_id = ${o} and filters_id between ${n} and ${n + 9}`
                : what < 0.8
                  ? `update ${table} set organisation_id = organisation_id + 100 where organisation_id = ${o} and filters_id = ${n}`
                  : `insert into ${table} values (${o}, ${n}, 1, 1, null, 'q${n}') on conflict (organisation_id, project_id) do update set words_id = ${n}`,
          )
      }
    }
    const writing = write()
    await splitPartitions(db, { ...TO_64, batch: 7 }).finally(() => {
      isDone = true
    })
    await writing
    expect(
      await db.query(
        sql`(table project_matches except table twin) union all (table twin except table project_matches)`,
      ),
    ).toEqual([])
    expect(await rowsOf(db)).not.toEqual([])
  }, 240_000)

  test('killed in the middle it has changed no answer, and the next one goes on behind the last batch; or it is given up and leaves nothing', async () => {
    await addRows(40, 300)
    const before = await ask(undefined, scope)
    await killOnceItPrints(COMMAND, [base.url], /^[1-9]\d* copy [1-9]\d*$/m)
    expect(await ask(undefined, scope)).toEqual(before)
    expect((await leftOver(db)).length).toBeGreaterThan(0)
    await rematch(['ยา', 'กล้อง'])
    const rows = await rowsOf(db)
    const said: SplitProgress[] = []
    await splitPartitions(db, { ...TO_64, onProgress: (progress) => said.push(progress) })
    expect(said[0]).toMatchObject({ phase: 'copy', done: 0 })
    expect(said[0]!.rows).toBeGreaterThan(0)
    expect(said[0]!.total).toBeLessThan(16)
    expect(await rowsOf(db)).toEqual(rows)
    expect(await ask(undefined, scope)).toEqual(before)
    expect(await leftOver(db)).toEqual([])

    await killOnceItPrints(
      COMMAND.replace('partitions: 64', 'partitions: 128'),
      [base.url],
      /^[1-9]\d* copy [1-9]\d*$/m,
    )
    await abandonSplit(db)
    expect(await leftOver(db)).toEqual([])
    expect(await rowsOf(db)).toEqual(rows)
    expect(new Set((await catalogOf(db)).bounds.map((bound) => /modulus ([0-9]+)/.exec(bound)?.[1]))).toEqual(
      new Set(['64', '128']),
    )
  }, 240_000)

  test('who looks at a moment before keeps seeing it: parts and partition do not change places until then', async () => {
    const rows = await rowsOf(db)
    const command = createDb(await openPostgres(base.url, PATIENT))
    let looks = 0
    const hasBegun = Promise.withResolvers<void>()
    const isWaiting = Promise.withResolvers<void>()
    const reader = db.transaction(
      async (tx) => {
        await tx.query(sql`select from organisations`)
        hasBegun.resolve()
        await isWaiting.promise
        const seen = await rowsOf(tx)
        const parts = await tx.query(sql`select from pg_inherits where inhparent = 'project_matches'::regclass`)
        return { seen, parts: parts.length }
      },
      { readOnly: true, idleTimeoutMs: 0 },
    )
    await hasBegun.promise
    const split = splitPartitions(command, {
      ...TO_64,
      onProgress: ({ phase }) => {
        if (phase === 'wait') looks += 1
        if (looks === 3) isWaiting.resolve()
      },
    })
    // When nothing holds it back.
    split.then(() => isWaiting.resolve(), isWaiting.reject)
    expect(await reader).toEqual({ seen: rows, parts: 16 })
    await split
    await command.close()
    expect(await rowsOf(db)).toEqual(rows)
  }, 120_000)
})
