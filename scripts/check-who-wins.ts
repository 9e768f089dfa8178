import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { WhoWins } from '#contract/report/who-wins.ts'
import { openFeedFile } from '#server/features/feed/open-feed-file.ts'
import { seedSampleOrganisations } from '#server/features/sample-account/seed-sample.ts'
import { asOnlyLoader, runLoad } from '#server/jobs/run-load.ts'
import { readCsv } from '../test/company-figures.ts'
import { appOn, signIn } from '../test/server/http-app.ts'
import { inOwnDatabase } from '../test/server/own-database.ts'
import { holdsWord, type OwnProject, ownFigures, ownProjects } from '../test/won-figures.ts'

/**
 * Whether the figures of ใครชนะ are right: computes them from a CSV of contracts by itself, takes the same file in through the product, asks its API the same
 * questions about the whole market, and compares every figure to the satang. Twenty questions of a fixed seed and twenty chosen for their traps.
 *
 *   npx node scripts/check-who-wins.ts [FILE]
 *
 * Ends with 1 when one differs, and with 2, saying so, where the file is not there. Provinces are compared by their sums alone: a place named in a title wins
 * over the row's (decision 0008), which the file by itself does not say. Uses the server of DATABASE_URL (a database of its own, dropped afterwards), else a
 * throwaway PostgreSQL, else PGlite.
 */
const TODAY = '2026-11-21'
const SHARED = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const file = process.argv[2] ?? SHARED
if (!existsSync(file)) {
  console.error(`SKIPPED: there is no file ${file}, nothing was checked`)
  process.exit(2)
}

type Question = {
  readonly what: string
  readonly query: Record<string, string>
  readonly finds: (project: OwnProject) => boolean
}

/** Equal seeds give equal numbers (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Words that everybody spells in one way: which spellings a search finds beside them is the tests of the search. */
const WORDS = ['ถนน', 'คอมพิวเตอร์', 'อาคาร', 'ระบบ', 'คลอง', 'โรงพยาบาล', 'คอนกรีต', 'สะพาน', 'สนาม', 'วงจรปิด']
const SIDES = [100_000, 500_000, 1_000_000, 3_000_000, 10_000_000, 50_000_000]

function randomQuestions(): Question[] {
  const next = random(2568)
  const below = (count: number) => Math.floor(next() * count)
  return Array.from({ length: 20 }, (_, at) => {
    const word = WORDS[below(WORDS.length)]!
    const from = below(SIDES.length)
    const [min, max] = [SIDES[from]!, SIDES[from + 1 + below(SIDES.length - from - 1)] ?? null]
    const column = next() < 0.5 ? 'budget' : 'reference'
    const name = column === 'budget' ? 'project_budget__range' : 'project_estimate_budget__range'
    const isWord = next() < 0.8
    return {
      what: `random ${at + 1}: ${isWord ? word : ''} ${column} ${min}–${max ?? ''}`,
      query: { ...(isWord && { project_name__in: word }), [name]: `${min},${max ?? ''}` },
      finds: (project) => {
        const amount = project[column]
        const isIn = amount !== null && amount >= min * 100 && (max === null || amount <= max * 100)
        return isIn && (!isWord || holdsWord(project, word))
      },
    }
  })
}

/** Up to 200 projects that have a trap in them, by their numbers. */
function trapQuestions(projects: readonly OwnProject[]): Question[] {
  const winners = (project: OwnProject) => new Set(project.rows.map(({ winner }) => winner)).size
  const idsOf = Map.groupBy(
    projects.flatMap(({ rows }) => rows),
    ({ winner }) => winner,
  )
  const twoIds = new Set(
    [...idsOf].filter(([, rows]) => new Set(rows.map((row) => row.winner_tin)).size > 1).map(([name]) => name),
  )
  const namesOf = Map.groupBy(
    projects.flatMap(({ rows }) => rows),
    (row) => row.winner_tin,
  )
  const twoNames = new Set(
    [...namesOf]
      .filter(([tin, rows]) => tin !== '' && new Set(rows.map(({ winner }) => winner)).size > 1)
      .map(([tin]) => tin),
  )
  const isDearer = ({ wins, reference }: OwnProject) =>
    reference !== null && wins.some(({ value }) => value !== null && value > reference)
  const rate = ({ wins: [win], reference }: OwnProject) =>
    win?.isPriced && reference ? (reference - win.value!) / reference : null
  const traps: readonly (readonly [string, (project: OwnProject) => boolean])[] = [
    ['several winners', (project) => winners(project) > 1],
    ['more than five winners', (project) => winners(project) > 5],
    ['several contracts of one winner', (project) => project.rows.length > 1 && winners(project) === 1],
    ['consortia', ({ rows }) => rows.some(({ winner }) => winner.includes('กิจการร่วมค้า'))],
    ['ids of consortia', ({ rows }) => rows.some((row) => row.winner_tin.startsWith('D'))],
    ['natural persons', ({ rows }) => rows.some(({ winner }) => winner.startsWith('บุคคลธรรมดา'))],
    [
      'persons beside companies',
      ({ rows, wins }) => wins.length > 0 && rows.some(({ winner }) => winner.startsWith('บุคคลธรรมดา')),
    ],
    ['above the reference price', isDearer],
    ['no reference price', ({ reference }) => reference === null],
    ['a name with two ids', ({ rows }) => rows.some(({ winner }) => twoIds.has(winner))],
    ['an id with two names', ({ rows }) => rows.some((row) => twoNames.has(row.winner_tin))],
    ['ids of public bodies', ({ rows }) => rows.some((row) => row.winner_tin.startsWith('0994'))],
    ['no id', ({ rows }) => rows.some((row) => row.winner_tin === '')],
    ['no winner', ({ rows }) => rows.some(({ winner }) => winner === '')],
    ['no signature', ({ decidedOn }) => decidedOn === null],
    [
      'contracts for less than the whole',
      ({ rows, spent }) =>
        rows.some((row) => row.contract_price_agree !== '') &&
        spent !== null &&
        Math.round(Number(rows[0]!.sum_price_agree) * 100) !== spent,
    ],
    ['Thai digits', ({ name }) => /[๐-๙]/.test(name)],
    ['exactly at the reference price', (project) => rate(project) === 0],
    ['a border of the histogram', (project) => [0.02, 0.04, 0.1, 0.2, 0.3].includes(rate(project) ?? -1)],
    ['further than half below', (project) => (rate(project) ?? 0) > 0.5],
  ]
  return traps.map(([what, isIn]) => {
    const ids = projects
      .filter(isIn)
      .slice(0, 200)
      .map(({ id }) => id)
    const wanted = new Set(ids)
    // An address without numbers would ask for everything.
    const asked = ids.length === 0 ? ['0'] : ids
    return { what: `trap: ${what}`, query: { project_id__in: asked.join('||') }, finds: ({ id }) => wanted.has(id) }
  })
}

const satang = (baht: number | null) => (baht === null ? null : Math.round(baht * 100))
const lines = (of: readonly { n: number; value: number | null }[], keyOf: (at: number) => string) =>
  of.map(({ n, value }, at) => `${keyOf(at)}${n} ${satang(value)}`).sort()

/** The answer in the words of `ownFigures`. Of companies and agencies it holds the first fifty. */
function answered(answer: WhoWins): Record<string, unknown> {
  const { figures, companies, agencies, years, methods, months, discount_bins: bins } = answer
  const { n, lower, median, upper } = figures.discount
  return {
    projects: answer.projects,
    decided: answer.decided,
    won: answer.won,
    value: satang(figures.value),
    winners: figures.winners,
    against_budget: figures.against_budget,
    discount: [n, lower, median, upper].join(' '),
    bins: bins.map(({ count }) => count).join(' '),
    companies: companies.results
      .map((row) => `${row.wins} ${satang(row.value)} ${row.discount.n} ${row.discount.median}`)
      .sort(),
    agencies: lines(agencies.results, (at) => `${agencies.results[at]!.name} `),
    years: lines(years, (at) => `${years[at]!.year} `),
    methods: lines(methods, () => ''),
    months: lines(months, (at) => `${months[at]!.month} `),
  }
}

/** Lists that the answer cuts at fifty hold nothing but lines of the file; all others are the same. */
function differences(own: Record<string, unknown>, theirs: Record<string, unknown>): string[] {
  return Object.keys(own).filter((name) => {
    const [mine, shown] = [own[name], theirs[name]]
    if (!Array.isArray(mine) || !Array.isArray(shown)) return !Object.is(mine, shown)
    if (mine.length <= 50 || name === 'months')
      return JSON.stringify(mine.slice(-36)) !== JSON.stringify(shown.slice(-36))
    const left = [...mine]
    return (
      shown.length !== 50 ||
      shown.some((line) => left.splice(left.indexOf(line), left.includes(line) ? 1 : 0).length === 0)
    )
  })
}

const feed = await openFeedFile(file)
const projects = ownProjects(readCsv(file))
let [compared, different] = [0, 0]
await inOwnDatabase(async (db) => {
  await seedSampleOrganisations(db, TODAY)
  await asOnlyLoader(db, (lease) => runLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }))
  const app = await appOn(db, { settings: { reportMemoryMb: 2_048 } })
  try {
    const { headers } = await signIn(app, 'manager@tharamek.example')
    for (const { what, query, finds } of [...randomQuestions(), ...trapQuestions(projects)]) {
      const url = `/api/v2/who-wins?${new URLSearchParams({ ...query, market: 'true' })}`
      let answer = await app.inject({ url, headers })
      // The first ones come while the file is read into memory.
      for (let again = 0; answer.statusCode === 503 && again < 30; again += 1) {
        await setTimeout(2_000)
        answer = await app.inject({ url, headers })
      }
      if (answer.statusCode !== 200) throw new Error(`${what}: ${answer.statusCode} ${answer.body}`)
      const shown = answer.json<WhoWins>()
      const own = ownFigures(projects.filter(finds))
      const wrong = differences(own, answered(shown))
      const places = shown.provinces.reduce((sum, { n }) => sum + n, 0)
      if (places !== shown.decided) wrong.push('provinces')
      compared += Object.keys(own).length + 1
      different += wrong.length
      console.log(
        `${wrong.length === 0 ? 'equal    ' : 'DIFFERENT'}  ${what}: ${shown.projects} projects, ${shown.won} won`,
      )
      for (const name of wrong)
        console.log(
          `  ${name}: ${JSON.stringify(own[name])?.slice(0, 400)} / ${JSON.stringify(answered(shown)[name])?.slice(0, 400)}`,
        )
    }
  } finally {
    await app.close()
  }
})
console.log(`40 questions, ${compared} figures compared, ${different} different`)
process.exit(different === 0 ? 0 : 1)
