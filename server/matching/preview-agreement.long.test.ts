import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import type { KeywordPreviewRequest } from '#contract/matching/keyword-requests.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { expandKeyword } from '#server/matching/meaning/expand-keyword.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { addLoad, addOrganisation } from '../../test/world/report-world.ts'
import { previewKeywordChange } from './keyword-impact/preview-keyword-change.ts'
import { buildPreviewMatchRules } from './keyword-impact/previewed-rules.ts'
import { createProjectRuleOutcomeCache } from './keyword-impact/routes-impact.ts'
import { loadOrganisationMatchRules } from './queries.ts'
import { createRecentProjectsCache, type RecentProjects } from './recent-projects.ts'
import { rematchOrganisation } from './rematch-organisation.ts'
import { RULE_OUTCOME_EXCLUDED, RULE_OUTCOME_MATCHED } from './rule-placement.ts'

const file = path.join(import.meta.dirname, '../../../shared/data/egp-2568-sample-5000.csv')
const isThere = existsSync(file)
if (!isThere) console.warn(`\n*** NO real rows at ${file}: that previews come true is NOT tested on them. ***\n`)

const NOW = () => new Date('2026-11-21T03:00:00Z')
const expand = async (word: string) => expandKeyword(word)

/** Successive changes, each applied to the result of the previous one. `remove`: words to delete from the lists. */
const CHANGES: readonly (KeywordPreviewRequest['add'] & {
  remove?: string[]
  switches?: KeywordPreviewRequest['switches']
})[] = [
  { include: ['กล้อง', 'คอมพิวเตอร์'] },
  { include: ['ยา'] },
  { exclude: ['ยาง', 'พยาบาล', 'ขยาย'] },
  { include: ['ถนน##(คอนกรีต||ลาดยาง)<<ซ่อม', '"ปรับปรุง ซ่อมแซม"'], exclude: ['เช่า', 'จ้าง##ที่ปรึกษา'] },
  { deptsub_include: ['กรมท่าอากาศยาน', 'เมืองพัทยา'] },
  { ai_include: [{ word: 'เครื่องปรับอากาศ' }, { word: 'ปรับปรุงถนน' }], switches: { search_by_ai: true } },
  { ai_exclude: [{ word: 'ทำความสะอาด', terms: ['ทำความสะอาด', 'แม่บ้าน'] }] },
  { remove: ['ยา', 'พยาบาล'] },
  { switches: { search_by_deptsub: false } },
  { include: ['<<จ้าง'], remove: ['กล้อง'] },
  { exclude: ['<<กรม'] },
  { remove: ['<<จ้าง', '<<กรม', 'เช่า'], switches: { search_by_deptsub: true } },
]

describe.skipIf(!isThere)('on 5,000 real projects', () => {
  onEachEngine('a preview', (makeDb) => {
    let db: OpenDb
    let organisation: number
    let recent: RecentProjects
    beforeAll(async () => {
      db = await makeDb()
      await addRealProjects(db)
      organisation = await addOrganisation(db, {
        words: { include: ['ไฟฟ้า'], exclude: ['อบรม'] },
        config: { min_project_budget: '100000', max_project_budget: '50000000', start_date_report: '2026-10-25' },
      })
      recent = await createRecentProjectsCache(db, NOW)()
      expect(recent.projects.length).toBeGreaterThan(3_000)
    })

    test('predicts what the engine stores', async () => {
      const placements = createProjectRuleOutcomeCache()
      let moved = 0
      for (const { remove = [], switches, ...add } of CHANGES) {
        await rematchOrganisation(db, organisation)
        const [rules] = await loadOrganisationMatchRules(db, organisation)
        const removed = rules!.keywords.filter(({ word }) => remove.includes(word)).map(({ id }) => id)
        expect(removed).toHaveLength(remove.length)
        const request: KeywordPreviewRequest = { add, remove: removed, ...(switches ? { switches } : {}) }
        const before = await placements(recent, rules!)
        const { after, added } = await buildPreviewMatchRules(rules!, request, expand)
        const preview = await previewKeywordChange(db, { recent, before, after, added })
        const stored = await storedOf(db, organisation, recent)
        expect(preview.before).toBe(stored.in.length)

        await change(db, organisation, { removed, switches, added })
        await rematchOrganisation(db, organisation)
        const now = await storedOf(db, organisation, recent)
        const came = now.in.filter((id) => !stored.in.includes(id))
        expect(preview).toMatchObject({
          after: now.in.length,
          added: came.length,
          removed: stored.in.filter((id) => !now.in.includes(id)).length,
        })
        for (const { project_id } of preview.added_samples) expect(came).toContain(project_id)
        for (const { word, count } of preview.traps)
          expect(
            recent.projects.filter(
              (project) => came.includes(project.project_id) && project.name_search.includes(word),
            ),
          ).toHaveLength(count)
        const placement = await placements(recent, (await loadOrganisationMatchRules(db, organisation))[0]!)
        const at = (state: number) =>
          recent.projects.flatMap(({ project_id }, i) => (placement.states[i] === state ? [project_id] : []))
        expect(at(RULE_OUTCOME_MATCHED).toSorted()).toEqual(now.in)
        expect(at(RULE_OUTCOME_EXCLUDED).toSorted()).toEqual(now.keptOut)
        moved += preview.added + preview.removed
      }
      // Enough projects must have moved, or the comparison proves nothing.
      expect(moved).toBeGreaterThan(2_000)
    }, 240_000)
  })
})

async function storedOf(db: Db, organisation: number, { from, to }: RecentProjects) {
  const idsIn = async (table: 'project_matches' | 'match_exclusions') => {
    const stored = table === 'project_matches' ? sql`project_matches` : sql`match_exclusions`
    const rows = await db.query<{ project_id: string }>(sql`
      select m.project_id from ${stored} m join projects p on p.project_id = m.project_id
      where m.organisation_id = ${organisation}::int and p.movement_on between ${from}::date and ${to}::date order by m.project_id collate "C"`)
    return rows.map((row) => row.project_id)
  }
  return { in: await idsIn('project_matches'), keptOut: await idsIn('match_exclusions') }
}

async function change(
  db: Db,
  organisation: number,
  {
    removed,
    switches,
    added,
  }: {
    removed: number[]
    switches: KeywordPreviewRequest['switches'] | undefined
    added: Awaited<ReturnType<typeof buildPreviewMatchRules>>['added']
  },
): Promise<void> {
  await db.execute(sql`delete from keywords where id = any (${removed}::int[])`)
  await db.execute(sql`
    update organisations set customer_config = customer_config || ${JSON.stringify(switches ?? {})}::jsonb where id = ${organisation}::int`)
  for (const { list, word, terms } of added) {
    const [keyword] = await db.query<{ id: number }>(sql`
      insert into keywords (organisation_id, list, word, word_key) values (${organisation}::int, ${list}, ${word}, ${toKeywordKey(word)}) returning id`)
    for (const [position, term] of (terms ?? []).entries()) {
      await db.execute(sql`
        insert into keyword_terms (keyword_id, term_key, term, source, state, similarity, facet, position)
        values (${keyword!.id}, ${toNormalisedSearchText(term.term)}, ${term.term}, ${term.source}, ${term.state}, 1, ${term.facet}::smallint, ${position}::smallint)`)
    }
  }
}

async function addRealProjects(db: Db): Promise<void> {
  const rows = parse(readFileSync(file), { columns: true, bom: true }) as Record<string, string>[]
  const projects = rows.map((row, at) => ({
    project_id: row.project_id,
    name: row.project_name,
    name_search: toNormalisedSearchText(row.project_name!),
    name_spaced: normaliseThai(row.project_name!),
    dept: row.dept_name,
    unit: row.dept_sub_name,
    province: findProvinceByName(row.province ?? '')?.code ?? null,
    budget: row.project_money ? Math.round(Number(row.project_money) * 100) : null,
    age: at % 40,
  }))
  const load = await addLoad(db)
  const recordset = sql`jsonb_to_recordset(${JSON.stringify(projects)}::jsonb) as x (project_id text, name text, name_search text, name_spaced text, dept text, unit text, province smallint, budget bigint, age int)`
  await db.execute(
    sql`insert into departments (name, sub_name, province) select distinct dept, unit, province from ${recordset}`,
  )
  await db.execute(sql`
    insert into projects (project_id, name, name_search, name_spaced, department_id, project_province, status, movement, movement_on, method,
      method_type, budget_satang, source, first_load, changed_load, written_load)
    select x.project_id, x.name, x.name_search, x.name_spaced, d.id, x.province, 'in_progress', 'invited', date '2026-11-20' - x.age, 'e_bidding',
      'buy', x.budget, 'test', ${load}::bigint, ${load}::bigint, ${load}::bigint
    from ${recordset} join departments d on d.name = x.dept and d.sub_name = x.unit and d.province is not distinct from x.province`)
}
