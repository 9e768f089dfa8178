import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Agency } from '#contract/market/agency.ts'
import { type AgencySearch, parseAgencySearch } from '#contract/market/agency-params.ts'
import { WON_PROJECTS_PAGE_SIZE } from '#contract/market/who-wins.ts'
import { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import type { WhoWinsScope } from '#server/market/who-wins/award-set.ts'
import { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import { computeReferenceFigures, loadReferenceAwards } from '#server/market/who-wins/plain-awards-for-tests.ts'
import { loadWonProjects } from '#server/market/who-wins/queries.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openReportMemory } from '#server/report/report-engine.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { inventProjects } from '../../../test/world/invented-wins.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { addLoad } from '../../../test/world/report-world.ts'
import { putWonProjects } from '../../../test/world/won-projects.ts'
import { findAgency } from './find-agency.ts'
import { loadAgencyFigureProjectIds } from './load-agency-figure-project-ids.ts'
import { presentAgency } from './present-agency.ts'

type Plain = {
  readonly project: string
  readonly dept: string
  readonly unit: string
  readonly year: number | null
  readonly method: string
  readonly type: string
  readonly invited: string | null
  readonly signed: string | null
  readonly spent: number | null
  readonly decided: boolean
  readonly ours: boolean
}

const TOWN = 'เทศบาลตำบลบ้านกลาง'
const NAMES = [0, 1, 2, 3, 4].map((at) => `กรม ${at}`).concat(TOWN)

const SEARCHES: readonly Record<string, string>[] = [
  {},
  { scope: 'watch' },
  { year_from: '2568', year_to: '2569' },
  { year_from: '2570' },
  { year_to: '2567', scope: 'watch' },
  { unit: 'กอง 1' },
  { unit: 'กอง 2', year_from: '2568', rank: 'discount' },
  { unit: 'ไม่มีหน่วยนี้' },
]

const DAY_MS = 86_400_000
const daysOf = ({ invited, signed }: Plain) => (Date.parse(signed!) - Date.parse(invited!)) / DAY_MS
const sum = (rows: readonly Plain[]) => {
  const amounts = rows.flatMap(({ spent }) => spent ?? [])
  return amounts.length === 0 ? null : amounts.reduce((a, b) => a + b, 0) / 100
}
const byKey = <T extends { key: string }>(rows: readonly T[]) => rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
const grouped = (rows: readonly Plain[], keyOf: (row: Plain) => string) =>
  byKey([...Map.groupBy(rows, keyOf)].map(([key, of]) => ({ key, n: of.length, value: sum(of) })))
function quartiles(days: readonly number[]) {
  const sorted = days.toSorted((a, b) => a - b)
  const n = sorted.length
  if (n < 5) return { n, lower: null, median: null, upper: null }
  const at = (part: number) => {
    const position = (n - 1) * part
    const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!]
    return low + (position - Math.floor(position)) * (high - low)
  }
  return { n, lower: at(0.25), median: at(0.5), upper: at(0.75) }
}

for (const by of ['SQL', 'memory'] as const)
  onEachEngineInTurn(`agencies by ${by}`, (makeDb) => {
    let db: OpenDb
    let scope: WhoWinsScope
    let memory: AwardCache | undefined
    let plain: readonly Plain[]
    let awards: Awaited<ReturnType<typeof loadReferenceAwards>>

    beforeAll(async () => {
      db = await makeDb()
      const { organisationId, userId } = await addPopulation(db, matchDataLoadProjects)
      const load = await addLoad(db)
      await putWonProjects(
        db,
        load,
        // Five departments with about forty projects each, and as many of two towns with one name. Every fifth project was
        // announced after it was signed, and some were never announced.
        inventProjects(7).map((project, at) => ({
          ...project,
          dept: NAMES[at % 6]!,
          unit: at % 7 === 0 ? '' : (project.unit ?? ''),
          invitedOn:
            at % 4 === 0 ? null : at % 5 === 0 ? '2027-01-01' : `2024-${String((at % 12) + 1).padStart(2, '0')}-05`,
        })),
      )
      await db.execute(sql`update projects set is_archived = true where project_id like '69%7'`)
      await db.transaction((tx) => matchDataLoadProjects(tx, load))
      await db.execute(
        sql`delete from project_matches where organisation_id = ${organisationId}::int and project_id like '690%3'`,
      )
      await db.execute(sql`
        insert into hidden_projects select ${userId}::int, p.project_id, now() from projects p where p.project_id like '690%4'`)
      await updateCompanyFacts(db)
      scope = { organisationId, userId, today: TODAY, visit: undefined, isMarket: true }
      awards = await loadReferenceAwards(db)
      plain = await db.query<Plain>(sql`
        select p.project_id as project, d.name as dept, coalesce(nullif(d.sub_name, ''), d.name) as unit, p.fiscal_year as year, p.method,
          p.method_type as type, p.bidding_invited_on as invited, p.contract_signed_on as signed, s.spent_satang as spent,
          s.project_id is not null as decided,
          exists (select from project_matches m where m.project_id = p.project_id and m.organisation_id = ${organisationId}::int)
            and p.project_id not in (select h.project_id from hidden_projects h where h.user_id = ${userId}::int) as ours
        from projects p join departments d on d.id = p.department_id left join project_spending s on s.project_id = p.project_id`)
      if (by === 'memory') {
        const report = openReportMemory(db, { megabytes: 64 })
        memory = new AwardCache(
          db,
          { report, companies: new CompanyFactCache(db, { megabytes: 64 }) },
          { megabytes: 64 },
        )
        await memory.load(organisationId, scope)
      }
    })
    afterAll(() => memory?.stop())

    async function questionOf(part: string, flat: Record<string, string>) {
      const search: AgencySearch = parseAgencySearch(flat).search
      const agency = (await findAgency(db, part))!
      return { agency, search, scope: { ...scope, isMarket: search.scope !== 'watch' }, hasPursuits: true }
    }
    async function answerOf(part: string, flat: Record<string, string>): Promise<Omit<Agency, 'ignored_parameters'>> {
      const before = memory?.answered
      const answer = await presentAgency({ db, memory }, await questionOf(part, flat))
      if (memory) expect(memory.answered).toEqual({ ...before, memory: before!.memory + 1 })
      return answer
    }
    const isIn =
      ({ year_from: from, year_to: to, scope: universe }: Record<string, string>) =>
      (row: Plain) =>
        (from === undefined || (row.year ?? 0) >= Number(from)) &&
        (to === undefined || (row.year !== null && row.year <= Number(to))) &&
        (universe !== 'watch' || row.ours)

    test('figures equal plain arithmetic over the projects of its units', async () => {
      let maxWon = 0
      for (const name of ['กรม 0', 'กรม 3', TOWN])
        for (const flat of SEARCHES) {
          const answer = await answerOf(name, flat)
          const all = plain.filter((row) => row.dept === name).filter(isIn(flat))
          const rows = all.filter(({ unit }) => flat.unit === undefined || unit === flat.unit)
          const decided = rows.filter((row) => row.decided)
          const projectIds = new Set(rows.map(({ project }) => project))
          const expected = computeReferenceFigures(awards, projectIds)
          const timed = decided.filter(({ invited, signed }) => invited !== null && signed !== null)
          const forward = timed.filter((row) => daysOf(row) >= 0)
          const announced = rows.filter(({ invited }) => invited !== null)
          maxWon = Math.max(maxWon, expected.won)
          expect({
            projects: answer.projects,
            decided: answer.decided,
            won: answer.won,
            value: answer.figures.value,
            discount: answer.figures.discount,
            companies: answer.companies.results.map(({ id, wins }) => `${id} ${wins}`).sort(),
            years: byKey(answer.by_year.map(({ year, n, value }) => ({ key: String(year), n, value }))),
            methods: byKey(answer.by_method.map(({ method, n, value }) => ({ key: method, n, value }))),
            types: byKey(answer.by_type.map(({ method_type, n, value }) => ({ key: method_type, n, value }))),
            units: byKey(answer.units.results.map(({ unit, n, value }) => ({ key: unit, n, value }))),
            announced: answer.announced,
            awarded: answer.awarded,
            speed: {
              n: answer.speed.n,
              lower: answer.speed.lower,
              median: answer.speed.median,
              upper: answer.speed.upper,
            },
            byMethod: byKey(answer.speed.by_method.map(({ method, ...days }) => ({ key: method, ...days }))),
            backwards: answer.speed.backwards,
          }).toEqual({
            projects: rows.length,
            decided: expected.decided,
            won: expected.won,
            value: expected.value,
            discount: expected.discount,
            companies: expected.won < 5 ? [] : expected.companies.map(({ key, wins }) => `${key} ${wins}`).sort(),
            years: grouped(decided, ({ year }) => String(year ?? 0)),
            methods: grouped(decided, ({ method }) => method),
            types: grouped(decided, ({ type }) => type),
            units: grouped(
              all.filter((row) => row.decided),
              ({ unit }) => unit,
            ),
            announced: {
              n: announced.length,
              months: Array.from(
                { length: 12 },
                (_, at) => announced.filter(({ invited }) => Number(invited!.slice(5, 7)) === at + 1).length,
              ),
            },
            awarded: {
              n: expected.months.reduce((total, { n }) => total + n, 0),
              months: Array.from({ length: 12 }, (_, at) =>
                expected.months.reduce((total, { key, n }) => total + (Number(key.slice(5)) === at + 1 ? n : 0), 0),
              ),
            },
            speed: quartiles(forward.map(daysOf)),
            byMethod: byKey(
              [...Map.groupBy(forward, ({ method }) => method)].map(([key, of]) => ({
                key,
                ...quartiles(of.map(daysOf)),
              })),
            ),
            backwards: timed.length - forward.length,
          })
          expect(answer.years).toEqual(
            [...new Set(plain.filter(({ dept }) => dept === name).flatMap(({ year }) => year ?? []))].sort(
              (a, b) => b - a,
            ),
          )
        }
      expect(maxWon).toBeGreaterThan(20)
    }, 120_000)

    test.each(['กรม 0', TOWN])('each figure of %s opens as many rows as it counts', async (name) => {
      const flat = { scope: 'watch', year_from: '2568' }
      const question = await questionOf(name, flat)
      const answer = await answerOf(name, flat)
      const opened = (rows: string) => loadAgencyFigureProjectIds({ db, memory }, question, rows, 1_000)
      const figures: (readonly [string, number])[] = [
        ['found', answer.projects],
        ['decided', answer.decided],
        ['won', answer.won],
        ['priced', answer.figures.discount.n],
        ['announced', answer.announced.n],
        ['timed', answer.speed.n],
        ['backwards', answer.speed.backwards],
        ['matches', answer.ours.matches],
        ['open', answer.ours.open],
        ...answer.companies.results.map(({ id, wins }) => [`company:${id}`, wins] as const),
        ...answer.by_year.map(({ year, n }) => [`year:${year}`, n] as const),
        ...answer.by_method.map(({ method, n }) => [`method:${method}`, n] as const),
        ...answer.by_type.map(({ method_type, n }) => [`type:${method_type}`, n] as const),
        ...answer.by_group.map(({ group, n }) => [`group:${group?.id ?? ''}`, n] as const),
        ...answer.units.results.map(({ unit, n }) => [`unit:${unit}`, n] as const),
        ...answer.announced.months.map((n, at) => [`announced:${at + 1}`, n] as const),
        ...answer.awarded.months.map((n, at) => [`calendar_month:${at + 1}`, n] as const),
        ...answer.speed.by_method.map(({ method, n }) => [`timed:${method}`, n] as const),
        ...answer.ours.pursuits!.map(({ kind, n }) => [`pursuits:${kind}`, n] as const),
      ]
      expect(figures.length).toBeGreaterThan(50)
      for (const [rows, n] of figures) {
        const figureIds = await opened(rows)
        expect([rows, figureIds?.total, figureIds?.ids.length]).toEqual([rows, n, n])
      }
      for (const rows of [
        'unknown',
        'announced:13',
        'pursuits:none',
        'group:x',
        'calendar_month:0',

        'found:1',
      ])
        expect([rows, await opened(rows)]).toEqual([rows, undefined])
      // The highest row count that the last page in a URL can request; it exceeds int4.
      const maxRows = 2_147_483_647 * WON_PROJECTS_PAGE_SIZE
      expect(await loadAgencyFigureProjectIds({ db, memory }, question, 'matches', maxRows)).toEqual(
        await opened('matches'),
      )
      const first = await opened('timed')
      const rows = await loadWonProjects(db, first!.ids.slice(0, 3), scope.organisationId)
      expect(rows.map(({ dept_name }) => dept_name)).toEqual([name, name, name])
    })
  })
