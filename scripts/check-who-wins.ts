import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { WhoWins } from '#contract/market/who-wins.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { asOnlyLoader, runLoad } from '#server/jobs/load/run-load.ts'
import { readCsv } from '../test/company-figures.ts'
import { randomQuestions, trapQuestions } from '../test/recomputed/won-questions.ts'
import { appOn, signIn } from '../test/server/http-app.ts'
import { inOwnDatabase } from '../test/server/own-database.ts'
import { differences, lines, ownFigures, ownProjects, satangOf } from '../test/won-figures.ts'

/**
 * Whether the figures of ใครชนะ are right: computes them from a CSV of contracts by itself, takes the same file in through the product, asks its API the same
 * questions about the whole market, and compares every figure to the satang. Twenty questions of a fixed seed and twenty chosen for their traps.
 *
 *   npx node scripts/check-who-wins.ts [FILE]
 *
 * Ends with 1 when one differs, and with 2, saying so, where the file is not there. Provinces are compared by their sums alone: a place named in a title wins
 * over the row's, which is the purchasing unit's address and which the file by itself does not say. Uses the server of DATABASE_URL (a database of its own, dropped afterwards), else a
 * throwaway PostgreSQL, else PGlite.
 */
const TODAY = '2026-11-21'
const SHARED = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const file = process.argv[2] ?? SHARED
if (!existsSync(file)) {
  console.error(`SKIPPED: there is no file ${file}, nothing was checked`)
  process.exit(2)
}

/** The answer in the form of `ownFigures`. Of companies and agencies it holds the first fifty. */
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
