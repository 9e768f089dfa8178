import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Agency } from '#contract/market/agency.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { replaceDirectory } from '#server/catalogue/department/queries.ts'
import { type DirectoryRow, readAgencyCodes, readDirectory } from '#server/catalogue/department/read-directory.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { asOnlyLoader, runLoad } from '#server/jobs/load/run-load.ts'
import { type CsvRow, readCsv } from '../test/company-figures.ts'
import { appOn, signIn } from '../test/server/http-app.ts'
import { inOwnDatabase } from '../test/server/own-database.ts'
import { differences, lines, type OwnProject, ownFigures, ownProjects, satangOf } from '../test/won-figures.ts'
import { seeded } from '../test/world/report-population.ts'

/**
 * Whether the figures of the page of an agency are right: computes them from a CSV of contracts by itself, takes the same file and the directory of agencies in
 * through the product, asks its API, and compares every figure to the satang and the day. Ten agencies of a fixed seed and some chosen for their traps; then
 * the processor time of the answers.
 *
 *   npx node scripts/check-agency.ts [FILE] [DIRECTORY]
 *
 * Ends with 1 when one differs, and with 2, saying so, where a file is not there. Uses the server of DATABASE_URL (a database of its own, dropped afterwards),
 * else a throwaway PostgreSQL, else PGlite.
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
/** What an address asks for, and the projects of the file that it is about; `whole`: those of all units. */
type Question = {
  readonly what: string
  readonly address: string
  readonly own: readonly OwnProject[]
  readonly whole: readonly OwnProject[]
}

const rowOf = ({ rows }: OwnProject) => rows.at(-1) as Row
const unitOf = (project: OwnProject) => rowOf(project).dept_sub_name.trim() || project.dept
const days = (project: OwnProject): number | undefined => {
  const announced = rowOf(project).announce_date
  return announced === '' || project.decidedOn === null
    ? undefined
    : (Date.parse(project.decidedOn) - Date.parse(announced)) / 86_400_000
}

function quartiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => {
    const place = (sorted.length - 1) * part
    const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
    return low + (place - Math.floor(place)) * (high - low)
  }
  return [sorted.length, ...[0.25, 0.5, 0.75].map((part) => (sorted.length < 5 ? null : at(part)))].join(' ')
}

const sumsBy = (projects: readonly OwnProject[], keyOf: (project: OwnProject) => string, isNamed: boolean) =>
  [...Map.groupBy(projects, keyOf)]
    .map(([key, of]) => {
      const known = of.flatMap(({ spent }) => spent ?? [])
      const sum = known.length === 0 ? null : known.reduce((a, b) => a + b, 0)
      return `${isNamed ? `${key} ` : ''}${of.length} ${sum}`
    })
    .sort()

/** Where a row says no type the product reads it from the title, which the file by itself does not say: then the sum of all types is compared. */
const saysTypes = (own: readonly OwnProject[]) => own.every((project) => rowOf(project).project_type_name !== '')

/** The figures of an agency by the file alone. Types and methods are compared by their sums: the product has codes for them. */
function ownAnswer({ own, whole }: Question): Record<string, unknown> {
  const { bins: _bins, months: _months, agencies: _agencies, ...figures } = ownFigures(own)
  const known = own.map(days).filter((one) => one !== undefined)
  const month = (text: string) => Number(text.slice(5, 7)) - 1
  const counted = (texts: readonly string[]) =>
    Array.from({ length: 12 }, (_, at) => texts.filter((text) => month(text) === at).length).join(' ')
  return {
    ...figures,
    types: sumsBy(own, (project) => (saysTypes(own) ? rowOf(project).project_type_name : ''), false),
    units: sumsBy(whole, unitOf, true),
    announced: counted(own.flatMap((project) => rowOf(project).announce_date || [])),
    awarded: counted(own.flatMap(({ decidedOn, wins }) => (wins.length > 0 && decidedOn !== null ? [decidedOn] : []))),
    speed: quartiles(known.filter((one) => one >= 0)),
    backwards: known.filter((one) => one < 0).length,
    speed_by_method: [...Map.groupBy(own, ({ method }) => method).values()]
      .flatMap((of) => {
        const forward = of.map(days).filter((one) => one !== undefined && one >= 0)
        return forward.length === 0 ? [] : [quartiles(forward as number[])]
      })
      .sort(),
  }
}

/** Rows as one; none where there are none. Amounts are summed as whole satang. */
function summed(rows: Agency['by_type']): readonly { readonly n: number; readonly value: number | null }[] {
  const known = rows.flatMap(({ value }) => satangOf(value) ?? [])
  const value = known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / 100
  return rows.length === 0 ? [] : [{ n: rows.reduce((sum, { n }) => sum + n, 0), value }]
}

/** The answer in the same words. */
function answered(
  { figures, companies, speed, ...answer }: Agency,
  own: readonly OwnProject[],
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
    types: lines(saysTypes(own) ? answer.by_type : summed(answer.by_type), () => ''),
    units: lines(answer.units.results, (at) => `${answer.units.results[at]!.unit} `),
    announced: answer.announced.months.join(' '),
    awarded: answer.awarded.months.join(' '),
    speed: spread(speed),
    backwards: speed.backwards,
    speed_by_method: speed.by_method.map(spread).sort(),
  }
}

const projects = ownProjects(readCsv(file))
const agencies = Map.groupBy(projects, ({ dept }) => dept)
const named = (what: string, name: string, unit?: string): Question => {
  const whole = agencies.get(name) ?? []
  const own = unit === undefined ? whole : whole.filter((project) => unitOf(project) === unit)
  const query = unit === undefined ? '' : `?${new URLSearchParams({ unit })}`
  return { what, address: `${encodeURIComponent(name)}${query}`, own, whole }
}

function randomQuestions(): Question[] {
  const next = seeded(2568)
  const names = [...agencies.keys()].filter((name) => agencies.get(name)!.length >= 5).sort()
  return Array.from({ length: 10 }, (_, at) => {
    const name = names[Math.floor(next() * names.length)]!
    return named(`random ${at + 1}: ${name}`, name)
  })
}

/** The agency with the most projects that have a trap in them. */
function mostOf(what: string, isTrap: (project: OwnProject) => boolean): Question[] {
  const count = (of: readonly OwnProject[]) => of.filter(isTrap).length
  const [name] = [...agencies].reduce((best, one) => (count(one[1]) > count(best[1]) ? one : best), ['', []] as [
    string,
    OwnProject[],
  ])
  return name === '' ? [] : [named(`${what}: ${name}`, name)]
}

function trapQuestions(codes: readonly DirectoryRow[]): Question[] {
  const winners = (project: OwnProject) => new Set(project.rows.map(({ winner }) => winner)).size
  const [exactly5] = [...agencies].find(([, of]) => of.filter((one) => (days(one) ?? -1) >= 0).length === 5) ?? []
  const [exactly4] =
    [...agencies].find(([, of]) => of.filter((one) => (days(one) ?? -1) >= 0).length === 4 && of.length > 4) ?? []
  const [biggest, ofBiggest] = [...agencies].reduce((best, one) => (one[1].length > best[1].length ? one : best))
  const [signs] = [...agencies].find(([name]) => /[/"'%&+?#.]/.test(name)) ?? []
  // Bodies of one name in several provinces, of which the file has at least two.
  const local = codes.filter(({ dept_code, province }) => /^\d{7}$/.test(dept_code) && province !== '')
  const twins = local.flatMap((one) => {
    const here = agencies.get(`${one.dept_name} จ.${one.province}`)
    return here ? [{ ...one, here }] : []
  })
  const ofTwins = twins.slice(0, 4).map(
    ({ dept_code: code, dept_name: name, province, here }): Question => ({
      what: `one of several of this name: ${name} ${province}`,
      address: code,
      own: here,
      whole: here,
    }),
  )
  return [
    named(`most projects: ${biggest}`, biggest),
    named(`one unit of many: ${biggest}`, biggest, unitOf(ofBiggest[0]!)),
    ...mostOf('several winners', (project) => winners(project) > 1),
    ...mostOf('natural persons', ({ rows }) => rows.some(({ winner }) => winner.startsWith('บุคคลธรรมดา'))),
    ...mostOf('signed before announced', (project) => (days(project) ?? 0) < 0),
    ...mostOf('never announced', (project) => rowOf(project).announce_date === ''),
    ...mostOf('no signature', ({ decidedOn }) => decidedOn === null),
    ...mostOf('no reference price', ({ reference }) => reference === null),
    ...mostOf('above the reference price', ({ wins, reference }) =>
      wins.some(({ value }) => reference !== null && value !== null && value > reference),
    ),
    ...mostOf('consortia', ({ rows }) => rows.some(({ winner }) => winner.includes('กิจการร่วมค้า'))),
    ...(exactly5 ? [named(`exactly five with days: ${exactly5}`, exactly5)] : []),
    ...(exactly4 ? [named(`four with days: ${exactly4}`, exactly4)] : []),
    ...(signs ? [named(`signs in its name: ${signs}`, signs)] : []),
    ...ofTwins,
  ]
}

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

const feed = await openFeedFile(file)
const codes = readCsv(directory) as unknown as DirectoryRow[]
let [compared, different, asked] = [0, 0, 0]
await inOwnDatabase(async (db) => {
  await seedSampleOrganisations(db, TODAY)
  await db.transaction((tx) => replaceDirectory(tx, readDirectory(codes), readAgencyCodes(codes), new Date()))
  await asOnlyLoader(db, (lease) => runLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }))
  await db.script('analyze')
  const app = await appOn(db, { settings: { reportMemoryMb: 2_048 } })
  try {
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const ask = async (address: string) => await app.inject({ url: `/api/v2/agencies/${address}`, headers })
    for (const question of [...randomQuestions(), ...trapQuestions(codes)]) {
      const answer = await ask(question.address)
      if (answer.statusCode !== 200) throw new Error(`${question.what}: ${answer.statusCode} ${answer.body}`)
      const [own, theirs] = [ownAnswer(question), answered(answer.json<Agency>(), question.own)]
      const wrong = differences(own, theirs)
      asked += 1
      compared += Object.keys(own).length
      different += wrong.length
      console.log(
        `${wrong.length === 0 ? 'equal    ' : 'DIFFERENT'}  ${question.what}: ${question.own.length} projects`,
      )
      for (const name of wrong)
        console.log(
          `  ${name}: ${JSON.stringify(own[name])?.slice(0, 400)} / ${JSON.stringify(theirs[name])?.slice(0, 400)}`,
        )
    }
    const next = seeded(7)
    const names = [...agencies.keys()].sort()
    const took: number[] = []
    for (let time = 0; time < 200; time += 1) {
      const before = process.cpuUsage()
      await ask(encodeURIComponent(names[Math.floor(next() * names.length)]!))
      const { user, system } = process.cpuUsage(before)
      took.push((user + system) / 1000)
    }
    console.log(
      `200 random agencies: processor time of this process p50 ${percentile(took, 0.5).toFixed(1)} ms, p95 ${percentile(took, 0.95).toFixed(1)} ms`,
    )
  } finally {
    await app.close()
  }
})
console.log(`${asked} agencies, ${compared} figures compared, ${different} different`)
process.exit(different === 0 ? 0 : 1)
