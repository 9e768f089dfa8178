import { isDeepStrictEqual, parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import type { WhoWinsScope } from '#server/market/who-wins/award-set.ts'
import { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import { presentWhoWins } from '#server/market/who-wins/present-who-wins.ts'
import { withAwards } from '#server/market/who-wins/with-awards.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { vacuumAfterDataLoad } from '#server/platform/engine/vacuum-after-data-load.ts'
import { openReportMemory } from '#server/report/report-engine.ts'
import { withTemporaryDatabase } from '../../test/server/own-database.ts'
import { describeMachine } from '../server/machine.ts'

/**
 * ใครชนะ over a whole fiscal year: runs each query on our projects and on the whole market, one after the other, from
 * memory; those on our projects once by SQL too, to compare the answers.
 *
 *   npx node bench/who-wins/year.ts FILE.csv [--rounds 5]
 *
 * FILE holds CGD contracts: `xz -dk` of egp-2568-all-1388312.csv.xz. There is no warm-up: the first round counts too.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, memory: { type: 'string', default: '1500' } },
})
const TODAY = '2026-11-21'
const QUESTIONS: readonly Record<string, string>[] = [
  {},
  { project_name__in: 'กล้องวงจรปิด' },
  { project_search__in: 'คอมพิวเตอร์' },
  { project_name__in: 'ถนน##คอนกรีต' },
  { project_name__in: 'น้ำ' },
  { project_method__in: 'e_bidding' },
  { project_province__in: 'northeast' },
  { project_province__in: 'northeast', project_name__in: 'กล้อง' },
  { project_budget__range: '1000000,5000000' },
  { project_dept_sub__in: 'กรมทางหลวง' },
  { project_winner_name__in: 'ก่อสร้าง' },
  { project_method__in: 'specific', project_name__in: 'วัสดุสำนักงาน' },
]
const file = positionals[0]
if (file === undefined) throw new Error('pass a CSV file of contracts as an argument')

console.log(describeMachine())
await withTemporaryDatabase(async (db) => {
  const feed = await openFeedFile(file)
  await seedSampleOrganisations(db, TODAY)
  const started = performance.now()
  await withDataLoadLease(db, (lease) => runDataLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }))
  await vacuumAfterDataLoad(db)
  console.log(`loaded in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await measure(db)
})

async function measure(db: OpenDb): Promise<void> {
  const [largest] = await db.query<{ organisation: number; matches: number; user: number }>(sql`
    select m.organisation_id as organisation, count(*)::int as matches, (select min(u.id) from users u where u.organisation_id = m.organisation_id) as user
    from project_matches m group by m.organisation_id order by count(*) desc limit 1`)
  const { organisation, matches, user } = largest!
  const ours: WhoWinsScope = {
    organisationId: organisation,
    userId: user,
    today: TODAY,
    visit: undefined,
    isMarket: false,
  }
  const megabytes = Number(values.memory)
  const memory = new AwardCache(
    db,
    { report: openReportMemory(db, { megabytes }), companies: new CompanyFactCache(db, { megabytes }) },
    { megabytes },
  )
  const before = process.memoryUsage().rss
  const started = performance.now()
  await memory.load(organisation, ours)
  console.log(
    `cached in ${((performance.now() - started) / 1000).toFixed(1)} s, ${Math.round((process.memoryUsage().rss - before) / 2 ** 20)} MB, ${matches} matches`,
  )
  for (const scope of [ours, { ...ours, isMarket: true }]) {
    const taken: number[] = []
    for (let round = 0; round < Number(values.rounds); round += 1)
      for (const flat of QUESTIONS) {
        const { search } = parseReportSearch(flat)
        const runQuery = (source: Parameters<typeof withAwards>[0]) =>
          withAwards(source, search, scope, (awards) => presentWhoWins(db, awards, { rank: 'value', scope }))
        const startedAt = performance.now()
        const answer = await runQuery({ db, memory })
        const ms = performance.now() - startedAt
        taken.push(ms)
        if (round === 0)
          console.log(`  ${ms.toFixed(0).padStart(5)} ms  ${JSON.stringify(flat)} ${answer.projects} projects`)
        if (round === 0 && !scope.isMarket && !isDeepStrictEqual(answer, await runQuery({ db })))
          console.log(`  DIFFERENT by SQL: ${JSON.stringify(flat)}`)
      }
    taken.sort((a, b) => a - b)
    const at = (part: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * part))]!.toFixed(0)
    console.log(
      `${scope.isMarket ? 'whole market' : 'ours'}: median ${at(0.5)} ms, p95 ${at(0.95)}, max ${at(1)}; from memory ${memory.answered.memory}, by SQL ${memory.answered.sql}`,
    )
  }
  await memory.stop()
}
