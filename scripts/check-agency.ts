import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Agency } from '#contract/market/agency.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { replaceAgencyDirectory } from '#server/catalogue/department/queries.ts'
import {
  type AgencyDirectoryRow,
  readAgencyCodes,
  readAgencyDirectory,
} from '#server/catalogue/department/read-directory.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { runLoad, withLoadLease } from '#server/jobs/load/run-load.ts'
import { type CsvRow, readCsv } from '../test/company-figures.ts'
import { appOn, signIn } from '../test/server/http-app.ts'
import { withTemporaryDatabase } from '../test/server/own-database.ts'
import {
  differences,
  lines,
  type RecomputedProject,
  recomputeFigures,
  recomputeProjects,
  satangOf,
} from '../test/won-figures.ts'
import { seeded } from '../test/world/report-population.ts'

/**
 * Verifies the figures of an agency's page: computes them from a CSV of contracts independently, imports the same file
 * and the directory of agencies into the product, queries its API, and compares every figure to the satang and the day.
 * Uses ten agencies of a fixed seed and some chosen for their traps; then measures the CPU time of the responses.
 *
 *   npx node scripts/check-agency.ts [FILE] [DIRECTORY]
 *
 * Exits with 1 on a difference, and with 2 and a message if a file is missing. Uses the server of DATABASE_URL (a
 * separate database, dropped afterwards), else a throwaway PostgreSQL, else PGlite.
 */
const TODAY = '2026-11-21'
const SHARED = path.join(import.meta.dirname, '../../shared/data')
const file = process.argv[2] ?? path.join(SHARED, 'egp-2568-competitive-53736.csv.gz')
const directory = process.argv[3] ?? path.join(SHARED, 'agencies-64114.csv.gz')
for (const needed of [file, directory])
  if (!existsSync(needed)) {
    console.error(`SKIPPED: there is no file ${needed}, nothing was checked`)
    process.exit(2)
  }

type Row = CsvRow & Readonly<Record<'announce_date' | 'dept_sub_name' | 'project_type_name' | 'province', string>>
/** A request path and the projects of the file that it covers; `agencyProjects`: those of all units. */
type Question = {
  readonly what: string
  readonly address: string
  readonly projects: readonly RecomputedProject[]
  readonly agencyProjects: readonly RecomputedProject[]
}

const rowOf = ({ rows }: RecomputedProject) => rows.at(-1) as Row
const unitOf = (project: RecomputedProject) => rowOf(project).dept_sub_name.trim() || project.dept
const days = (project: RecomputedProject): number | undefined => {
  const announced = rowOf(project).announce_date
  return announced === '' || project.decidedOn === null
    ? undefined
    : (Date.parse(project.decidedOn) - Date.parse(announced)) / 86_400_000
}

function quartiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => {
    const position = (sorted.length - 1) * part
    const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!]
    return low + (position - Math.floor(position)) * (high - low)
  }
  return [sorted.length, ...[0.25, 0.5, 0.75].map((part) => (sorted.length < 5 ? null : at(part)))].join(' ')
}

const sumsBy = (
  projects: readonly RecomputedProject[],
  keyOf: (project: RecomputedProject) => string,
  isNamed: boolean,
) =>
  [...Map.groupBy(projects, keyOf)]
    .map(([key, of]) => {
      const amounts = of.flatMap(({ spent }) => spent ?? [])
      const sum = amounts.length === 0 ? null : amounts.reduce((a, b) => a + b, 0)
      return `${isNamed ? `${key} ` : ''}${of.length} ${sum}`
    })
    .sort()

/**
 * For rows without a type the product derives it from the title, which the file alone does not state; then only the sum
 * over all types is compared.
 */
const haveTypes = (projects: readonly RecomputedProject[]) =>
  projects.every((project) => rowOf(project).project_type_name !== '')

/**
 * Computes an agency's figures from the file alone. Types and methods are compared by their sums, because the product
 * uses codes for them.
 */
function expectedAnswer({ projects, agencyProjects }: Question): Record<string, unknown> {
  const { bins: _bins, months: _months, agencies: _agencies, ...figures } = recomputeFigures(projects)
  const daysToAward = projects.map(days).filter((value) => value !== undefined)
  const month = (text: string) => Number(text.slice(5, 7)) - 1
  const counted = (texts: readonly string[]) =>
    Array.from({ length: 12 }, (_, at) => texts.filter((text) => month(text) === at).length).join(' ')
  return {
    ...figures,
    types: sumsBy(projects, (project) => (haveTypes(projects) ? rowOf(project).project_type_name : ''), false),
    units: sumsBy(agencyProjects, unitOf, true),
    announced: counted(projects.flatMap((project) => rowOf(project).announce_date || [])),
    awarded: counted(
      projects.flatMap(({ decidedOn, wins }) => (wins.length > 0 && decidedOn !== null ? [decidedOn] : [])),
    ),
    speed: quartiles(daysToAward.filter((value) => value >= 0)),
    backwards: daysToAward.filter((value) => value < 0).length,
    speed_by_method: [...Map.groupBy(projects, ({ method }) => method).values()]
      .flatMap((of) => {
        const forward = of.map(days).filter((value) => value !== undefined && value >= 0)
        return forward.length === 0 ? [] : [quartiles(forward as number[])]
      })
      .sort(),
  }
}

/** Sums rows into one; empty for no rows. Amounts are summed as whole satang. */
function summed(rows: Agency['by_type']): readonly { readonly n: number; readonly value: number | null }[] {
  const amounts = rows.flatMap(({ value }) => satangOf(value) ?? [])
  const value = amounts.length === 0 ? null : amounts.reduce((a, b) => a + b, 0) / 100
  return rows.length === 0 ? [] : [{ n: rows.reduce((sum, { n }) => sum + n, 0), value }]
}

function answered(
  { figures, companies, speed, ...answer }: Agency,
  projects: readonly RecomputedProject[],
): Record<string, unknown> {
  const { n, lower, median, upper } = figures.discount
  const spread = (of: Agency['speed'] | Agency['speed']['by_method'][number]) =>
    [of.n, of.lower, of.median, of.upper].join(' ')
  return {
    projects: answer.projects,
    decided: answer.decided,
    won: answer.won,
    value: satangOf(figures.value),
    winners: figures.winners,
    against_budget: figures.against_budget,
    discount: [n, lower, median, upper].join(' '),
    companies: companies.results
      .map((row) => `${row.wins} ${satangOf(row.value)} ${row.discount.n} ${row.discount.median}`)
      .sort(),
    years: lines(answer.by_year, (at) => `${answer.by_year[at]!.year} `),
    methods: lines(answer.by_method, () => ''),
    types: lines(haveTypes(projects) ? answer.by_type : summed(answer.by_type), () => ''),
    units: lines(answer.units.results, (at) => `${answer.units.results[at]!.unit} `),
    announced: answer.announced.months.join(' '),
    awarded: answer.awarded.months.join(' '),
    speed: spread(speed),
    backwards: speed.backwards,
    speed_by_method: speed.by_method.map(spread).sort(),
  }
}

const projects = recomputeProjects(readCsv(file))
const agencies = Map.groupBy(projects, ({ dept }) => dept)
const named = (what: string, name: string, unit?: string): Question => {
  const agencyProjects = agencies.get(name) ?? []
  const projects = unit === undefined ? agencyProjects : agencyProjects.filter((project) => unitOf(project) === unit)
  const query = unit === undefined ? '' : `?${new URLSearchParams({ unit })}`
  return { what, address: `${encodeURIComponent(name)}${query}`, projects, agencyProjects }
}

function randomQuestions(): Question[] {
  const next = seeded(2568)
  const names = [...agencies.keys()].filter((name) => agencies.get(name)!.length >= 5).sort()
  return Array.from({ length: 10 }, (_, at) => {
    const name = names[Math.floor(next() * names.length)]!
    return named(`random ${at + 1}: ${name}`, name)
  })
}

function topAgencyQuestion(what: string, isTrap: (project: RecomputedProject) => boolean): Question[] {
  const count = (of: readonly RecomputedProject[]) => of.filter(isTrap).length
  const [name] = [...agencies].reduce((best, entry) => (count(entry[1]) > count(best[1]) ? entry : best), ['', []] as [
    string,
    RecomputedProject[],
  ])
  return name === '' ? [] : [named(`${what}: ${name}`, name)]
}

function trapQuestions(codes: readonly AgencyDirectoryRow[]): Question[] {
  const winners = (project: RecomputedProject) => new Set(project.rows.map(({ winner }) => winner)).size
  const [exactly5] =
    [...agencies].find(([, of]) => of.filter((project) => (days(project) ?? -1) >= 0).length === 5) ?? []
  const [exactly4] =
    [...agencies].find(([, of]) => of.filter((project) => (days(project) ?? -1) >= 0).length === 4 && of.length > 4) ??
    []
  const [biggest, ofBiggest] = [...agencies].reduce((best, entry) => (entry[1].length > best[1].length ? entry : best))
  const [signs] = [...agencies].find(([name]) => /[/"'%&+?#.]/.test(name)) ?? []
  // Agencies that share a name across provinces, of which the file has at least two.
  const local = codes.filter(({ dept_code, province }) => /^\d{7}$/.test(dept_code) && province !== '')
  const twins = local.flatMap((row) => {
    const here = agencies.get(`${row.dept_name} จ.${row.province}`)
    return here ? [{ ...row, here }] : []
  })
  const ofTwins = twins.slice(0, 4).map(
    ({ dept_code: code, dept_name: name, province, here }): Question => ({
      what: `one of several agencies with this name: ${name} ${province}`,
      address: code,
      projects: here,
      agencyProjects: here,
    }),
  )
  return [
    named(`most projects: ${biggest}`, biggest),
    named(`one unit of many: ${biggest}`, biggest, unitOf(ofBiggest[0]!)),
    ...topAgencyQuestion('several winners', (project) => winners(project) > 1),
    ...topAgencyQuestion('natural persons', ({ rows }) => rows.some(({ winner }) => winner.startsWith('บุคคลธรรมดา'))),
    ...topAgencyQuestion('signed before announced', (project) => (days(project) ?? 0) < 0),
    ...topAgencyQuestion('never announced', (project) => rowOf(project).announce_date === ''),
    ...topAgencyQuestion('no signature', ({ decidedOn }) => decidedOn === null),
    ...topAgencyQuestion('no reference price', ({ reference }) => reference === null),
    ...topAgencyQuestion('above the reference price', ({ wins, reference }) =>
      wins.some(({ value }) => reference !== null && value !== null && value > reference),
    ),
    ...topAgencyQuestion('consortia', ({ rows }) => rows.some(({ winner }) => winner.includes('กิจการร่วมค้า'))),
    ...(exactly5 ? [named(`exactly five with days: ${exactly5}`, exactly5)] : []),
    ...(exactly4 ? [named(`four with days: ${exactly4}`, exactly4)] : []),
    ...(signs ? [named(`special characters in its name: ${signs}`, signs)] : []),
    ...ofTwins,
  ]
}

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

const feed = await openFeedFile(file)
const codes = readCsv(directory) as unknown as AgencyDirectoryRow[]
let [compared, different, questionCount] = [0, 0, 0]
await withTemporaryDatabase(async (db) => {
  await seedSampleOrganisations(db, TODAY)
  await db.transaction((tx) =>
    replaceAgencyDirectory(tx, readAgencyDirectory(codes), readAgencyCodes(codes), new Date()),
  )
  await withLoadLease(db, (lease) => runLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }))
  await db.script('analyze')
  const app = await appOn(db, { settings: { reportMemoryMb: 2_048 } })
  try {
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const request = async (address: string) => await app.inject({ url: `/api/v2/agencies/${address}`, headers })
    for (const question of [...randomQuestions(), ...trapQuestions(codes)]) {
      const answer = await request(question.address)
      if (answer.statusCode !== 200) throw new Error(`${question.what}: ${answer.statusCode} ${answer.body}`)
      const [expected, actual] = [expectedAnswer(question), answered(answer.json<Agency>(), question.projects)]
      const wrong = differences(expected, actual)
      questionCount += 1
      compared += Object.keys(expected).length
      different += wrong.length
      console.log(
        `${wrong.length === 0 ? 'equal    ' : 'DIFFERENT'}  ${question.what}: ${question.projects.length} projects`,
      )
      for (const name of wrong)
        console.log(
          `  ${name}: ${JSON.stringify(expected[name])?.slice(0, 400)} / ${JSON.stringify(actual[name])?.slice(0, 400)}`,
        )
    }
    const next = seeded(7)
    const names = [...agencies.keys()].sort()
    const took: number[] = []
    for (let time = 0; time < 200; time += 1) {
      const before = process.cpuUsage()
      await request(encodeURIComponent(names[Math.floor(next() * names.length)]!))
      const { user, system } = process.cpuUsage(before)
      took.push((user + system) / 1000)
    }
    console.log(
      `200 random agencies: CPU time of this process p50 ${percentile(took, 0.5).toFixed(1)} ms, p95 ${percentile(took, 0.95).toFixed(1)} ms`,
    )
  } finally {
    await app.close()
  }
})
console.log(`${questionCount} agencies, ${compared} figures compared, ${different} different`)
process.exit(different === 0 ? 0 : 1)
