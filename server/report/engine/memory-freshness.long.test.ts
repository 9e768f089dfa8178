import sql, { type Sql } from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRecord } from '#contract/create-record.ts'
import type { ReportFacets } from '#contract/report/report.ts'
import { REPORT_FACET_NAMES, type ReportSearch } from '#contract/report/report-params.ts'
import { foldDocumentText, getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import { rematchProjectsAfterRuleChange } from '#server/matching/match-changed-rules.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { rematchOrganisation } from '#server/matching/rematch-organisation.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import { createReportEngine, openReportMemory } from '#server/report/report-engine.ts'
import { findReportFacets, findReportProjectIds } from '#server/report/report-lists.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { onEachEngine, roundsOn } from '../../../test/server/databases.ts'
import { putDocuments } from '../../../test/world/read-documents.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { addLoad, addOrganisation, addUser, putProjects, setWords } from '../../../test/world/report-world.ts'

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

/**
 * Checking `FEW` of the searches suffices, because `readReportSnapshot` decides whether memory answers before the
 * search is evaluated.
 */
const { FEW = [], MORE = [] } = Object.groupBy(SEARCHES, (_, i) => ([0, 2, 6, 10].includes(i) ? 'FEW' : 'MORE'))

/** Sorts options because the order of options with equal counts is undefined. */
const sorted = ({ options, ...facets }: ReportFacets) => {
  const inOrder = createRecord(REPORT_FACET_NAMES.options, (name) =>
    options[name]?.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
  )
  return { ...facets, options: inOrder }
}

/** Two server processes have the same report in memory. After any write, both must agree with SQL at once. */
onEachEngine('the in-memory report cache', (makeDb) => {
  let db: OpenDb
  let memories: ReturnType<typeof openReportMemory>[]
  let scope: ReportScope
  let otherScope: ReportScope
  let latest: number

  const loadAll = () =>
    Promise.all(memories.flatMap((memory) => [scope, otherScope].map((tenant) => memory.load([tenant.organisationId]))))
  const answersFor = async (
    memory: ReturnType<typeof openReportMemory> | undefined,
    search: ReportSearch,
    caller = scope,
  ) => {
    const reports = createReportEngine(db, memory)
    return await runAsTenant({ organisationId: caller.organisationId, userId: caller.userId }, async () => ({
      page: await reports.page(search, caller),
      facets: sorted(await findReportFacets(reports, search, caller)),
      ids: await findReportProjectIds(reports, search, caller),
      counts: await reports.ids([search, {}], caller, { limit: 0 }),
      queue: await reports.queue(search, caller),
    }))
  }
  const searches = () => (roundsOn(db, SEARCHES.length) === SEARCHES.length ? SEARCHES : FEW)
  const answersOf = (by: 'memory' | 'sql') => memories.map((memory) => memory.stats().answered[by])
  /** Computes the expected answers once and reuses them, because SQL is slow. */
  const expectedAnswers = async (ownSearches = searches(), otherSearches: readonly ReportSearch[] = FEW) => {
    const answers = []
    for (const [caller, callerSearches] of [[scope, ownSearches] as const, [otherScope, otherSearches] as const])
      for (const search of callerSearches)
        answers.push({ search, who: caller, wanted: await answersFor(undefined, search, caller) })
    return answers
  }
  const agree = async (answers: Awaited<ReturnType<typeof expectedAnswers>>, by = memories) => {
    for (const { search, who: caller, wanted: expected } of answers)
      for (const memory of by) expect(await answersFor(memory, search, caller)).toEqual(expected)
  }
  /**
   * After a write, checks the unfiltered search at once, and a few searches after both processes have reloaded. Then
   * only memory may answer.
   */
  const agreesAfter = async (write: () => Promise<unknown>) => {
    const before = await answersFor(undefined, {})
    await write()
    const few = await expectedAnswers(FEW)
    expect(few[0]!.wanted).not.toEqual(before)
    await agree(few.filter(({ search }) => search === ALL))
    await loadAll()
    const bySql = answersOf('sql')
    await agree(few)
    if (searches() === SEARCHES) await agree(await expectedAnswers(MORE, []), memories.slice(0, 1))
    expect(answersOf('sql')).toEqual(bySql)
  }

  beforeEach(async () => {
    db = await makeDb()
    const { organisationId, userId, loads } = await addPopulation(db, matchDataLoadProjects, { count: 60 })
    const stranger = await addOrganisation(db, { words: { include: ['ยา'] } })
    latest = loads.at(-1)!
    scope = {
      organisationId,
      userId,
      today: TODAY,
      visit: { endedAt: '2026-11-20T02:00:00.000Z', loads: loads.slice(1) },
    }
    otherScope = { organisationId: stranger, userId: await addUser(db, stranger), today: TODAY }
    await rematchOrganisation(db, stranger)
    memories = [0, 1].map(() => openReportMemory(db, { megabytes: 64 }))
    await loadAll()
  })
  afterEach(async () => {
    await Promise.all(memories.map((memory) => memory.close()))
  })

  const load = (projects: Parameters<typeof putProjects>[2]) =>
    db.transaction(async (tx) => {
      const id = await addLoad(tx)
      await putProjects(tx, id, projects)
      await matchDataLoadProjects(tx, id)
    })

  test('agrees with SQL after the initial load', async () => {
    await agree(await expectedAnswers(searches(), searches()))
    expect(answersOf('sql')).toEqual([0, 0])
  })

  test('agrees with SQL after a load that adds a project and changes another', () =>
    agreesAfter(() =>
      load([
        { id: '67000000900', name: 'ซื้อกล้องวงจรปิดใหม่', dept: 'หน่วยงานใหม่', unit: 'กองใหม่', budget: 123_00 },
        { id: '67000000003', name: 'จ้างซ่อมกล้อง', budget: 77_00, isArchived: true },
      ]),
    ))

  test('agrees with SQL after an empty load: new projects are no longer new', () => agreesAfter(() => addLoad(db)))

  test('agrees with SQL after one organisation changed its words', () =>
    agreesAfter(async () => {
      await setWords(db, scope.organisationId, { include: ['กล้อง'] })
      await rematchOrganisation(db, scope.organisationId)
    }))

  test('agrees with SQL after an update without a load, a deleted project and a deleted match', () =>
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

  test('agrees with SQL after a load without projects together with a write without a load', () =>
    agreesAfter(async () => {
      await addLoad(db)
      await db.transaction(async (tx) => {
        await tx.execute(sql`update projects set is_archived = not is_archived where project_id = '67000000009'`)
        await tx.execute(sql`update project_filters set is_archived = not is_archived where project_id = '67000000009'`)
      })
    }))

  test('agrees with SQL after a department changed', () =>
    agreesAfter(async () => {
      await load([{ id: '67000000901', name: 'ซื้อกล้อง', dept: 'กองก่อน', unit: '' }])
      await loadAll()
      await db.transaction(async (tx) => {
        await tx.execute(sql`update departments set province = 50 where name = 'กองก่อน'`)
        await tx.execute(sql`update project_filters set dept_province = 50 where project_id = '67000000901'`)
      })
    }))

  test('refuses the matches of another organisation', async () => {
    const pendingPage = runAsTenant({ organisationId: otherScope.organisationId, userId: otherScope.userId }, () =>
      createReportEngine(db, memories[0]).page({}, scope),
    )
    await expect(pendingPage).rejects.toThrow('no organisation')
    const counted = runAsTenant({ organisationId: otherScope.organisationId, userId: otherScope.userId }, () =>
      createReportEngine(db, memories[0]).ids([{}], scope, { limit: 0 }),
    )
    await expect(counted).rejects.toThrow('no organisation')
  })

  test('agrees with SQL after a match was assigned to another load', () =>
    agreesAfter(() =>
      db.execute(sql`update project_matches set changed_load = ${latest}::bigint where project_id = '67000000012'`),
    ))

  test('agrees with SQL after hiding projects and changing other marks', async () => {
    const { page } = await answersFor(undefined, {})
    const [first, second] = page.stored.rows.map((row) => row.project_id)
    await agreesAfter(() =>
      db.execute(sql`insert into hidden_projects (user_id, project_id) values (${scope.userId}::int, ${first})`),
    )
    await db.execute(sql`delete from bookmarks where user_id = ${scope.userId}::int`)
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${scope.userId}::int, ${second})`)
    await db.execute(sql`delete from label_assignments where user_id = ${scope.userId}::int and label_id = 'l1'`)
    const bySql = answersOf('sql')
    await agree(await expectedAnswers())
    // A changed version of the marks only makes memory read them again.
    expect(answersOf('sql')).toEqual(bySql)
  })

  test('pursuits and notes: both processes return the current state from memory with the next answer', async () => {
    const { page } = await answersFor(undefined, { pursuit_stage__in: { values: ['none'], negated: false } })
    const [first, second] = page.stored.rows.map((row) => row.project_id)
    const org = sql`${scope.organisationId}::int`
    const at = '2026-11-21T03:00:00Z'
    // Makes a change and increments the board version in the same transaction, like `patchPursuit`.
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
      const before = await answersFor(undefined, {})
      await change(...write)
      expect(await answersFor(undefined, {})).not.toEqual(before)
      for (const variant of [search, { pursuit_has_notes: true, ordering: '-pursuit_stage' } as const]) {
        const expected = await answersFor(undefined, variant)
        for (const memory of memories) expect(await answersFor(memory, variant)).toEqual(expected)
      }
    }
    expect(answersOf('sql')).toEqual(bySql)
    await change(sql`update pursuits set stage = 'won' where organisation_id = ${org}`)
    const answer = await answersFor(memories[0], search)
    expect(answer.page.stored.total).toBeGreaterThan(0)
    expect(answer.page.stored.rows.every(({ pursuit }) => pursuit?.stage === 'won')).toBe(true)
  })

  test('ignores a write that was rolled back', async () => {
    await expect(
      db.transaction(async (tx) => {
        await tx.execute(sql`delete from project_matches`)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    const bySql = answersOf('sql')
    await agree(await expectedAnswers(FEW))
    expect(answersOf('sql')).toEqual(bySql)
  })

  test('SQL serves an organisation that matches a project with an unsortable id; memory serves the rest', async () => {
    await load([{ id: 'D-1', name: 'ซื้อกล้อง' }])
    await loadAll()
    expect(memories.map((memory) => memory.stats().organisations)).toEqual([1, 1])
    const [before] = answersOf('memory')
    await agree(await expectedAnswers(FEW, searches()))
    expect(answersOf('memory')[0]! - before!).toBe(5 * searches().length)
  })

  test('agrees with SQL after a rescue from an exclusion', async () => {
    await setWords(db, scope.organisationId, { include: ['กล้อง'], exclude: ['ซ่อม'] })
    await rematchOrganisation(db, scope.organisationId)
    await loadAll()
    const [excluded] = await db.query<{ project_id: string; list: string; word: string }>(
      sql`select project_id, list, word from match_exclusions where organisation_id = ${scope.organisationId}::int order by project_id limit 1`,
    )
    const { project_id: rescued, list, word } = excluded!
    await agreesAfter(async () => {
      await db.execute(sql`
        insert into match_rescues (organisation_id, project_id, list, word) values (${scope.organisationId}::int, ${rescued}, ${list}, ${word})`)
      await rematchProjectsAfterRuleChange(db, scope.organisationId, { projects: [rescued] })
    })
    const { page } = await answersFor(memories[0], { project_id__in: [rescued] })
    expect(page.stored.rows.map((row) => row.rescued_from)).toEqual([word])
  })

  test('reads only what a load wrote, also after loads that wrote nothing', async () => {
    const read: string[] = []
    const watched: Db = {
      ...db,
      query: (statement, options) => {
        if (options?.name?.startsWith('projects_page')) read.push(options.name)
        return db.query(statement, options)
      },
    }
    const memory = openReportMemory(watched, { megabytes: 64 })
    memories = [memory]
    await loadAll()
    expect(read).toEqual(['projects_page'])
    await addLoad(db)
    await load([])
    await loadAll()
    await load([{ id: '67000000902', name: 'ซื้อกล้องตัวใหม่' }])
    await loadAll()
    expect(read).toEqual(['projects_page', 'projects_page_of_load'])
    await agree(await expectedAnswers())
    expect(answersOf('sql')).toEqual([0])
  })

  test('agrees with SQL after documents were read, read again and deleted', async () => {
    const search: ReportSearch = { document_text__in: 'เพลารถบรรทุก' }
    const totals = async () =>
      await Promise.all(
        [scope, otherScope].map(async (caller) => {
          const [bySql, byMemory] = [
            await answersFor(undefined, search, caller),
            await answersFor(memories[0], search, caller),
          ]
          expect(byMemory).toEqual(bySql)
          return bySql.page.stored.total
        }),
      )
    expect(await totals()).toEqual([0, 0])
    const projectId = (await answersFor(undefined, {})).page.stored.rows[0]!.project_id
    const [id] = await putDocuments(db, scope.organisationId, [{ projectId, pages: ['เพลา\nรถบรรทุก'] }])
    expect(await totals()).toEqual([1, 0])
    await putDocuments(db, otherScope.organisationId, [{ projectId, pages: ['เพลารถบรรทุก'] }])
    expect((await totals())[0]).toBe(1)
    const folded = foldDocumentText('ไม่มีแล้ว')
    await db.execute(
      sql`update document_pages set folded = ${folded.folded}, trigrams = ${getFoldedTextTrigrams(folded.folded)}::int[] where document_id = ${id!}`,
    )
    await db.execute(sql`update documents set read_at = read_at + interval '1 hour' where id = ${id!}`)
    expect((await totals())[0]).toBe(0)
    await db.execute(sql`delete from documents`)
    expect(await totals()).toEqual([0, 0])
    expect(answersOf('sql')).toEqual([0, 0])
  })

  test('evicts the least recently used organisation when full, and SQL answers it equally', async () => {
    const third = await addOrganisation(db, { words: { include: ['ซื้อ'] } })
    const last: ReportScope = { organisationId: third, userId: await addUser(db, third), today: TODAY }
    await rematchOrganisation(db, third)
    const all = [scope, otherScope, last]
    const fullMemory = openReportMemory(db, { megabytes: 64 })
    memories.push(fullMemory)
    for (const caller of all) await fullMemory.load([caller.organisationId])
    // Marks are read with the first query, and their bytes count towards the budget below.
    await createReportEngine(db, fullMemory).ids([{}], scope, { limit: 0 })
    // The memory budget is one byte too small for all three organisations.
    const memory = openReportMemory(db, { megabytes: (fullMemory.stats().bytes - 1) / 2 ** 20 })
    memories.push(memory)
    const isCached = async (caller: ReportScope) => (await memory.answers.ids([{}], caller, { limit: 0 })) !== undefined
    await memory.load([scope.organisationId])
    await memory.load([otherScope.organisationId])
    // This query uses the first organisation again, so the second becomes the one to evict.
    expect(await isCached(scope)).toBe(true)
    await memory.load([third])
    expect(memory.stats()).toMatchObject({ organisations: 2 })
    expect([await isCached(last), await isCached(scope)]).toEqual([true, true])
    for (const search of FEW)
      for (const caller of all)
        expect(await answersFor(memory, search, caller)).toEqual(await answersFor(undefined, search, caller))
    expect(memory.stats().answered.sql).toBeGreaterThan(0)
  })

  test('falls back to SQL without a memory budget', async () => {
    const none = openReportMemory(db, { megabytes: 0 })
    memories.push(none)
    await loadAll()
    expect(none.stats()).toMatchObject({ projects: 0, organisations: 0 })
    await agree(await expectedAnswers(FEW))
    expect(none.stats().answered.memory).toBe(0)
  })
})
