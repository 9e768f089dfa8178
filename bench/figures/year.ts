import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { MAX_SCANNED_PROJECTS } from '#server/market/who-wins/find-in-market.ts'
import { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { openReportMemory } from '#server/report/report-engine.ts'
import { compareFigures } from '../../test/recomputed/equal-figures.ts'
import { readRawYear } from '../../test/recomputed/raw-facts.ts'
import { describeMachine } from '../server/machine.ts'

/**
 * Checks that every path to a figure agrees: what companies, comparisons, agencies and ใครชนะ answer from memory and by
 * SQL against plain arithmetic over the tables `projects`, `contracts` and `bidders` of the same database. Companies,
 * agencies and queries are drawn by a seed. Read-only. Prints each figure that differs and then exits with 1. A whole
 * year takes about 4 GB of memory.
 *
 *   npx node bench/figures/year.ts --database postgres://… [--seed 43] [--companies 200] [--agencies 50] [--questions 50] [--organisation CODE]
 */
const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    organisation: { type: 'string' },
    seed: { type: 'string', default: '43' },
    companies: { type: 'string', default: '200' },
    agencies: { type: 'string', default: '50' },
    questions: { type: 'string', default: '50' },
    memory: { type: 'string', default: '3000' },
    shown: { type: 'string', default: '12' },
  },
})
const TODAY = '2026-11-21'
const ANSWERS_A_LINE = 100
const url = values.database ?? process.env.DATABASE_URL
if (url === undefined) throw new Error('pass a database: --database postgres://…')

console.log(describeMachine())
const db = createDb(await openPostgres(url))
const different = await measure(db).finally(() => db.close())
process.exit(different === 0 ? 0 : 1)

/**
 * Returns the organisation named on the command line. Otherwise returns the one with the most matches that SQL does not
 * refuse.
 */
async function asker(): Promise<{
  readonly organisationId: number
  readonly userId: number
  readonly matches: number
}> {
  const [organisation] = await db.query<{ organisationId: number; userId: number; matches: number }>(sql`
    select o.id as "organisationId", (select min(u.id) from users u where u.organisation_id = o.id) as "userId",
      (select count(*)::int from project_matches m where m.organisation_id = o.id) as matches
    from organisations o where ${values.organisation ?? null}::text is null or o.code = ${values.organisation ?? null}::text
    order by (select count(*) from project_matches m where m.organisation_id = o.id) > ${MAX_SCANNED_PROJECTS}::int, matches desc, o.id limit 1`)
  if (!organisation) throw new Error('organisation not found')
  return organisation
}

async function measure(of: Db): Promise<number> {
  const { organisationId, userId, matches } = await asker()
  const megabytes = Number(values.memory)
  const companies = new CompanyFactCache(of, { megabytes })
  const awards = new AwardCache(of, { report: openReportMemory(of, { megabytes }), companies }, { megabytes })
  await awards.load(organisationId, {
    organisationId,
    userId,
    today: TODAY,
    visit: undefined,
    isMarket: false,
  })
  console.log(`memory cache loaded; the organisation has ${matches} matches`)
  const year = await readRawYear(of)
  console.log(`${year.projects.size} projects, ${year.facts.length} facts read from the tables`)
  let [answers, figures, wrong] = [0, 0, 0]
  const draw = {
    seed: Number(values.seed),
    companies: Number(values.companies),
    agencies: Number(values.agencies),
    questions: Number(values.questions),
  }
  const context = { db: of, companies, awards, organisationId, userId, today: TODAY }
  for await (const { what, figures: count, unequal } of compareFigures(context, year, draw)) {
    answers += 1
    figures += count
    wrong += unequal.length
    if (answers % ANSWERS_A_LINE === 0) console.log(`${answers} responses, ${figures} figures, ${wrong} different`)
    if (unequal.length === 0) continue
    console.log(`DIFFERENT  ${what}: ${unequal.length} of ${count}`)
    for (const line of unequal.slice(0, Number(values.shown))) console.log(`  ${line.slice(0, 400)}`)
  }
  const left = [companies.answered.sql, awards.answered.sql]
  console.log(
    `companies from memory ${companies.answered.memory}, by SQL ${left[0]}; award queries from memory ${awards.answered.memory}, by SQL ${left[1]}`,
  )
  console.log(`seed ${draw.seed}: ${answers} responses, ${figures} figures compared, ${wrong} different`)
  await awards.stop()
  await companies.stop()
  // If SQL answered a query that memory should have answered, SQL was compared with itself, so this counts as wrong.
  return wrong + left[0]! + left[1]!
}
