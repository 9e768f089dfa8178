import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import type { PriceBand, SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { computeMedian } from '#contract/quantile.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { importDataFile } from '#server/jobs/intake/import-data-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { loadSimilarPrices } from '#server/report/project/load-similar-prices.ts'
import { loadComparedProject } from '#server/report/project/similar-project-queries.ts'
import { getProcurementMethodGroup, toNationwideKindToken } from '#server/report/project/trait-tokens.ts'
import { withTemporaryDatabase } from '../test/server/own-database.ts'
import { addOrganisation } from '../test/world/report-world.ts'
import { createSeededRandom } from '../test/world/seeded.ts'

/**
 * Measures whether the price band contains 80 % of awards. Imports a file of contracts, draws awards by seed, requests
 * the band of each from the work that was decided before its day, and counts how many awards are inside: in all, by
 * method, scope and number of prices.
 *
 *   npx node bench/price-band.ts [FILE] [--half development] [--count 2000]
 *
 * The seed draws two halves without a common award. The constants of `server/report/project/price-band.ts` were chosen
 * on `development`; figures are those of `report`, the default. Exits with 1 if one of the targets is missed, and with
 * 2 if the file is missing. Uses the server of DATABASE_URL (a separate database, dropped afterwards), else a throwaway
 * PostgreSQL.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { half: { type: 'string', default: 'report' }, count: { type: 'string', default: '2000' } },
})
const SEED = 25680
const MIN_METHOD_AWARDS = 200
const DATA = path.join(import.meta.dirname, '../../shared/data')
const file = positionals[0] ?? path.join(DATA, 'egp-2568-competitive-53736.csv.gz')
const directory = path.join(DATA, 'agencies-64114.csv.gz')
if (!existsSync(file) || !existsSync(directory)) {
  console.error(`SKIPPED: there is no file ${file}, or no ${directory}, nothing was measured`)
  process.exit(2)
}

type Award = {
  readonly project_id: string
  readonly method: string
  readonly method_type: string
  readonly decided_on: string
  readonly estimate_satang: number
  readonly winner_satang: number
  readonly tokens: readonly number[]
}
type Outcome = {
  readonly award: Award
  readonly step: SimilarProjectPrices['step']
  readonly band: PriceBand | null
  readonly isInside: boolean
}

/** Returns the awards that the band is about: one winner, a reference price, and a price of at most twice that. */
async function loadAwards(db: Db): Promise<Award[]> {
  const awards = await db.query<Award>(sql`
    select t.project_id, p.method, p.method_type, t.decided_on, t.estimate_satang, t.winner_satang, t.tokens
    from project_traits t join projects p on p.project_id = t.project_id
    where t.estimate_satang > 0 and t.winner_satang <= 2 * t.estimate_satang and t.decided_on is not null
    order by t.project_id`)
  return awards.filter(({ method, method_type, tokens }) =>
    tokens.includes(
      toNationwideKindToken({
        methodType: method_type,
        methodGroup: getProcurementMethodGroup(method),
        price: 'priced',
      }),
    ),
  )
}

function drawHalf(awards: readonly Award[], count: number): readonly Award[] {
  const next = createSeededRandom(SEED)
  const drawn = awards
    .map((award) => ({ award, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ award }) => award)
  return values.half === 'development' ? drawn.slice(0, count) : drawn.slice(count, 2 * count)
}

async function tryBand(db: Db, award: Award, organisationId: number): Promise<Outcome | undefined> {
  const project = await loadComparedProject(db, award.project_id, organisationId)
  if (project === undefined) return undefined
  const { step, band } = await loadSimilarPrices(db, project, {
    organisationId,
    today: award.decided_on,
    decidedBefore: award.decided_on,
  })
  const discount = (award.estimate_satang - award.winner_satang) / award.estimate_satang
  return { award, step, band, isInside: band !== null && discount >= band.low && discount <= band.high }
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
const widthOf = ({ band }: Outcome) => (band!.high - band!.low) * 100
const insideShare = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ isInside }) => isInside).length / outcomes.length

function printGroups(title: string, outcomes: readonly Outcome[], keyOf: (outcome: Outcome) => string): void {
  console.log(title)
  for (const [key, group] of [...Map.groupBy(outcomes, keyOf)].sort(([, a], [, b]) => b.length - a.length))
    console.log(
      `  ${key}: ${group.length} awards, ${percent(insideShare(group), 1)} inside, median width ${computeMedian(group.map(widthOf))!.toFixed(1)}`,
    )
}

function sizeClass(n: number): string {
  if (n < 12) return '9–11 prices'
  if (n < 20) return '12–19 prices'
  return n < 50 ? '20–49 prices' : '50 prices or more'
}

const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-band-'))
const missed: string[] = []
await withTemporaryDatabase(async (db: OpenDb) => {
  const organisationId = await addOrganisation(db, { words: { include: ['ซื้อ', 'จ้าง', 'เช่า', 'ประกวด'] } })
  await importDataFile(db, { file: directory, source: 'egp-agencies' }, { dataDir: folder })
  const feed = await openFeedFile(file)
  await withDataLoadLease(db, (lease) =>
    runDataLoad(db, lease, feed.source, { ...feed, origin: 'file', today: '2026-11-21' }),
  )
  await db.script('analyze')
  const drawn = drawHalf(await loadAwards(db), Number(values.count))
  const outcomes: Outcome[] = []
  for (const award of drawn) {
    const outcome = await tryBand(db, award, organisationId)
    if (outcome) outcomes.push(outcome)
  }
  report(outcomes)
})
rmSync(folder, { recursive: true })
if (missed.length > 0) console.log(`MISSED: ${missed.join('; ')}`)
process.exit(missed.length === 0 ? 0 : 1)

function report(outcomes: readonly Outcome[]): void {
  const banded = outcomes.filter(({ band }) => band !== null)
  const width = computeMedian(banded.map(widthOf))!
  const without = (outcomes.length - banded.length) / outcomes.length
  console.log(
    `${outcomes.length} awards (${values.half}): ${percent(insideShare(banded), 1)} inside, median width ${width.toFixed(1)} points, ${percent(without, 1)} without a band`,
  )
  printGroups('by method', banded, ({ award }) => award.method)
  printGroups('by scope', banded, ({ band, step }) => (band!.basis === 'agency' ? 'other work of the agency' : step!))
  printGroups('by number of prices', banded, ({ band }) => sizeClass(band!.n))
  const check = (isMet: boolean, target: string) => {
    if (!isMet) missed.push(target)
  }
  const isNear80 = (share: number) => share >= 0.78 && share <= 0.82
  check(isNear80(insideShare(banded)), '78–82 % inside')
  for (const [method, group] of Map.groupBy(banded, ({ award }) => award.method))
    check(group.length < MIN_METHOD_AWARDS || isNear80(insideShare(group)), `78–82 % inside of ${method}`)
  check(width <= 10, 'a median width of 10 points')
  check(without <= 0.35, '35 % without a band')
}
