import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import type { SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { inferProcurementMethodType } from '#server/catalogue/feed/feed-vocabulary.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { importDataFile } from '#server/jobs/intake/import-data-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openMemoryDb } from '#server/platform/engine/open-db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import { HAS_DOUBTFUL_ESTIMATE_SQL } from '#server/platform/text/doubt-sql.ts'
import { loadNameWordExtractor } from '#server/report/project/name-word-extractor.ts'
import { computeTargetPriceComparison, discountToPriceRatio } from '#src/report/similar-prices/price-rank.ts'
import { readCsv } from '../../test/company-figures.ts'
import {
  type RecomputedTender,
  recomputeAdvice,
  recomputeTenders,
  type TenderRow,
} from '../../test/recomputed/advised-prices.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'
import { withTemporaryDatabase } from '../../test/server/own-database.ts'
import { addOrganisation, addUser } from '../../test/world/report-world.ts'
import { createSeededRandom } from '../../test/world/seeded.ts'

/**
 * Verifies price advice: computes it from a CSV of contracts independently, imports the same file into the product,
 * queries its API for the same projects, and compares circles, rows, quartiles, the band and "won k of n" to the satang. Uses
 * twenty projects of a fixed seed and twenty chosen for their traps.
 *
 *   npx node bench/figures/price-advice.ts [FILE] [--read] [--time 200] [--embedded]
 *
 * The file has no cancelled project and no reference price of zero, so a few of each are made from real rows, by the
 * same seed. `--read` prints the projects considered similar, for people to judge; `--time` measures the CPU time of
 * that many responses. Exits with 1 on a difference, and with 2 and a message if the file is missing. Uses the server
 * of DATABASE_URL (a separate database, dropped afterwards), else a throwaway PostgreSQL, else PGlite; `--embedded`:
 * PGlite directly.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    read: { type: 'boolean', default: false },
    time: { type: 'string', default: '0' },
    embedded: { type: 'boolean', default: false },
  },
})
const TODAY = '2026-11-21'
const PASSWORD = 'Tamngan#2569'
const DATA = path.join(import.meta.dirname, '../../../shared/data')
const file = positionals[0] ?? path.join(DATA, 'egp-2568-competitive-53736.csv.gz')
const directory = path.join(DATA, 'agencies-64114.csv.gz')
if (!existsSync(file) || !existsSync(directory)) {
  console.error(`SKIPPED: there is no file ${file}, or no ${directory}, nothing was checked`)
  process.exit(2)
}

const TYPES: Readonly<Record<string, string>> = {
  ซื้อ: 'buy',
  จ้างก่อสร้าง: 'construct',
  'จ้างทำของ/จ้างเหมาบริการ': 'service',
  เช่า: 'lease',
  จ้างที่ปรึกษา: 'consult',
  จ้างออกแบบ: 'design',
  จ้างควบคุมงาน: 'supervise',
  จ้างออกแบบและควบคุมงานก่อสร้าง: 'design_supervise',
}

/**
 * Adds cases that the file lacks: of every hundred projects with a reference price, one is cancelled, one has a
 * reference price of zero, one costs three times its reference price, and two have two contracts.
 */
function withTraps(rows: readonly TenderRow[]): TenderRow[] {
  const next = createSeededRandom(54)
  const fates = new Map(rows.map(({ project_id }) => [project_id, next()]))
  return rows.flatMap((row) => {
    const fate = fates.get(row.project_id)!
    if (row.price_build === '' || fate >= 0.06) return [row]
    if (fate < 0.01) return [{ ...row, project_status: 'ยกเลิกโครงการ' }]
    if (fate < 0.02) return [{ ...row, price_build: '0' }]
    if (fate < 0.03) return [{ ...row, winner_tin: '' }]
    if (fate >= 0.05) {
      const price = (Number(row.price_build) * 3).toFixed(2)
      return [{ ...row, sum_price_agree: price, contract_price_agree: price }]
    }
    const part = { ...row, contract_price_agree: '1000.01' }
    const remainder = {
      ...row,
      contract_no: `${row.contract_no}-2`,
      contract_price_agree: (Number(row.sum_price_agree) - 1000.01).toFixed(2),
    }
    const otherWinner = { winner: 'บริษัท อีกราย จำกัด', winner_tin: '' }
    return fate < 0.04 ? [part, remainder] : [part, { ...remainder, ...otherWinner }]
  })
}

async function inMemory(work: (db: OpenDb) => Promise<void>): Promise<void> {
  const db = await openMemoryDb()
  await migrateDatabase(db)
  await work(db)
  await db.close()
}

type Case = { readonly what: string; readonly project: RecomputedTender }

function casesOf(
  tenders: readonly RecomputedTender[],
  sameWord: (tender: RecomputedTender) => readonly RecomputedTender[],
): Case[] {
  const next = createSeededRandom(2568)
  const askable = tenders.filter(
    ({ words, type, rows }) => cut.namesObject(words) && type !== '' && rows[0]!.project_type_name,
  )
  const sampled = Array.from({ length: 20 }, (_, at) => ({
    what: `random ${at + 1}`,
    project: askable[Math.floor(next() * askable.length)]!,
  }))
  const rows = tenders.flatMap((tender) => tender.rows)
  const spread = (keyOf: (row: TenderRow) => string, fieldOf: (row: TenderRow) => string) =>
    new Set(
      [...Map.groupBy(rows, keyOf)]
        .filter(([key, group]) => key !== '' && new Set(group.map(fieldOf)).size > 1)
        .map(([key]) => key),
    )
  const twoIds = spread(
    ({ winner }) => winner,
    ({ winner_tin }) => winner_tin,
  )
  const twoNames = spread(
    ({ winner_tin }) => winner_tin,
    ({ winner }) => winner,
  )
  const hasRow = (isIt: (row: TenderRow) => boolean) => (tender: RecomputedTender) => tender.rows.some(isIt)
  const rateOf = ({ reference, won }: RecomputedTender) => (reference && won ? (reference - won) / reference : null)
  const traps: readonly (readonly [string, (tender: RecomputedTender) => boolean])[] = [
    [
      'several winners',
      (tender) => tender.state === 'unclear' && new Set(tender.rows.map(({ winner }) => winner)).size > 1,
    ],
    ['several contracts of one winner', (tender) => tender.rows.length > 1 && tender.state === 'priced'],
    ['contracts for another sum', (tender) => tender.rows.length === 1 && tender.state === 'unclear'],
    ['consortia', hasRow(({ winner }) => winner.includes('กิจการร่วมค้า'))],
    ['ids of consortia', hasRow(({ winner_tin }) => winner_tin.startsWith('D'))],
    ['cancelled', ({ state }) => state === 'cancelled'],
    ['a reference price of zero', ({ reference }) => reference === 0],
    [
      'no reference price',
      ({ reference, rows: tenderRows }) => reference === null && tenderRows[0]!.project_type_name !== '',
    ],
    ['above the reference price', (tender) => tender.state === 'priced' && tender.won! > tender.reference!],
    ['at the reference price', (tender) => tender.state === 'priced' && tender.won === tender.reference],
    ['exactly 10 % below', (tender) => tender.state === 'priced' && rateOf(tender) === 0.1],
    ['below by more than half', (tender) => tender.state === 'priced' && (rateOf(tender) ?? 0) > 0.5],
    ['Thai digits', ({ name }) => /[๐-๙]/.test(name)],
    ['a name with two ids', hasRow(({ winner }) => twoIds.has(winner))],
    ['an id with two names', hasRow((row) => twoNames.has(row.winner_tin))],
    ['natural persons', hasRow(({ winner }) => winner.startsWith('บุคคลธรรมดา'))],
    ['ids of public bodies', hasRow(({ winner_tin }) => winner_tin.startsWith('0994'))],
    ['no id', hasRow(({ winner_tin }) => winner_tin === '')],
    ['a local body', ({ dept }) => dept.startsWith('เทศบาล')],
    ['more than 200 alike', ({ name }) => name.includes('ซ่อมสร้างถนน')],
  ]
  const trapped = traps.flatMap(([what, isIt]) => {
    const candidates = askable.filter(isIt)
    // Prefer a project with many similar ones, because those may contain traps too.
    const busiest = candidates
      .slice(0, 300)
      .map((project) => ({
        project,
        alike: sameWord(project).filter(({ state, type }) => state === 'priced' && type === project.type).length,
      }))
      .sort((a, b) => b.alike - a.alike)
    const chosen = busiest[what.startsWith('more') ? 0 : Math.min(5, busiest.length - 1)]
    if (!chosen) console.log(`no case found for: ${what}`)
    return chosen ? [{ what: `trap: ${what}`, project: chosen.project }] : []
  })
  return [...sampled, ...trapped]
}

const satang = (baht: number) => Math.round(baht * 100)
const quartilesOf = ({
  n,
  p25,
  median,
  p75,
}: {
  n: number
  p25: number | null
  median: number | null
  p75: number | null
}) => [n, p25, median, p75].join(' ')

const bandTextOf = ({ band, no_band_reason }: SimilarProjectPrices) =>
  band === null ? no_band_reason : [band.basis, band.low, band.high, band.n].join(' ')

/** Prices to compare, as discounts from the reference price in millionths. */
const RATES = [0, 25_000, 80_000, 100_000, 300_000]

function answered(answer: SimilarProjectPrices): Record<string, unknown> {
  const { steps, results, breakdown } = answer
  return {
    steps: steps.map(({ step, n }) => `${step} ${n}`).join(', '),
    step: answer.step,
    found: answer.found,
    without_reference: answer.without_reference,
    without_clear_price: answer.without_clear_price,
    above_reference: answer.above_reference,
    quartiles: quartilesOf(answer),
    band: bandTextOf(answer),
    in_doubt: answer.amounts_in_doubt ?? 0,
    weighted: answer.weighted,
    rows: results
      .map((row) => `${row.project_id} ${satang(row.estimate_budget)} ${satang(row.winner_budget)}`)
      .join(', '),
    below: RATES.map((rate) => {
      const { winners } = computeTargetPriceComparison(discountToPriceRatio(rate / 1_000_000), results)
      return `${winners.below} of ${winners.n}`
    }),
    bands: breakdown.bands.map((band) => `${band.from ?? 0} ${quartilesOf(band)}`),
    agencies: breakdown.agencies.map(({ is_own, n }) => `${is_own} ${n}`),
    years: breakdown.years.map((year) => `${year.year} ${quartilesOf(year)}`),
  }
}

function print(project: RecomputedTender, answer: SimilarProjectPrices): void {
  console.log(`  ${project.name}\n  ${answer.scope}`)
  for (const { name, dept_name, discount, why } of [...answer.results.slice(0, 4), ...answer.results.slice(-2)])
    console.log(
      `    ${why.likeness} ${discount} ${why.words.join('|')} ×${why.times} ${dept_name}: ${name.slice(0, 130)}`,
    )
}

const rows = withTraps(readCsv(file) as TenderRow[])
const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-advice-'))
const changed = path.join(folder, 'contracts.csv')
const lines = [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))]
writeFileSync(
  changed,
  lines.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n'),
)
const cut = await loadNameWordExtractor()
let [compared, different] = [0, 0]
await (values.embedded ? inMemory : withTemporaryDatabase)(async (db: OpenDb) => {
  const organisationId = await addOrganisation(db, { words: { include: ['ซื้อ', 'จ้าง', 'เช่า', 'ประกวด'] } })
  const userId = await addUser(db, organisationId)
  const [user] = await db.query<{ email: string }>(
    sql`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}::int returning email`,
  )
  await importDataFile(db, { file: directory, source: 'egp-agencies' }, { dataDir: folder })
  const feed = await openFeedFile(changed)
  await withDataLoadLease(db, (lease) => runDataLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }))
  const ministries = new Map(
    (await db.query<{ name_key: string; ministry: string }>(sql`select name_key, ministry from agency_directory`)).map(
      ({ name_key, ministry }) => [name_key, ministry],
    ),
  )
  // Which reference prices are implausible is the import's decision, with tests of its own.
  const doubtful = new Set(
    (
      await db.query<{ project_id: string }>(
        sql`select u.project_id from project_doubts u where ${HAS_DOUBTFUL_ESTIMATE_SQL}`,
      )
    ).map(({ project_id }) => project_id),
  )
  const plausibleRows = rows.map((row) => (doubtful.has(row.project_id) ? { ...row, price_build: '' } : row))
  const tenders = recomputeTenders(plausibleRows, {
    cut,
    typeOf: (row) => TYPES[row.project_type_name] ?? inferProcurementMethodType(row.project_name),
    ministryOf: (dept) => ministries.get(toNormalisedSearchText(dept)),
  })
  const byWord = Map.groupBy(
    tenders.flatMap((tender) => tender.words.map((word) => ({ word, one: tender }))),
    ({ word }) => word,
  )
  const sameWord = ({ words }: RecomputedTender) => (byWord.get(words[0]!) ?? []).map(({ one: tender }) => tender)
  const app = await appOn(db, { now: () => new Date(`${TODAY}T05:00:00Z`) })
  try {
    const { headers } = await signIn(app, user!.email, PASSWORD)
    const fetchPrices = async (id: string) => {
      const answer = await app.inject({ url: `/api/v2/projects/${id}/similar-prices`, headers })
      if (answer.statusCode !== 200) throw new Error(`${id}: ${answer.statusCode} ${answer.body}`)
      return answer.json<SimilarProjectPrices>()
    }
    for (const { what, project } of casesOf(tenders, sameWord)) {
      const answer = await fetchPrices(project.id)
      const [expected, actual] = [
        recomputeAdvice(project, sameWord(project), { all: tenders, cut, today: TODAY, rates: RATES }),
        answered(answer),
      ]
      const wrong = Object.keys(expected).filter(
        (name) => JSON.stringify(expected[name]) !== JSON.stringify(actual[name]),
      )
      compared += Object.keys(expected).length
      different += wrong.length
      console.log(
        `${wrong.length === 0 ? 'equal    ' : 'DIFFERENT'}  ${what}: ${project.id} ${answer.step} ${answer.n} of ${answer.breakdown.n}`,
      )
      for (const name of wrong)
        console.log(
          `  ${name}: ${JSON.stringify(expected[name])?.slice(0, 400)} / ${JSON.stringify(actual[name])?.slice(0, 400)}`,
        )
      if (values.read) print(project, answer)
    }
    await time(
      tenders.filter(({ words }) => cut.namesObject(words)),
      fetchPrices,
    )
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }

  async function time(
    askable: readonly RecomputedTender[],
    fetchPrices: (id: string) => Promise<SimilarProjectPrices>,
  ): Promise<void> {
    const count = Number(values.time)
    if (count === 0) return
    const next = createSeededRandom(8)
    const used: number[] = []
    const waited: number[] = []
    for (let at = 0; at < count; at += 1) {
      const { id } = askable[Math.floor(next() * askable.length)]!
      const [before, began] = [process.cpuUsage(), performance.now()]
      await fetchPrices(id)
      const { user: userTime, system } = process.cpuUsage(before)
      used.push((userTime + system) / 1000)
      waited.push(performance.now() - began)
    }
    const formatPercentiles = (times: number[]) => {
      times.sort((a, b) => a - b)
      return [0.5, 0.95, 1].map((share) => times[Math.ceil(share * count) - 1]!.toFixed(1)).join(' / ')
    }
    // CPU time covers this process, and the database only if it is embedded. Elapsed time covers both, and other load
    // on the machine.
    console.log(
      `${db.engine}, ${count} answers, p50 / p95 / max ms: CPU ${formatPercentiles(used)}, wall clock ${formatPercentiles(waited)}`,
    )
  }
})
console.log(`${compared} figures compared, ${different} different`)
process.exit(different === 0 ? 0 : 1)
