import sql, { type Sql } from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { foldText, trigramsOf } from '#contract/thai/fold-text.ts'
import { matchChanges } from '#server/matching/match-changes.ts'
import { matchLoad } from '#server/matching/match-load.ts'
import { rematchOrganisation } from '#server/matching/match-organisation.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { asTenant } from '#server/platform/engine/tenant.ts'
import { answerFacets, answerPage } from '#server/report/answer.ts'
import { answerCounts, answerIds, answerQueue } from '#server/report/answer-lists.ts'
import type { ReportScope } from '#server/report/queries.ts'
import { onEachEngineInTurn, roundsOn } from '../../../test/server/databases.ts'
import { putDocuments } from '../../../test/world/read-documents.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { addLoad, addOrganisation, addUser, putProjects, setWords } from '../../../test/world/report-world.ts'
import { ReportMemory } from './report-memory.ts'

const ALL: ReportSearch = {}
const SEARCHES: readonly ReportSearch[] = [
  ALL,
  { is_archived: true },
  { project_name__in: 'กล้อง<<ซ่อม', project_budget__range: { min: 1, max: null } },
  { project_search__in: 'กอง||67000000007', ordering: '-project_budget' },
  { project_bookmark: true },
  { project_label__in: { values: ['l1', 'none'], negated: false } },
  { project_hidden: true },
  { document_text__in: 'หลักประกัน<<ISO 9001' },
  { pursuit_stage__in: { values: ['screened', 'none'], negated: true }, ordering: '-pursuit_stage' },
  { pursuit_has_notes: true, ordering: 'pursuit_notes' },
  { project_change_status__in: { values: ['new', 'updated'], negated: false } },
  { project_name__in: '"กล้อง วงจรปิด"||"ยาใหม่"||ยา' },
]

/** A subset suffices: whether memory answers is decided before the search is evaluated (`readStanding`). */
const { FEW = [], MORE = [] } = Object.groupBy(SEARCHES, (_, i) => ([0, 2, 6, 10].includes(i) ? 'FEW' : 'MORE'))

/** Order of options with equal counts is undefined. */
const sorted = ({ options, ...facets }: ReportFacets) => {
  const inOrder = Object.entries(options).map(([name, counted]) => [
    name,
    counted.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
  ])
  return { ...facets, options: Object.fromEntries(inOrder) }
}

/** Two server processes have the same report in memory; after any write, both agree with SQL at once. */
onEachEngineInTurn('what is held in memory of the report', (makeDb) => {
  let db: OpenDb
  let memories: ReportMemory[]
  let scope: ReportScope
  let other: ReportScope
  let latest: number

  const hold = () =>
    Promise.all(memories.flatMap((memory) => [scope, other].map((each) => memory.hold(each.organisationId))))
  const ask = async (memory: ReportMemory | undefined, search: ReportSearch, who = scope) =>
    await asTenant({ organisationId: who.organisationId, userId: who.userId }, async () => ({
      page: await answerPage({ db, memory }, search, who),
      facets: sorted(await answerFacets({ db, memory }, search, who)),
      ids: await answerIds({ db, memory }, search, who),
      counts: await answerCounts({ db, memory }, [search, {}], who),
      queue: await answerQueue({ db, memory }, search, who),
    }))
  const searches = () => (roundsOn(db, SEARCHES.length) === SEARCHES.length ? SEARCHES : FEW)
  const answersOf = (by: 'memory' | 'sql') => memories.map((memory) => memory.figures().answered[by])
  /** Computed once because SQL is slow. */
  const askSql = async (own = searches(), others: readonly ReportSearch[] = FEW) => {
    const answers = []
    for (const [who, asked] of [[scope, own] as const, [other, others] as const])
      for (const search of asked) answers.push({ search, who, wanted: await ask(undefined, search, who) })
    return answers
  }
  /** Asserts that the processes agree with SQL. */
  const agree = async (answers: Awaited<ReturnType<typeof askSql>>, by = memories) => {
    for (const { search, who, wanted } of answers)
      for (const memory of by) expect(await ask(memory, search, who)).toEqual(wanted)
  }
  /**
   * After a write, checks the unfiltered search at once, and a few searches after both processes reloaded; then only
   * memory answers.
   */
  const agreesAfter = async (write: () => Promise<unknown>) => {
    const before = await ask(undefined, {})
    await write()
    const few = await askSql(FEW)
    expect(few[0]!.wanted).not.toEqual(before)
    await agree(few.filter(({ search }) => search === ALL))
    await hold()
    const bySql = answersOf('sql')
    await agree(few)
    if (searches() === SEARCHES) await agree(await askSql(MORE, []), memories.slice(0, 1))
    expect(answersOf('sql')).toEqual(bySql)
  }

  beforeEach(async () => {
    db = await makeDb()
    const { organisationId, userId, loads } = await addPopulation(db, matchLoad, { count: 60 })
    const stranger = await addOrganisation(db, { words: { include: ['ยา'] } })
    latest = loads.at(-1)!
    scope = {
      organisationId,
      userId,
      today: TODAY,
      visit: { endedAt: '2026-11-20T02:00:00.000Z', loads: loads.slice(1) },
    }
    other = { organisationId: stranger, userId: await addUser(db, stranger), today: TODAY }
    await rematchOrganisation(db, stranger)
    memories = [0, 1].map(() => new ReportMemory(db, { megabytes: 64 }))
    await hold()
  })
  afterEach(async () => {
    await Promise.all(memories.map((memory) => memory.stop()))
  })

  /** Publishes a load in one transaction, like the importer. */
  const load = (projects: Parameters<typeof putProjects>[2]) =>
    db.transaction(async (tx) => {
      const id = await addLoad(tx)
      await putProjects(tx, id, projects)
      await matchLoad(tx, id)
    })

  test('what was read first', async () => {
    await agree(await askSql(searches(), searches()))
    expect(answersOf('sql')).toEqual([0, 0])
  })

  test('a load that brings a project and changes another', () =>
    agreesAfter(() =>
      load([
        { id: '67000000900', name: 'ซื้อกล้องวงจรปิดใหม่', dept: 'หน่วยงานใหม่', unit: 'กองใหม่', budget: 123_00 },
        { id: '67000000003', name: 'จ้างซ่อมกล้อง', budget: 77_00, isArchived: true },
      ]),
    ))

  test('a load of nothing: what was new no longer is', () => agreesAfter(() => addLoad(db)))

  test('a change of the words of one organisation', () =>
    agreesAfter(async () => {
      await setWords(db, scope.organisationId, { include: ['กล้อง'] })
      await rematchOrganisation(db, scope.organisationId)
    }))

  test('a project that is written by no load, one that goes, and a match that goes', () =>
    agreesAfter(async () => {
      await db.execute(
        sql`update projects set budget_satang = 5, name_search = 'ยาใหม่', name_spaced = 'ยา ใหม่' where project_id = '67000000005'`,
      )
      await db.script(`update project_filters set budget_satang = 5 where project_id = '67000000005';
        update project_texts set name_search = 'ยาใหม่' where filters_id = (select id from project_filters where project_id = '67000000005')`)
      await db.execute(sql`delete from project_matches where project_id in ('67000000006', '67000000007')`)
      await db.execute(sql`delete from project_changes where project_id = '67000000006'`)
      await db.execute(sql`delete from projects where project_id = '67000000006'`)
    }))

  test('a load without projects and a write without a load, seen at once', () =>
    agreesAfter(async () => {
      await addLoad(db)
      await db.transaction(async (tx) => {
        await tx.execute(sql`update projects set is_archived = not is_archived where project_id = '67000000009'`)
        await tx.execute(sql`update project_filters set is_archived = not is_archived where project_id = '67000000009'`)
      })
    }))

  test('a department that gets another name', () =>
    agreesAfter(async () => {
      await load([{ id: '67000000901', name: 'ซื้อกล้อง', dept: 'กองก่อน', unit: '' }])
      await hold()
      await db.transaction(async (tx) => {
        await tx.execute(sql`update departments set province = 50 where name = 'กองก่อน'`)
        await tx.execute(sql`update project_filters set dept_province = 50 where project_id = '67000000901'`)
      })
    }))

  test('nobody reaches the matches of another organisation', async () => {
    const asked = asTenant({ organisationId: other.organisationId, userId: other.userId }, () =>
      answerPage({ db, memory: memories[0] }, {}, scope),
    )
    await expect(asked).rejects.toThrow('no organisation')
    const counted = asTenant({ organisationId: other.organisationId, userId: other.userId }, () =>
      answerCounts({ db, memory: memories[0] }, [{}], scope),
    )
    await expect(counted).rejects.toThrow('no organisation')
  })

  test('a match that another load is said to have changed', () =>
    agreesAfter(() =>
      db.execute(sql`update project_matches set changed_load = ${latest}::bigint where project_id = '67000000012'`),
    ))

  test('hidden projects and other marks', async () => {
    const { page } = await ask(undefined, {})
    const [first, second] = page.stored.rows.map((row) => row.project_id)
    await agreesAfter(() =>
      db.execute(sql`insert into hidden_projects (user_id, project_id) values (${scope.userId}::int, ${first})`),
    )
    await db.execute(sql`delete from bookmarks where user_id = ${scope.userId}::int`)
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${scope.userId}::int, ${second})`)
    await db.execute(sql`delete from label_assignments where user_id = ${scope.userId}::int and label_id = 'l1'`)
    const bySql = answersOf('sql')
    await agree(await askSql())
    // Marks are not part of the snapshot, so memory still answers.
    expect(answersOf('sql')).toEqual(bySql)
  })

  test('pursuits and notes: the next answer of either process says what stands there, and memory says it', async () => {
    const { page } = await ask(undefined, { pursuit_stage__in: { values: ['none'], negated: false } })
    const [first, second] = page.stored.rows.map((row) => row.project_id)
    const org = sql`${scope.organisationId}::int`
    const at = '2026-11-21T03:00:00Z'
    // Like `patchPursuit`: increments the board version in the same transaction.
    const change = (...statements: readonly Sql[]) =>
      db.transaction(async (tx) => {
        for (const statement of statements) await tx.execute(statement)
        await tx.execute(sql`update pursuit_boards set version = version + 1 where organisation_id = ${org}`)
      })
    const writes: readonly (readonly Sql[])[] = [
      [
        sql`insert into pursuits (organisation_id, project_id, stage, stage_since, created_at, changed_at) values (${org}, ${first}, 'screened', ${at}, ${at}, ${at})`,
      ],
      [
        sql`update pursuits set stage = 'won', owner_id = ${scope.userId}::int where organisation_id = ${org} and project_id = ${first}`,
      ],
      [
        sql`insert into pursuit_notes (organisation_id, project_id, id, place, text, created_at) values (${org}, ${second}, 'new', 1, 'x', ${at})`,
      ],
      // Reordering the stages reorders the rows.
      [
        sql`update pursuit_boards set stages = ${JSON.stringify([
          { id: 'pricing', name: 'ก' },
          { id: 'won', name: 'ข' },
        ])}::jsonb where organisation_id = ${org}`,
      ],
      [sql`delete from pursuits where organisation_id = ${org} and project_id = ${first}`],
    ]
    const search: ReportSearch = { pursuit_stage__in: { values: ['won', 'screened'], negated: false } }
    const bySql = answersOf('sql')
    for (const write of writes) {
      const before = await ask(undefined, {})
      await change(...write)
      expect(await ask(undefined, {})).not.toEqual(before)
      for (const each of [search, { pursuit_has_notes: true, ordering: '-pursuit_stage' } as const]) {
        const wanted = await ask(undefined, each)
        for (const memory of memories) expect(await ask(memory, each)).toEqual(wanted)
      }
    }
    // Memory reloaded with the first query and answered all others.
    expect(answersOf('sql')).toEqual(bySql)
    await change(sql`update pursuits set stage = 'won' where organisation_id = ${org}`)
    const found = await ask(memories[0], search)
    expect(found.page.stored.total).toBeGreaterThan(0)
    expect(found.page.stored.rows.every(({ pursuit }) => pursuit?.stage === 'won')).toBe(true)
  })

  test('a write that is rolled back changes nothing', async () => {
    await expect(
      db.transaction(async (tx) => {
        await tx.execute(sql`delete from project_matches`)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    const bySql = answersOf('sql')
    await agree(await askSql(FEW))
    expect(answersOf('sql')).toEqual(bySql)
  })

  test('who matched a project whose id the memory cannot order is answered by SQL, everybody else by memory', async () => {
    await load([{ id: 'D-1', name: 'ซื้อกล้อง' }])
    await hold()
    expect(memories.map((memory) => memory.figures().organisations)).toEqual([1, 1])
    const [before] = answersOf('memory')
    await agree(await askSql(FEW, searches()))
    expect(answersOf('memory')[0]! - before!).toBe(5 * searches().length)
  })

  test('a rescue of what an exclusion keeps out', async () => {
    await setWords(db, scope.organisationId, { include: ['กล้อง'], exclude: ['ซ่อม'] })
    await rematchOrganisation(db, scope.organisationId)
    await hold()
    const [excluded] = await db.query<{ project_id: string; list: string; word: string }>(
      sql`select project_id, list, word from match_exclusions where organisation_id = ${scope.organisationId}::int order by project_id limit 1`,
    )
    const { project_id: rescued, list, word } = excluded!
    await agreesAfter(async () => {
      await db.execute(sql`
        insert into match_rescues (organisation_id, project_id, list, word) values (${scope.organisationId}::int, ${rescued}, ${list}, ${word})`)
      await matchChanges(db, scope.organisationId, { projects: [rescued] })
    })
    const { page } = await ask(memories[0], { project_id__in: [rescued] })
    expect(page.stored.rows.map((row) => row.rescued_from)).toEqual([word])
  })

  test('a load is read by what it wrote, after loads that wrote nothing too', async () => {
    const read: string[] = []
    const watched: Db = {
      ...db,
      query: (statement, options) => {
        if (options?.name?.startsWith('projects_page')) read.push(options.name)
        return db.query(statement, options)
      },
    }
    const memory = new ReportMemory(watched, { megabytes: 64 })
    memories = [memory]
    await hold()
    expect(read).toEqual(['projects_page_ends', 'projects_page'])
    await addLoad(db)
    await load([])
    await hold()
    await load([{ id: '67000000902', name: 'ซื้อกล้องตัวใหม่' }])
    await hold()
    expect(read).toEqual(['projects_page_ends', 'projects_page', 'projects_page_of_load'])
    await agree(await askSql())
    expect(answersOf('sql')).toEqual([0])
  })

  test('a page and its facets look at the filters once, and anew when a mark or the day is another', async () => {
    const [memory] = memories
    const search: ReportSearch = { project_name__in: 'กล้อง' }
    const masksOf = async (of: ReportSearch, who = scope, marks: 'all' | 'asked' = 'asked') =>
      await (await memory!.prepare(of, who, marks))!.masks()
    const [page, facets] = await Promise.all([masksOf(search), masksOf(search, scope, 'all')])
    expect(facets).toBe(page)
    expect(await masksOf({ ...search, page: 2, ordering: 'project_budget' })).toBe(page)
    for (const another of [
      masksOf({ project_name__in: 'ยา' }),
      masksOf({ ...search, is_archived: true }),
      masksOf(search, { ...scope, today: '2026-11-22' }),
      masksOf(search, other),
    ])
      expect(await another).not.toBe(page)
    const [first] = (await ask(undefined, search)).page.stored.rows
    const before = await masksOf(search)
    await db.execute(
      sql`insert into hidden_projects (user_id, project_id) values (${scope.userId}::int, ${first!.project_id})`,
    )
    const after = await masksOf(search)
    expect(after.passing.length).toBe(before.passing.length - 1)
  })

  test('documents that are read, read anew and taken away', async () => {
    const search: ReportSearch = { document_text__in: 'เพลารถบรรทุก' }
    const totals = async () =>
      await Promise.all(
        [scope, other].map(async (who) => {
          const [bySql, byMemory] = [await ask(undefined, search, who), await ask(memories[0], search, who)]
          expect(byMemory).toEqual(bySql)
          return bySql.page.stored.total
        }),
      )
    expect(await totals()).toEqual([0, 0])
    const shown = (await ask(undefined, {})).page.stored.rows[0]!.project_id
    const [id] = await putDocuments(db, scope.organisationId, [{ projectId: shown, pages: ['เพลา\nรถบรรทุก'] }])
    expect(await totals()).toEqual([1, 0])
    // Another organisation's document of the same project.
    await putDocuments(db, other.organisationId, [{ projectId: shown, pages: ['เพลารถบรรทุก'] }])
    expect((await totals())[0]).toBe(1)
    const folded = foldText('ไม่มีแล้ว')
    await db.execute(
      sql`update document_pages set folded = ${folded.folded}, trigrams = ${trigramsOf(folded.folded)}::int[] where document_id = ${id!}`,
    )
    await db.execute(sql`update documents set read_at = read_at + interval '1 hour' where id = ${id!}`)
    expect((await totals())[0]).toBe(0)
    await db.execute(sql`delete from documents`)
    expect(await totals()).toEqual([0, 0])
    expect(answersOf('sql')).toEqual([0, 0])
  })

  test('when the room is taken the organisation that has not asked for longest leaves, and SQL answers it the same', async () => {
    const third = await addOrganisation(db, { words: { include: ['ซื้อ'] } })
    const last: ReportScope = { organisationId: third, userId: await addUser(db, third), today: TODAY }
    await rematchOrganisation(db, third)
    const all = [scope, other, last]
    const whole = new ReportMemory(db, { megabytes: 64 })
    memories.push(whole)
    for (const who of all) await whole.hold(who.organisationId)
    // One byte too small for all three.
    const memory = new ReportMemory(db, { megabytes: (whole.figures().bytes - 1) / 2 ** 20 })
    memories.push(memory)
    const isHeld = async (who: ReportScope) => (await memory.prepare({}, who, 'asked')) !== undefined
    await memory.hold(scope.organisationId)
    await memory.hold(other.organisationId)
    // A later query of the first makes the second the eviction candidate.
    expect(await isHeld(scope)).toBe(true)
    await memory.hold(third)
    expect(memory.figures()).toMatchObject({ organisations: 2 })
    expect([await isHeld(last), await isHeld(scope)]).toEqual([true, true])
    for (const search of FEW)
      for (const who of all) expect(await ask(memory, search, who)).toEqual(await ask(undefined, search, who))
    expect(memory.figures().answered.sql).toBeGreaterThan(0)
  })

  test('without room SQL answers', async () => {
    const none = new ReportMemory(db, { megabytes: 1 })
    memories.push(none)
    await hold()
    expect(none.figures()).toMatchObject({ projects: 0, organisations: 0 })
    await agree(await askSql(FEW))
    expect(none.figures().answered.memory).toBe(0)
  })
})
