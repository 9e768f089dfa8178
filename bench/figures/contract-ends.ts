import { existsSync } from 'node:fs'
import path from 'node:path'
import sql from 'sql-template-tag'
import { type ContractEnds, contractEndListSchema } from '#contract/catalogue/contract-ends-list.ts'
import type { ReportFacets, ReportPageResponse, ReportProjectIds } from '#contract/report/report.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import { readCsv } from '../../test/company-figures.ts'
import { containsWord } from '../../test/recomputed/won-figures.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'
import { withTemporaryDatabase } from '../../test/server/own-database.ts'
import { addOrganisation, addUser } from '../../test/world/report-world.ts'
import { createSeededRandom } from '../../test/world/seeded.ts'

/**
 * Verifies ending contracts: finds them in a CSV of contracts independently, imports the same file into the product for
 * an organisation that watches everything, and sends its report, the filter counts and the contract list the same
 * queries for many days. Uses twenty questions of a fixed seed and twenty chosen for their traps.
 *
 *   npx node bench/figures/contract-ends.ts [FILE]
 *
 * Exits with 1 on a difference, and with 2 and a message if the file is missing. Uses the server of DATABASE_URL (a
 * separate database, dropped afterwards), else a throwaway PostgreSQL, else PGlite.
 */
const LOADED = '2026-11-21'
const SHARED = path.join(import.meta.dirname, '../../../shared/data/egp-2568-competitive-53736.csv.gz')
const file = process.argv[2] ?? SHARED
if (!existsSync(file)) {
  console.error(`SKIPPED: there is no file ${file}, nothing was checked`)
  process.exit(2)
}

type Contract = {
  readonly project: string
  readonly name: string
  readonly signed: string
  readonly end: string
  readonly status: string
  readonly satang: number | null
}

type Row = Readonly<
  Record<keyof ReturnType<typeof readCsv>[number] | 'contract_no' | 'contract_finish_date' | 'contract_status', string>
>

/** Returns the contracts of the file. Of several rows with one contract number in one project, the last wins. */
function contractsOf(rows: readonly Row[]): Contract[] {
  const byNumber = new Map<string, Contract>()
  for (const row of rows)
    byNumber.set(`${row.project_id} ${row.contract_no.trim()}`, {
      project: row.project_id,
      name: row.project_name,
      signed: row.contract_date,
      end: row.contract_finish_date,
      status: row.contract_status,
      satang: row.contract_price_agree === '' ? null : Math.round(Number(row.contract_price_agree) * 100),
    })
  return [...byNumber.values()]
}

const OVER = ['สิ้นสุดสัญญา', 'แล้วเสร็จตามสัญญา', 'ส่งงานครบถ้วน', 'ยกเลิกสัญญา']
const isUnderWay = ({ signed, end, status }: Contract) =>
  end !== '' && (signed === '' || end >= signed) && !OVER.includes(status)

type Question = {
  readonly what: string
  readonly today: string
  readonly days: number
  readonly word?: string
}

const WORDS = ['ถนน', 'คอมพิวเตอร์', 'อาคาร', 'ระบบ', 'โรงพยาบาล', 'คอนกรีต', 'เช่า', 'รักษาความปลอดภัย']

function randomQuestions(): Question[] {
  const next = createSeededRandom(56)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!
  return Array.from({ length: 20 }, (_, at) => {
    const today = addDays('2024-12-01', Math.floor(next() * 900))
    const days = pick([1, 7, 30, 45, 60, 90, 180, 365, 730])
    const word = next() < 0.6 ? pick(WORDS) : undefined
    return { what: `random ${at + 1}`, today, days, ...(word && { word }) }
  })
}

function trapQuestions(contracts: readonly Contract[]): Question[] {
  const perProject = Map.groupBy(contracts, ({ project }) => project)
  const lasts = ({ signed, end }: Contract) => (Date.parse(end) - Date.parse(signed)) / 86_400_000
  const traps: readonly (readonly [string, (contract: Contract) => boolean])[] = [
    ['ends before it was signed', ({ signed, end }) => signed !== '' && end !== '' && end < signed],
    ['over according to its e-GP status', ({ status, end }) => OVER.includes(status) && end !== ''],
    ['no signature', ({ signed, end }) => signed === '' && end !== ''],
    ['ends on the day of its signature', ({ signed, end }) => end !== '' && end === signed],
    ['no status', ({ status, end }) => status === '' && end !== ''],
    ['no price', ({ satang, end }) => satang === null && end !== ''],
    ['several contracts', ({ project, end }) => end !== '' && perProject.get(project)!.length > 1],
    ['many contracts', ({ project, end }) => end !== '' && perProject.get(project)!.length > 2],
    ['longer than five years', (contract) => contract.end !== '' && contract.signed !== '' && lasts(contract) > 1_825],
    [
      'longer than twenty years',
      (contract) => contract.end !== '' && contract.signed !== '' && lasts(contract) > 7_300,
    ],
    ['Thai digits in the name', ({ name, end }) => end !== '' && /[๐-๙]/.test(name)],
    ['a leap day', ({ end }) => end.endsWith('-02-29')],
    ['the last day of a year', ({ end }) => end.endsWith('-12-31')],
  ]
  const trapCases = traps.flatMap(([what, isIn]): Question[] => {
    const contract = contracts.find(isIn)
    return contract ? [{ what: `trap: ${what}`, today: contract.end, days: 1 }] : []
  })
  const end = contracts.find(({ end: day }) => day.startsWith('2027'))!.end
  return [
    ...trapCases,
    { what: 'trap: the last day of the window', today: addDays(end, -30), days: 30 },
    { what: 'trap: a day after the window', today: addDays(end, -31), days: 30 },
    { what: 'trap: the day itself', today: end, days: 1 },
    { what: 'trap: the day after', today: addDays(end, 1), days: 1 },
    { what: 'trap: the widest window', today: '2026-11-23', days: 730 },
    { what: 'trap: long before the data', today: '2015-01-01', days: 730 },
    { what: 'trap: after the data', today: '2060-01-01', days: 730 },
  ].slice(0, 20)
}

const contracts = contractsOf(readCsv(file) as unknown as Row[])
const feed = await openFeedFile(file)
const PASSWORD = 'Tamngan#2569'
let [compared, different] = [0, 0]

await withTemporaryDatabase(async (db) => {
  const organisation = await addOrganisation(db, { words: { include: ['<<ไม่มีคำนี้แน่นอน'] } })
  const user = await addUser(db, organisation)
  const [account] = await db.query<{ email: string }>(
    sql`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${user}::int returning email`,
  )
  await withDataLoadLease(db, (lease) =>
    runDataLoad(db, lease, feed.source, { ...feed, origin: 'file', today: LOADED }),
  )
  let now = new Date()
  const app = await appOn(db, { settings: { reportMemoryMb: 2_048 }, now: () => now })
  try {
    for (const question of [...randomQuestions(), ...trapQuestions(contracts)]) {
      const { what, today, days, word } = question
      // The clock is set to 08:00 in Bangkok.
      now = new Date(`${today}T01:00:00Z`)
      const session = await signIn(app, account!.email, PASSWORD)
      const wrong = await check(app, session, question)
      compared += wrong.compared
      different += wrong.names.length
      const summary = `${wrong.contracts} contracts of ${wrong.projects} projects`
      console.log(
        `${wrong.names.length === 0 ? 'equal    ' : 'DIFFERENT'}  ${what}: ${today} + ${days} ${word ?? ''}: ${summary}`,
      )
      for (const name of wrong.names) console.log(`  ${name}`)
    }
  } finally {
    await app.close()
  }
})
console.log(`${compared} figures compared, ${different} different`)
process.exit(different === 0 ? 0 : 1)

async function check(app: Awaited<ReturnType<typeof appOn>>, { headers }: SignedIn, { today, days, word }: Question) {
  const get = async <T>(route: string, query: Record<string, string>): Promise<T> => {
    const answer = await app.inject({ url: `/api/v2/${route}?${new URLSearchParams(query)}`, headers })
    if (answer.statusCode !== 200) throw new Error(`${route}: ${answer.statusCode} ${answer.body}`)
    return answer.json<T>()
  }
  const within = (maxDays: number) =>
    contracts.filter(
      (contract) =>
        isUnderWay(contract) &&
        contract.end >= today &&
        contract.end <= addDays(today, maxDays) &&
        (word === undefined || containsWord(contract, word)),
    )
  const projectsOf = (of: readonly Contract[]) => new Set(of.map(({ project }) => project))
  const expected = within(days)
  const query = { ends_within: String(days), ...(word && { project_name__in: word }) }
  const page = await get<ReportPageResponse>('projects', query)
  const delivered = await get<ReportPageResponse>('projects', { ...query, is_archived: 'true' })
  const ids = await get<ReportProjectIds>('projects/ids', query)
  const facets = await get<ReportFacets>('projects/facets', word ? { project_name__in: word } : {})
  const list = contractEndListSchema.parse(await get<ContractEnds>('contract-ends', query))
  const priced = expected.flatMap(({ satang }) => satang ?? [])
  const counts = new Map(facets.options.ends_within!.map(({ value, count }) => [value, count]))
  const figures: readonly (readonly [string, unknown, unknown])[] = [
    ['projects of the report', projectsOf(expected).size, page.total_project],
    [
      'ids',
      ids.total > 1_000 ? ids.total : [...projectsOf(expected)].sort().join(),
      ids.total > 1_000 ? projectsOf(expected).size : ids.ids.toSorted().join(),
    ],
    ['contracts', expected.length, list.total],
    ['projects of the list', projectsOf(expected).size, list.projects],
    ['known prices', priced.length, list.n_value],
    [
      'their sum',
      priced.reduce((sum, satang) => sum + satang, 0),
      list.value === null ? 0 : Math.round(list.value * 100),
    ],
    [
      'first ends',
      expected
        .map(({ end }) => end)
        .sort()
        .slice(0, 20)
        .join(),
      list.results.map(({ end_date: end }) => end).join(),
    ],
    ['delivered is a subset of all', true, delivered.total_project <= page.total_project],
    ...[30, 60, 90, 180].map(
      (maxDays) =>
        [`beside ${maxDays} days`, projectsOf(within(maxDays)).size, counts.get(String(maxDays)) ?? 0] as const,
    ),
  ]
  const names = figures.flatMap(([name, expectedValue, actualValue]) =>
    expectedValue === actualValue
      ? []
      : [`${name}: ${String(expectedValue).slice(0, 200)} / ${String(actualValue).slice(0, 200)}`],
  )
  return { names, compared: figures.length, contracts: list.total, projects: list.projects }
}
