import { afterAll, expect, test } from 'vitest'
import { findSharedTestFile } from '#server/catalogue/feed/feed-for-tests.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { compareWithApi } from './company-answers.ts'
import { expectedCompanies, readCsv } from './company-figures.ts'
import { createTempFolder, extractPart } from './recomputed/part-of-file.ts'
import { onEachEngine } from './server/databases.ts'

/** The test uses only projects whose number ends in this digit: one in ten, about 5,400 rows. */
const PART = '3'
const file = findSharedTestFile('egp-2568-competitive-53736.csv.gz')
const scratch = createTempFolder('companies')
afterAll(() => scratch.remove())

onEachEngine('companies of real contracts', (makeDb) => {
  test.skipIf(file === undefined)(
    'match the figures of the file to the satang',
    async () => {
      const part = extractPart(file!, scratch.path, PART)
      const lines = await compareWithApi(await makeDb(), await openFeedFile(part), expectedCompanies(readCsv(part)))
      expect(lines.length).toBeGreaterThan(400)
      expect(lines.filter(({ expected, answered }) => !Object.is(expected, answered))).toEqual([])
    },
    120_000,
  )
})
