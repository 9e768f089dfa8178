import { existsSync } from 'node:fs'
import path from 'node:path'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { type Compared, compareWithAnswers } from '../test/company-answers.ts'
import { expectedCompanies, readCsv } from '../test/company-figures.ts'
import { withTemporaryDatabase } from '../test/server/own-database.ts'

/**
 * Verifies the companies' figures: computes them from a CSV of contracts independently, imports the same file into the
 * product, queries its API, and prints each pair of figures.
 *
 *   npx node scripts/check-company-figures.ts [FILE]
 *
 * Exits with 1 on a difference. Uses the server of DATABASE_URL (a separate database, dropped afterwards), else a
 * throwaway PostgreSQL, else PGlite.
 */
const SHARED = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const file = process.argv[2] ?? SHARED
if (!existsSync(file)) {
  console.error(`there is no file ${file}`)
  process.exit(2)
}
const expected = expectedCompanies(readCsv(file))
const feed = await openFeedFile(file)
const lines = await withTemporaryDatabase((db) => compareWithAnswers(db, feed, expected))
for (const { what, expected, answered } of lines)
  console.log(
    `${isEqual({ what, expected, answered }) ? 'equal    ' : 'DIFFERENT'}  ${what}: ${expected} / ${answered}`,
  )
const different = lines.filter((line) => !isEqual(line)).length
console.log(`${lines.length} figures compared, ${different} different`)
process.exit(different === 0 ? 0 : 1)

function isEqual({ expected, answered }: Compared): boolean {
  return Object.is(expected, answered)
}
