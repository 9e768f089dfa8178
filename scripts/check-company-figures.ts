import { existsSync } from 'node:fs'
import path from 'node:path'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { type Compared, compareWithAnswers } from '../test/company-answers.ts'
import { ownCompanies, readCsv } from '../test/company-figures.ts'
import { inOwnDatabase } from '../test/server/own-database.ts'

/**
 * Whether the companies' figures are right: computes them from a CSV of contracts by itself, takes the same file in through the product, asks its
 * API, and prints each figure beside the other.
 *
 *   npx node scripts/check-company-figures.ts [FILE]
 *
 * Ends with 1 when one differs. Uses the server of DATABASE_URL (a database of its own, dropped afterwards), else a throwaway PostgreSQL, else PGlite.
 */
const SHARED = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const file = process.argv[2] ?? SHARED
if (!existsSync(file)) {
  console.error(`there is no file ${file}`)
  process.exit(2)
}
const own = ownCompanies(readCsv(file))
const feed = await openFeedFile(file)
const lines = await inOwnDatabase((db) => compareWithAnswers(db, feed, own))
for (const { what, own: mine, answered } of lines)
  console.log(`${isEqual({ what, own: mine, answered }) ? 'equal    ' : 'DIFFERENT'}  ${what}: ${mine} / ${answered}`)
const different = lines.filter((line) => !isEqual(line)).length
console.log(`${lines.length} figures compared, ${different} different`)
process.exit(different === 0 ? 0 : 1)

function isEqual({ own: mine, answered }: Compared): boolean {
  return Object.is(mine, answered)
}
