import sql from 'sql-template-tag'
import type { CompanyDetail, CompanyRef } from '#contract/market/company.ts'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { loadCompanyDetail } from '#server/market/company/company-detail.ts'
import { loadCompanyList } from '#server/market/company/company-list.ts'
import { createCompanyListScopeCache } from '#server/market/company/list-scope-cache.ts'
import { loadCompanyRefs } from '#server/market/company/queries/find.ts'
import { compareCompanies } from '#server/market/company-comparison/compare-companies.ts'
import { type Compared, createComparison, type Draw, drawSample, pick, type RecomputedWorld } from './compared.ts'
import { computeCompanyPage, computeCompanyRow, computeComparedColumn, sumSpending } from './raw-company.ts'
import { computeComparisonBlocks } from './raw-comparison.ts'
import type { RawFact, RawProject } from './raw-facts.ts'

type Scoped = { readonly search: CompanySearch; readonly isIn: (project: RawProject) => boolean }

function scopeOf(world: RecomputedWorld, facts: readonly RawFact[]): Scoped {
  const { project } = pick(world.next, facts)
  const kind = Math.floor(world.next() * 4)
  if (kind === 0 && project.method !== '')
    return { search: { project_method__in: [project.method] }, isIn: ({ method }) => method === project.method }
  if (kind === 1 && project.type !== '')
    return { search: { project_method_type__in: [project.type] }, isIn: ({ type }) => type === project.type }
  if (kind === 2 && project.year > 0)
    return { search: { year_from: project.year }, isIn: ({ year }) => year >= project.year }
  // The plain name matches every agency of that name, `body` only the one in its province.
  const agency = world.next() < 0.5 ? project.dept : project.body
  return {
    search: { project_dept_sub__in: [agency] },
    isIn: ({ dept, sub, body }) => dept === agency || sub === agency || body === agency,
  }
}

const UNFILTERED: Scoped = { search: {}, isIn: () => true }

export async function* compareComparisonAnswers(world: RecomputedWorld, draw: Draw): AsyncGenerator<Compared> {
  const { db, year, factsOf, idOf, next, organisationId, userId, today } = world
  const all = [...factsOf.keys()].toSorted()
  const chosen = drawSample(world, draw.companies, all, () => pick(next, year.facts).company)
  const numbers = await db.query<{ id: number; value: string }>(
    sql`select v.id, v.value from match_values v where v.kind = 'method'`,
  )
  const methodNumber = new Map(numbers.map(({ id, value }) => [value, id]))
  const refs = await loadCompanyRefs(
    db,
    chosen.map((key) => idOf.get(key)!),
  )
  const byBody = Map.groupBy(year.projects.values(), ({ body }) => body)
  const scopes = createCompanyListScopeCache(db)
  for (const key of chosen) {
    const facts = factsOf.get(key)!
    const ref = refs.get(idOf.get(key)!)
    if (!ref) {
      yield { what: `company ${key}`, figures: 1, unequal: ['the product does not have it'] }
      continue
    }
    for (const scope of [UNFILTERED, scopeOf(world, facts)]) {
      const scopedFacts = facts.filter(({ project }) => scope.isIn(project))
      const what = `${ref.name} (${ref.id}) ${JSON.stringify(scope.search)}`
      const page = await loadCompanyDetail(db, ref, { search: scope.search, organisationId }, today)
      yield createComparison(
        `page of ${what}`,
        computeCompanyPage(scopedFacts, today, (body) => sumSpending(byBody.get(body)!.filter(scope.isIn))),
        shownPage(page),
      )
      const search = { ...scope.search, project_winner_name__in: [ref.tax_id ?? ref.name] }
      for (const memory of [world.companies, undefined]) {
        const list = await loadCompanyList(
          db,
          { search, organisationId, userId },
          { scopeOf: scopes, memory, ignored: [], linkTo: String },
        )
        const row = list.results.find(({ id }) => id === ref.id)
        // The row may be missing when more companies match than fit on a page.
        if (!row && list.total > list.results.length) continue
        const { id: _, name: __, tax_id: ___, is_shared_name: ____, is_sme: _____, ...figures } = row ?? ({} as never)
        yield createComparison(
          `row ${memory ? 'by memory' : 'by SQL'} of ${what}`,
          computeCompanyRow(scopedFacts, (method) => methodNumber.get(method) ?? 0),
          figures,
        )
      }
    }
  }
  for (let at = 0; at < chosen.length; at += 5) yield* compareFive(world, chosen.slice(at, at + 5), refs)
}

async function* compareFive(
  world: RecomputedWorld,
  keys: readonly string[],
  refs: ReadonlyMap<number, CompanyRef>,
): AsyncGenerator<Compared> {
  const { db, factsOf, idOf, organisationId, today } = world
  const companies = keys.flatMap((key) => {
    const ref = refs.get(idOf.get(key)!)
    return ref ? [{ ...ref, asked: ref.name }] : []
  })
  const scope = scopeOf(world, factsOf.get(keys[0]!)!)
  for (const { search, isIn } of [UNFILTERED, scope]) {
    const factsByCompany = keys.map((key) => factsOf.get(key)!.filter(({ project }) => isIn(project)))
    for (const memory of [world.companies, undefined]) {
      const answer = await compareCompanies(
        db,
        { companies, unknown: [], left_out: [] },
        { search, organisationId, today, memory },
      )
      yield createComparison(
        `comparison ${memory ? 'by memory' : 'by SQL'} of ${companies.map(({ id }) => id).join()} ${JSON.stringify(search)}`,
        {
          columns: factsByCompany.map((facts) => computeComparedColumn(facts, today)),
          ...computeComparisonBlocks(factsByCompany),
        },
        shownComparison(answer),
      )
    }
  }
}

function shownPage({ figures, scope, ...page }: CompanyDetail) {
  const slice = ({ wins, value }: { wins: number; value: number | null }) => ({ wins, value })
  const { top_department, ...plainFigures } = figures
  const { universe: _, computed_at: __, ...projects } = scope
  const remainder = page.by_department.find(({ department }) => department === null)
  return {
    scope: projects,
    figures: { ...plainFigures, top_spent: top_department?.spent ?? null },
    by_year: Object.fromEntries(
      page.by_year.filter(({ wins }) => wins > 0).map((row) => [`year ${row.year}`, slice(row)]),
    ),
    by_department: Object.fromEntries(
      page.by_department.flatMap(({ department, departments: _n, ...row }) =>
        department === null ? [] : [[department, row]],
      ),
    ),
    other_departments: remainder ? { departments: remainder.departments, ...slice(remainder) } : null,
    by_method: keyedSlices(page.by_method, ({ method }) => `method ${method}`),
    by_type: keyedSlices(page.by_type, ({ method_type: type }) => `type ${type}`),
    by_criteria: keyedSlices(page.by_criteria, ({ criteria }) => `criteria ${criteria}`),
    by_province: keyedSlices(page.by_province, ({ province }) => `province ${province}`),
    bins: Object.fromEntries(
      page.discount_bins.flatMap(({ from, count }) => (count > 0 ? [[`from ${from}`, count]] : [])),
    ),
    sizes: page.discount_by_size.map(({ discount }) => discount),
  }
}

const keyedSlices = <T extends { wins: number; value: number | null }>(rows: readonly T[], key: (row: T) => string) =>
  Object.fromEntries(rows.map((row) => [key(row), { wins: row.wins, value: row.value }]))

function shownComparison(answer: CompanyComparison) {
  const { universe: _, computed_at: __, ...scope } = answer.scope
  return {
    columns: answer.companies.map(
      ({ id: _1, name: _2, tax_id: _3, is_shared_name: _4, is_sme: _5, asked: _6, ...column }) => column,
    ),
    scope,
    meetings: answer.meetings,
    common_total: answer.common_total,
    prices_total: answer.prices_total,
    departments_total: answer.departments_total,
    departments: Object.fromEntries(answer.departments.map(({ department, cells }) => [department, cells])),
    mix: Object.fromEntries(answer.mix.map(({ dimension, value, cells }) => [`${dimension} ${value}`, cells])),
  }
}
