import { isDeepStrictEqual, parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { asOnlyLoader, runLoad } from '#server/jobs/load/run-load.ts'
import { CompanyMemory } from '#server/market/company/memory/company-memory.ts'
import { answerAwards } from '#server/market/who-wins/answer-awards.ts'
import type { WinScope } from '#server/market/who-wins/awards.ts'
import { AwardMemory } from '#server/market/who-wins/memory/award-memory.ts'
import { presentWhoWins } from '#server/market/who-wins/present.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { tidyUpAfterLoad } from '#server/platform/engine/tidy-up.ts'
import { ReportMemory } from '#server/report/memory/report-memory.ts'
import { inOwnDatabase } from '../../test/server/own-database.ts'
import { machineLine } from '../server/machine.ts'

/**
 * ใครชนะ over a whole fiscal year: each question of our projects and of the whole market, one after the other, from memory; those of ours once by SQL too, and
 * the answers held against each other.
 *
 *   npx node bench/who-wins/year.ts FILE.csv [--rounds 5]
 *
 * FILE holds CGD contracts: `xz -dk` of egp-2568-all-1388312.csv.xz. Nothing is warmed up: the first round counts too.
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
if (file === undefined) throw new Error('name a CSV of contracts')

console.log(machineLine())
await inOwnDatabase(async (db) => {
  const feed = await openFeedFile(file)
  await seedSampleOrganisations(db, TODAY)
  const started = performance.now()
  await asOnlyLoader(db, (lease) => runLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }))
  await tidyUpAfterLoad(db)
  console.log(`loaded in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await measure(db)
})

async function measure(db: OpenDb): Promise<void> {
  const [largest] = await db.query<{ organisation: number; matches: number; user: number }>(sql`
    select m.organisation_id as organisation, count(*)::int as matches, (select min(u.id) from users u where u.organisation_id = m.organisation_id) as user
    from project_matches m group by m.organisation_id order by count(*) desc limit 1`)
  const { organisation, matches, user } = largest!
  const ours: WinScope = {
    organisationId: organisation,
    userId: user,
    today: TODAY,
    visit: undefined,
    isMarket: false,
    isSampleOnly: false,
  }
  const megabytes = Number(values.memory)
  const memory = new AwardMemory(
    db,
    { report: new ReportMemory(db, { megabytes }), companies: new CompanyMemory(db, { megabytes }) },
    { megabytes },
  )
  const before = process.memoryUsage().rss
  const started = performance.now()
  await memory.hold(organisation, ours)
  console.log(
    `held in ${((performance.now() - started) / 1000).toFixed(1)} s, ${Math.round((process.memoryUsage().rss - before) / 2 ** 20)} MB, ${matches} matches`,
  )
  for (const scope of [ours, { ...ours, isMarket: true }]) {
    const taken: number[] = []
    for (let round = 0; round < Number(values.rounds); round += 1)
      for (const flat of QUESTIONS) {
        const { search } = parseReportSearch(flat)
        const ask = (source: Parameters<typeof answerAwards>[0]) =>
          answerAwards(source, search, scope, (awards) => presentWhoWins(db, awards, { rank: 'value', scope }))
        const askedAt = performance.now()
        const answer = await ask({ db, memory })
        const ms = performance.now() - askedAt
        taken.push(ms)
        if (round === 0)
          console.log(`  ${ms.toFixed(0).padStart(5)} ms  ${JSON.stringify(flat)} ${answer.projects} projects`)
        if (round === 0 && !scope.isMarket && !isDeepStrictEqual(answer, await ask({ db })))
          console.log(`  DIFFERENT by SQL: ${JSON.stringify(flat)}`)
      }
    taken.sort((a, b) => a - b)
    const at = (part: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * part))]!.toFixed(0)
    console.log(
      `${scope.isMarket ? 'whole market' : 'ours'}: median ${at(0.5)} ms, p95 ${at(0.95)}, most ${at(1)}; by memory ${memory.answered.memory}, by SQL ${memory.answered.sql}`,
    )
  }
  await memory.stop()
}
