import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { CompanyMemory } from '#server/market/company/memory/company-memory.ts'
import { AwardMemory } from '#server/market/who-wins/memory/award-memory.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { ReportMemory } from '#server/report/memory/report-memory.ts'
import { compareFigures } from '../../test/recomputed/equal-figures.ts'
import { readRawYear } from '../../test/recomputed/raw-facts.ts'
import { machineLine } from '../server/machine.ts'

/**
 * Whether all ways to a figure give the same: what companies, comparisons, agencies and ใครชนะ answer from memory and by SQL, beside plain arithmetic over the tables
 * `projects`, `contracts` and `bidders` of the same database. Companies, agencies and questions are drawn by a seed. Only reads.
 *
 *   npx node bench/figures/year.ts --database postgres://… [--seed 43] [--companies 200] [--agencies 50] [--questions 50] [--organisation CODE]
 *
 * Prints each figure that differs; ends with 1 when one does. A whole year takes about 4 GB of memory.
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
const MAX_MATCHES = 100_000
const ANSWERS_A_LINE = 100
const url = values.database ?? process.env.DATABASE_URL
if (url === undefined) throw new Error('name a database: --database postgres://…')

console.log(machineLine())
const db = createDb(await openPostgres(url))
const different = await measure(db).finally(() => db.close())
process.exit(different === 0 ? 0 : 1)

/** The organisation that is named, else the one with the most matches up to what SQL answers within its time limit: it reads every match. */
async function asker(): Promise<{
  readonly organisationId: number
  readonly userId: number
  readonly matches: number
}> {
  const [found] = await db.query<{ organisationId: number; userId: number; matches: number }>(sql`
    select o.id as "organisationId", (select min(u.id) from users u where u.organisation_id = o.id) as "userId",
      (select count(*)::int from project_matches m where m.organisation_id = o.id) as matches
    from organisations o where ${values.organisation ?? null}::text is null or o.code = ${values.organisation ?? null}::text
    order by (select count(*) from project_matches m where m.organisation_id = o.id) > ${MAX_MATCHES}::int, matches desc, o.id limit 1`)
  if (!found) throw new Error('there is no such organisation')
  return found
}

async function measure(of: Db): Promise<number> {
  const { organisationId, userId, matches } = await asker()
  const megabytes = Number(values.memory)
  const companies = new CompanyMemory(of, { megabytes })
  const awards = new AwardMemory(of, { report: new ReportMemory(of, { megabytes }), companies }, { megabytes })
  await awards.hold(organisationId, {
    organisationId,
    userId,
    today: TODAY,
    visit: undefined,
    isMarket: false,
    isSampleOnly: false,
  })
  console.log(`memory is filled; the organisation has ${matches} matches`)
  const year = await readRawYear(of)
  console.log(`${year.projects.size} projects, ${year.facts.length} facts read from the tables`)
  let [answers, figures, wrong] = [0, 0, 0]
  const draw = {
    seed: Number(values.seed),
    companies: Number(values.companies),
    agencies: Number(values.agencies),
    questions: Number(values.questions),
    marketBySql: year.projects.size <= 100_000,
  }
  const asked = { db: of, companies, awards, organisationId, userId, today: TODAY }
  for await (const { what, figures: count, unequal } of compareFigures(asked, year, draw)) {
    answers += 1
    figures += count
    wrong += unequal.length
    if (answers % ANSWERS_A_LINE === 0) console.log(`${answers} answers, ${figures} figures, ${wrong} different`)
    if (unequal.length === 0) continue
    console.log(`DIFFERENT  ${what}: ${unequal.length} of ${count}`)
    for (const line of unequal.slice(0, Number(values.shown))) console.log(`  ${line.slice(0, 400)}`)
  }
  const left = [companies.answered.sql, awards.answered.sql]
  console.log(
    `companies by memory ${companies.answered.memory}, left to SQL ${left[0]}; questions by memory ${awards.answered.memory}, left to SQL ${left[1]}`,
  )
  console.log(`seed ${draw.seed}: ${answers} answers, ${figures} figures compared, ${wrong} different`)
  await awards.stop()
  await companies.stop()
  // An answer that memory should have given and SQL gave instead would compare SQL with itself.
  return wrong + left[0]! + left[1]!
}
