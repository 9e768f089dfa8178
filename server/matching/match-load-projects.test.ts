import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { emptyTables } from '../../test/server/empty-tables.ts'
import {
  addLoad,
  addOrganisation,
  type OrganisationInput,
  type ProjectInput,
  putProjects,
} from '../../test/world/report-world.ts'
import { matchDataLoadProjects } from './match-load-projects.ts'

type MatchRow = {
  project_id: string
  matched_by: string[]
  matched_words: string[]
  first_load: number
  changed_load: number | null
  is_archived: boolean
}

export const matchesOf = (db: Db, organisationId: number) =>
  db.query<MatchRow>(sql`
    select project_id, matched_by, matched_words, w.first_load, w.changed_load, r.is_archived
    from worded_matches w join report_matches r using (organisation_id, project_id)
    where organisation_id = ${organisationId}::int order by project_id`)
export const exclusionsOf = (db: Db, organisationId: number) =>
  db.query<{ project_id: string; list: string; word: string; load_id: number }>(sql`
    select project_id, list, word, load_id from match_exclusions where organisation_id = ${organisationId}::int order by project_id`)

type Case = {
  readonly title: string
  readonly organisation?: Partial<OrganisationInput>
  readonly project?: Partial<ProjectInput>
  readonly expected: { by: string[]; words?: string[] } | { excludedBy: string; list?: string } | 'nothing'
}

const CAMERA = 'ประกวดราคาซื้อกล้องวงจรปิด ชนิดเครือข่าย'
const BANGKOK = { central: ['กรุงเทพมหานคร'] }

/** The truth table of D8, one row per rule. */
const CASES: readonly Case[] = [
  { title: 'a name word matches', expected: { by: ['name'], words: ['กล้อง'] } },
  {
    title: 'a name word does not match while its switch is off',
    organisation: { config: { search_by_name: false } },
    expected: 'nothing',
  },
  { title: 'no word, no match', organisation: { words: { include: ['รถขุด'] } }, expected: 'nothing' },
  { title: 'an empty watch list matches nothing', organisation: { words: {} }, expected: 'nothing' },
  {
    title: 'the exact unit matches',
    organisation: { words: { deptsub_include: ['กองช่าง'] } },
    expected: { by: ['deptsub'], words: [] },
  },
  {
    title: 'a part of a unit name does not',
    organisation: { words: { deptsub_include: ['กอง'] } },
    expected: 'nothing',
  },
  {
    title: 'a unit does not match while its switch is off',
    organisation: { words: { deptsub_include: ['กองช่าง'] }, config: { search_by_deptsub: false } },
    expected: 'nothing',
  },
  {
    title: 'name and unit together give both reasons',
    organisation: { words: { include: ['กล้อง', 'เครือข่าย'], deptsub_include: ['กองช่าง'] } },
    expected: { by: ['name', 'deptsub'], words: ['กล้อง', 'เครือข่าย'] },
  },
  {
    title: 'an exclusion wins over a name',
    organisation: { words: { include: ['กล้อง'], exclude: ['เครือข่าย'] } },
    expected: { excludedBy: 'เครือข่าย' },
  },
  {
    title: 'an exclusion wins over a unit',
    organisation: { words: { deptsub_include: ['กองช่าง'], exclude: ['เครือข่าย'] } },
    expected: { excludedBy: 'เครือข่าย' },
  },
  { title: 'an exclusion alone excludes nothing', organisation: { words: { exclude: ['กล้อง'] } }, expected: 'nothing' },
  {
    title: 'a word that is not approved does not match',
    organisation: { words: { include: ['?กล้อง'] } },
    expected: 'nothing',
  },
  {
    title: 'an exclusion works before it is approved',
    organisation: { words: { include: ['กล้อง'], exclude: ['?เครือข่าย'] } },
    expected: { excludedBy: 'เครือข่าย' },
  },
  {
    title: 'an AI word without stored terms stands for itself',
    organisation: { words: { ai_include: ['กล้องวงจรปิด'] }, config: { search_by_ai: true } },
    expected: { by: ['ai'], words: ['กล้องวงจรปิด'] },
  },
  {
    title: 'an AI word does not match while its switch is off',
    organisation: { words: { ai_include: ['กล้องวงจรปิด'] } },
    expected: 'nothing',
  },
  {
    title: 'a short AI word matches whole words alone',
    organisation: { words: { ai_include: ['จรปิด', 'ล้อง'] }, config: { search_by_ai: true } },
    expected: 'nothing',
  },
  {
    title: 'an AI exclusion excludes',
    organisation: { words: { include: ['กล้อง'], ai_exclude: ['เครือข่าย'] } },
    expected: { excludedBy: 'เครือข่าย', list: 'ai_exclude' },
  },
  {
    title: 'the name of a department stands for all its units',
    organisation: { words: { deptsub_include: ['เทศบาลเมือง ตัวอย่าง'] } },
    expected: { by: ['deptsub'], words: [] },
  },
  {
    title: 'an expression matches with its words',
    organisation: { words: { include: ['(กล้อง||CCTV)##เครือข่าย<<เช่า'] } },
    expected: { by: ['name'], words: ['กล้อง', 'เครือข่าย'] },
  },
  {
    title: 'an expression that its own << rejects does not',
    organisation: { words: { include: ['กล้อง<<เครือข่าย'] } },
    expected: 'nothing',
  },
  {
    title: '<<word alone matches everything without it',
    organisation: { words: { include: ['<<เช่า'] } },
    expected: { by: ['name'], words: [] },
  },
  {
    title: 'a quoted word counts blanks',
    organisation: { words: { include: ['"กล้อง วงจรปิด"'] } },
    expected: 'nothing',
  },
  {
    title: 'an excluding expression excludes',
    organisation: { words: { include: ['กล้อง'], exclude: ['กล้อง##เครือข่าย'] } },
    expected: { excludedBy: 'กล้อง##เครือข่าย' },
  },
  {
    title: 'a budget below the minimum is kept out',
    organisation: { config: { min_project_budget: '1000001' } },
    expected: 'nothing',
  },
  {
    title: 'the minimum itself passes',
    organisation: { config: { min_project_budget: '1000000' } },
    expected: { by: ['name'] },
  },
  {
    title: 'the maximum itself passes',
    organisation: { config: { max_project_budget: '1000000' } },
    expected: { by: ['name'] },
  },
  {
    title: 'a budget above the maximum is kept out',
    organisation: { config: { max_project_budget: '999999' } },
    expected: 'nothing',
  },
  {
    title: 'a missing budget passes',
    organisation: { config: { min_project_budget: '500000', max_project_budget: '600000' } },
    project: { budget: null },
    expected: { by: ['name'] },
  },
  { title: 'a province inside the areas passes', organisation: { areas: BANGKOK }, expected: { by: ['name'] } },
  {
    title: 'a province outside is kept out',
    organisation: { areas: BANGKOK },
    project: { province: 50 },
    expected: 'nothing',
  },
  {
    title: "without a province the department's counts",
    organisation: { areas: BANGKOK },
    project: { province: null },
    expected: { by: ['name'] },
  },
  {
    title: "the project's province goes before the department's",
    organisation: { areas: BANGKOK },
    project: { province: 50, deptProvince: 10 },
    expected: 'nothing',
  },
  {
    title: 'an unknown province is kept out of chosen areas',
    organisation: { areas: BANGKOK },
    project: { province: null, deptProvince: null, dept: 'กรมไร้ที่ตั้ง' },
    expected: 'nothing',
  },
  {
    title: 'an unknown province passes where all 77 are allowed',
    project: { province: null, deptProvince: null, dept: 'กรมไร้ที่ตั้ง' },
    expected: { by: ['name'] },
  },
  { title: 'no areas, no match', organisation: { areas: {} }, expected: 'nothing' },
  {
    title: 'the first day of the window passes',
    organisation: { config: { start_date_report: '2026-11-10' } },
    expected: { by: ['name'] },
  },
  {
    title: 'a day before the window is kept out',
    organisation: { config: { start_date_report: '2026-11-11' } },
    expected: 'nothing',
  },
  {
    title: 'report_start_date stands in for start_date_report',
    organisation: { config: { report_start_date: '2026-11-11' } },
    expected: 'nothing',
  },
  {
    title: 'the last day of the window passes',
    organisation: { config: { end_date_report: '2026-11-10' } },
    expected: { by: ['name'] },
  },
  {
    title: 'a day after the window is kept out',
    organisation: { config: { end_date_report: '2026-11-09' } },
    expected: 'nothing',
  },
  {
    title: 'a project without a date is outside every window',
    organisation: { config: { start_date_report: '2026-01-01' } },
    project: { movementOn: null },
    expected: 'nothing',
  },
  {
    title: 'a project without a date passes where there is no window',
    project: { movementOn: null },
    expected: { by: ['name'] },
  },
  {
    title: 'what the budget keeps out is not called excluded',
    organisation: { words: { include: ['กล้อง'], exclude: ['เครือข่าย'] }, config: { max_project_budget: '1' } },
    expected: 'nothing',
  },
]

onEachEngine('matchLoad', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })

  describe('applies the matching rules (D8)', () => {
    test.each(CASES)('$title', async ({ organisation, project, expected }) => {
      await emptyTables(db, 'organisations', 'departments', 'loads', 'projects', 'project_matches', 'match_exclusions')
      const id = await addOrganisation(db, organisation)
      const load = await addLoad(db)
      await putProjects(db, load, [{ name: CAMERA, ...project }])
      await db.transaction((tx) => matchDataLoadProjects(tx, load))
      const matches = await matchesOf(db, id)
      const exclusions = await exclusionsOf(db, id)
      if (expected === 'nothing') expect({ matches, exclusions }).toEqual({ matches: [], exclusions: [] })
      else if ('excludedBy' in expected) {
        expect({ matches, exclusions }).toEqual({
          matches: [],
          exclusions: [
            { project_id: '67000000001', list: expected.list ?? 'exclude', word: expected.excludedBy, load_id: load },
          ],
        })
      } else {
        expect(exclusions).toEqual([])
        expect(matches).toMatchObject([
          { matched_by: expected.by, ...(expected.words ? { matched_words: expected.words } : {}) },
        ])
      }
    })
  })

  describe('across loads', () => {
    let organisation: number
    const publish = async (inputs: readonly Partial<ProjectInput>[], options?: { tracked?: boolean }) => {
      const load = await addLoad(db)
      await putProjects(db, load, inputs, options)
      return { load, ...(await db.transaction((tx) => matchDataLoadProjects(tx, load))) }
    }
    beforeAll(async () => {
      await emptyTables(db, 'organisations', 'departments', 'loads', 'projects', 'project_matches', 'match_exclusions')
      organisation = await addOrganisation(db, { words: { include: ['กล้อง'], exclude: ['เช่า'] } })
    })

    test('keeps the first load and records the load that changed a tracked field', async () => {
      const first = await publish([{ id: '1' }, { id: '2' }])
      expect(first).toMatchObject({ matched: 2, excluded: 0 })
      const second = await publish([{ id: '1', submissionEndsOn: '2026-12-01' }])
      expect(second.matched).toBe(1)
      expect(await matchesOf(db, organisation)).toMatchObject([
        { project_id: '1', first_load: first.load, changed_load: second.load },
        { project_id: '2', first_load: first.load },
      ])
    })

    test('an untracked change refreshes the columns without marking the row', async () => {
      const before = await matchesOf(db, organisation)
      await publish([{ id: '2', isArchived: true }], { tracked: false })
      const after = await matchesOf(db, organisation)
      expect(after[1]).toEqual({ ...before[1], is_archived: true })
    })

    test('a renamed project moves between report, ledger and neither', async () => {
      const firstLoad = (await matchesOf(db, organisation))[0]!.first_load
      const renamed = await publish([{ id: '1', name: 'เช่ากล้องวงจรปิด' }])
      expect((await matchesOf(db, organisation)).map((row) => row.project_id)).toEqual(['2'])
      expect(await exclusionsOf(db, organisation)).toEqual([
        { project_id: '1', list: 'exclude', word: 'เช่า', load_id: renamed.load },
      ])
      await publish([{ id: '1', name: 'ซื้อรถขุด' }])
      expect(await exclusionsOf(db, organisation)).toEqual([])
      const back = await publish([{ id: '1', name: 'ซื้อกล้อง' }])
      expect(await matchesOf(db, organisation)).toMatchObject([
        { project_id: '1', first_load: firstLoad, changed_load: back.load },
        { project_id: '2' },
      ])
    })

    test('rematching a load after a word was removed applies the current words', async () => {
      const words = ['เครื่องพิมพ์', 'รถบรรทุก']
      const id = await addOrganisation(db, { words: { include: words } })
      const { load } = await publish([
        { id: '51', name: 'ซื้อเครื่องพิมพ์' },
        { id: '52', name: 'เช่ารถบรรทุก' },
      ])
      expect(await matchesOf(db, id)).toMatchObject([{ project_id: '51' }, { project_id: '52' }])
      await db.execute(sql`delete from keywords where organisation_id = ${id}::int and word = ${words[1]!}`)
      expect(await db.transaction((tx) => matchDataLoadProjects(tx, load))).toMatchObject({ matched: 1 })
      expect(await matchesOf(db, id)).toMatchObject([{ project_id: '51', first_load: load, changed_load: load }])
    })

    test('stores each filter value once, however often it occurs', async () => {
      await publish([
        { id: '3', movement: 'ขั้นตอนใหม่ของระบบ' },
        { id: '4', movement: 'ขั้นตอนใหม่ของระบบ' },
      ])
      await publish([{ id: '3', movement: 'ขั้นตอนใหม่ของระบบ', budget: 5 }])
      const numbers = await db.query<{ id: number; value: string }>(
        sql`select id, value from match_values where kind = 'movement' order by id`,
      )
      expect(numbers.map((row) => row.value)).toEqual([...new Set(numbers.map((row) => row.value))])
      expect(numbers.map((row) => row.value)).toContain('ขั้นตอนใหม่ของระบบ')
      const [highest] = await db.query<{ id: number }>(sql`select max(id) as id from match_values`)
      expect(highest!.id).toBeLessThan(20)
    })
  })
})
