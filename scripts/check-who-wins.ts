import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { WhoWins } from '#contract/market/who-wins.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { runLoad, withLoadLease } from '#server/jobs/load/run-load.ts'
import { readCsv } from '../test/company-figures.ts'
import { randomQuestions, trapQuestions } from '../test/recomputed/won-questions.ts'
import { appOn, signIn } from '../test/server/http-app.ts'
import { withTemporaryDatabase } from '../test/server/own-database.ts'
import { differences, lines, recomputeFigures, recomputeProjects, satangOf } from '../test/won-figures.ts'

/**
 * Verifies the figures of ใครชนะ: computes them from a CSV of contracts independently, imports the same file into the
 * product, sends its API the same queries about the whole market, and compares every figure to the satang. Uses twenty
 * questions of a fixed seed and twenty chosen for their traps.
 *
 *   npx node scripts/check-who-wins.ts [FILE]
 *
 * Exits with 1 on a difference, and with 2 and a message if the file is missing. Provinces are compared only by their
 * sum: the product prefers a place named in the title over the row's province, which is the purchasing unit's address.
 * Uses the server of DATABASE_URL (a separate database, dropped afterwards), else a throwaway PostgreSQL, else PGlite.
 */
const TODAY = '2026-11-21'
const SHARED = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const file = process.argv[2] ?? SHARED
if (!existsSync(file)) {
  console.error(`SKIPPED: there is no file ${file}, nothing was checked`)
  process.exit(2)
}

/** Converts the response to the shape of `recomputeFigures`, with the first fifty companies and agencies. */
function answered(answer: WhoWins): Record<string, unknown> {
  const { figures, companies, agencies, years, methods, months, discount_bins: bins } = answer
  const { n, lower, median, upper } = figures.discount
  return {
    projects: answer.projects,
    decided: answer.decided,
    won: answer.won,
    value: satangOf(figures.value),
    winners: figures.winners,
    against_budget: figures.against_budget,
    discount: [n, lower, median, upper].join(' '),
    bins: bins.map(({ count }) => count).join(' '),
    companies: companies.results
      .map((row) => `${row.wins} ${satangOf(row.value)} ${row.discount.n} ${row.discount.median}`)
      .sort(),
    agencies: lines(agencies.results, (at) => `${agencies.results[at]!.name} `),
    years: lines(years, (at) => `${years[at]!.year} `),
    methods: lines(methods, () => ''),
    months: lines(months, (at) => `${months[at]!.month} `),
  }
}

const feed = await openFeedFile(file)
const projects = recomputeProjects(readCsv(file))
let [compared, different] = [0, 0]
await withTemporaryDatabase(async (db) => {
  await seedSampleOrganisations(db, TODAY)
  await withLoadLease(db, (lease) => runLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }))
  const app = await appOn(db, { settings: { reportMemoryMb: 2_048 } })
  try {
    const { headers } = await signIn(app, 'manager@tharamek.example')
    for (const { what, query, finds } of [...randomQuestions(), ...trapQuestions(projects)]) {
      const url = `/api/v2/who-wins?${new URLSearchParams({ ...query, market: 'true' })}`
      let answer = await app.inject({ url, headers })
      // The first requests arrive while the file is still being read into memory.
      for (let again = 0; answer.statusCode === 503 && again < 30; again += 1) {
        await setTimeout(2_000)
        answer = await app.inject({ url, headers })
      }
      if (answer.statusCode !== 200) throw new Error(`${what}: ${answer.statusCode} ${answer.body}`)
      const figures = answer.json<WhoWins>()
      const expected = recomputeFigures(projects.filter(finds))
      const wrong = differences(expected, answered(figures))
      const provinceTotal = figures.provinces.reduce((sum, { n }) => sum + n, 0)
      if (provinceTotal !== figures.decided) wrong.push('provinces')
      compared += Object.keys(expected).length + 1
      different += wrong.length
      console.log(
        `${wrong.length === 0 ? 'equal    ' : 'DIFFERENT'}  ${what}: ${figures.projects} projects, ${figures.won} won`,
      )
      for (const name of wrong)
        console.log(
          `  ${name}: ${JSON.stringify(expected[name])?.slice(0, 400)} / ${JSON.stringify(answered(figures)[name])?.slice(0, 400)}`,
        )
    }
  } finally {
    await app.close()
  }
})
console.log(`40 questions, ${compared} figures compared, ${different} different`)
process.exit(different === 0 ? 0 : 1)
