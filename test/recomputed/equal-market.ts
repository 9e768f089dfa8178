import sql from 'sql-template-tag'
import type { Agency } from '#contract/market/agency.ts'
import type { WhoWins } from '#contract/market/who-wins.ts'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import { findAgency } from '#server/market/agency/find-agency.ts'
import { presentAgency } from '#server/market/agency/present-agency.ts'
import type { WhoWinsScope } from '#server/market/who-wins/award-set.ts'
import { MAX_SCANNED_PROJECTS } from '#server/market/who-wins/find-in-market.ts'
import { presentWhoWins } from '#server/market/who-wins/present-who-wins.ts'
import { presentUnusualAwardPatterns } from '#server/market/who-wins/signs/present-signs.ts'
import { withAwards } from '#server/market/who-wins/with-awards.ts'
import { type Compared, createComparison, type Draw, drawSample, pick, type RecomputedWorld } from './compared.ts'
import type { RawProject } from './raw-facts.ts'
import { computeAgencyPage, computeAwards } from './raw-market.ts'
import { computeSigns, formatSigns } from './raw-signs.ts'

export async function* compareAgencies(world: RecomputedWorld, draw: Draw): AsyncGenerator<Compared> {
  const { db, year, next, organisationId, userId, today } = world
  const projects = [...year.projects.values()]
  const byBody = Map.groupBy(projects, ({ body }) => body)
  const chosen = drawSample(world, draw.agencies, [...byBody.keys()].toSorted(), () => pick(next, projects).body)
  // A name without a province includes every body of that name.
  const projectsOf = new Map([...Map.groupBy(projects, ({ dept }) => dept), ...byBody])
  const factsOf = new Map([
    ...Map.groupBy(year.facts, ({ project }) => project.dept),
    ...Map.groupBy(year.facts, ({ project }) => project.body),
  ])
  const texts = new Set(chosen.flatMap((body) => [body, byBody.get(body)![0]!.dept]))
  for (const text of texts) {
    const all = projectsOf.get(text)!
    const agencyFacts = factsOf.get(text) ?? []
    const agency = await findAgency(db, text)
    if (!agency) {
      yield { what: `agency ${text}`, figures: 1, unequal: ['the product does not have it'] }
      continue
    }
    const scope: WhoWinsScope = { organisationId, userId, today, visit: undefined, isMarket: true }
    for (const memory of [world.awards, undefined]) {
      const answer = await presentAgency({ db, memory }, { agency, search: {}, scope, hasPursuits: false })
      const raw = computeAwards(all, agencyFacts)
      const { agencies: _, agency_months: __, bins: ___, bands: ____, months: _____, provinces: ______, ...plain } = raw
      const { units, ...page } = computeAgencyPage(all, all, agencyFacts)
      const shownUnits = answer.units.results.map(({ unit }) => `is ${unit}`)
      yield createComparison(
        `agency ${memory ? 'by memory' : 'by SQL'} ${text}`,
        {
          ...plain,
          ...page,
          companies: first50(world, raw.companies, answer.companies),
          units: {
            total: Object.keys(units).length,
            ...Object.fromEntries(shownUnits.map((unit) => [unit, units[unit] ?? null])),
          },
        },
        shownAgency(world, answer),
      )
    }
  }
}

type RawCompanies = ReturnType<typeof computeAwards>['companies']

function first50({ keyOf }: RecomputedWorld, all: RawCompanies, { total, results }: WhoWins['companies']) {
  const shownKeys = results.map(({ id }) => keyOf.get(id)!)
  const lastShown = results.length === total ? undefined : results.at(-1)
  return {
    total: all.size,
    // The list may be cut anywhere among companies of equal value, so the test checks that no omitted company won more
    // than the last one shown.
    better: lastShown
      ? [...all].filter(([key, { value }]) => !shownKeys.includes(key) && (value ?? -1) > (lastShown.value ?? -1))
          .length
      : 0,
    rows: Object.fromEntries(shownKeys.map((key) => [key, all.get(key) ?? null])),
  }
}

const shown50 = ({ keyOf }: RecomputedWorld, { total, results }: WhoWins['companies']) => ({
  total,
  better: 0,
  rows: Object.fromEntries(
    results.map(({ id, wins, value, share, bids, discount, first_win_date: first, last_win_date: last }) => [
      keyOf.get(id)!,
      { wins, share, first, last, value, bids, discount },
    ]),
  ),
})

const sums = <T extends { n: number; value: number | null }>(
  rows: readonly T[],
  key: (row: T) => string | number | null,
) => Object.fromEntries(rows.map((row) => [`is ${key(row)}`, { n: row.n, value: row.value }]))

function shownAgency(world: RecomputedWorld, answer: Omit<Agency, 'ignored_parameters'>) {
  const { universe: _, computed_at: __, ...scope } = answer.scope
  const { by_method, backwards, ...speed } = answer.speed
  return {
    scope,
    decided: answer.decided,
    won: answer.won,
    figures: answer.figures,
    is_ranked: answer.companies.is_ranked,
    companies: shown50(world, answer.companies),
    all_years: answer.years,
    years: sums(answer.by_year, ({ year }) => year),
    projects: answer.projects,
    methods: sums(answer.by_method, ({ method }) => method),
    by_type: sums(answer.by_type, ({ method_type: type }) => type),
    units: { total: answer.units.total, ...sums(answer.units.results, ({ unit }) => unit) },
    announced: answer.announced.months.join(' '),
    awarded: answer.awarded.months.join(' '),
    speed: { ...speed, backwards },
    speed_by_method: Object.fromEntries(by_method.map(({ method, ...days }) => [`is ${method}`, days])),
  }
}

type Question = { readonly flat: Record<string, string>; readonly finds: (project: RawProject) => boolean }

function questionOf(world: RecomputedWorld, projects: readonly RawProject[]): Question {
  const picked = pick(world.next, projects)
  const { method, type, province, budget } = picked
  const parts: Question[] = []
  // Skip facts that the project lacks, because the API ignores empty filters.
  if (method !== '') parts.push({ flat: { project_method__in: method }, finds: (project) => project.method === method })
  if (type !== '') parts.push({ flat: { project_method_type__in: type }, finds: (project) => project.type === type })
  const named = findProvinceByCode(province)?.th
  if (named) parts.push({ flat: { project_province__in: named }, finds: (project) => project.province === province })
  if (budget !== null) {
    const [low, high] = [Math.floor(budget / 200), Math.ceil(budget / 50)]
    parts.push({
      flat: { project_budget__range: `${low},${high}` },
      finds: (project) => project.budget !== null && project.budget >= low * 100 && project.budget <= high * 100,
    })
  }
  const chosen = parts.filter(() => world.next() < 0.6)
  return {
    flat: Object.assign({}, ...chosen.map(({ flat }) => flat)),
    finds: (project) => chosen.every(({ finds }) => finds(project)),
  }
}

export async function* compareQuestions(world: RecomputedWorld, draw: Draw): AsyncGenerator<Compared> {
  const { db, year, organisationId, userId, today, idOf } = world
  const projects = [...year.projects.values()]
  const watched = await db.query<{ id: string }>(
    sql`select m.project_id as id from project_matches m where m.organisation_id = ${organisationId}::int
      and m.project_id not in (select h.project_id from hidden_projects h where h.user_id = ${userId}::int)`,
  )
  const watchedProjects = watched.map(({ id }) => year.projects.get(id)!)
  for (let at = 0; at < draw.questions; at += 1) {
    const isMarket = at % 2 === 1
    const universe = isMarket ? projects : watchedProjects
    const { flat, finds } = at < 2 ? { flat: {}, finds: () => true } : questionOf(world, universe)
    const matches = new Set(universe.filter(finds))
    const facts = year.facts.filter(({ project }) => matches.has(project))
    const raw = computeAwards([...matches], facts)
    const signs = computeSigns([...matches], facts, idOf)
    const { search } = parseReportSearch(flat)
    const scope: WhoWinsScope = { organisationId, userId, today, visit: undefined, isMarket }
    for (const memory of [world.awards, undefined]) {
      if (!memory && (isMarket ? projects.length : matches.size) > MAX_SCANNED_PROJECTS) continue
      const what = `${isMarket ? 'market' : 'ours'} ${memory ? 'by memory' : 'by SQL'} ${JSON.stringify(flat)} ${matches.size} projects`
      const [answer, odd] = await withAwards(
        { db, memory },
        search,
        scope,
        async (awards) =>
          [
            await presentWhoWins(db, awards, { rank: 'value', scope }),
            await presentUnusualAwardPatterns(db, awards),
          ] as const,
      )
      yield createComparison(
        `who wins, ${what}`,
        {
          projects: matches.size,
          ...raw,
          ...ofAgencies(raw, answer),
          companies: first50(world, raw.companies, answer.companies),
        },
        shownWins(world, answer),
      )
      yield comparedSigns(`signs, ${what}`, signs, formatSigns(odd))
    }
  }
}

/**
 * Compares signs. An answer contains only the strongest signs of each kind, so each of them must be among the
 * recomputed signs.
 */
function comparedSigns(
  what: string,
  expected: ReturnType<typeof computeSigns>,
  answered: ReturnType<typeof formatSigns>,
): Compared {
  const counts = (of: Record<string, { projects: number; groups: number; total: number }>) =>
    Object.fromEntries(
      Object.entries(of).map(([sign, { projects, groups, total }]) => [sign, { projects, groups, total }]),
    )
  const { figures, unequal } = createComparison(what, counts(expected), counts(answered))
  const strange = Object.entries(answered).flatMap(([sign, { lines }]) =>
    lines.filter((line) => !expected[sign]?.lines.has(line)).map((line) => `${sign}: answered ${line}`),
  )
  return {
    what,
    figures: figures + Object.values(answered).flatMap(({ lines }) => lines).length,
    unequal: [...unequal, ...strange],
  }
}

function ofAgencies(
  { agencies, agency_months: months }: ReturnType<typeof computeAwards>,
  answer: Pick<WhoWins, 'agencies'>,
) {
  const names = answer.agencies.results.map((row) => `is ${bodyOf(row)}`)
  return {
    agencies: {
      total: Object.keys(agencies).length,
      ...Object.fromEntries(names.map((name) => [name, agencies[name] ?? null])),
    },
    agency_months: Object.fromEntries(names.map((name) => [name, months[name] ?? Array(12).fill(0).join(' ')])),
  }
}

const bodyOf = ({ name }: WhoWins['agencies']['results'][number]) => name

function shownWins(world: RecomputedWorld, answer: Omit<WhoWins, 'ignored_parameters'>) {
  const { universe: _, computed_at: __, ...scope } = answer.scope
  return {
    projects: answer.projects,
    scope,
    decided: answer.decided,
    won: answer.won,
    figures: answer.figures,
    is_ranked: answer.companies.is_ranked,
    companies: shown50(world, answer.companies),
    agencies: { total: answer.agencies.total, ...sums(answer.agencies.results, bodyOf) },
    agency_months: Object.fromEntries(
      answer.agencies.results.map((row) => [`is ${bodyOf(row)}`, row.months.join(' ')]),
    ),
    years: sums(answer.years, ({ year }) => year),
    methods: sums(answer.methods, ({ method }) => method),
    provinces: sums(answer.provinces, ({ province }) => province),
    months: Object.fromEntries(answer.months.map(({ month, n, value }) => [`in ${month}`, { n, value }])),
    bins: answer.discount_bins.map(({ count }) => count),
    bands: answer.bands.map(({ from: _from, to: _to, ...quartiles }) => quartiles),
  }
}
