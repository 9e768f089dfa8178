import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { sharedFile } from '#server/features/feed/feed-for-tests.ts'
import { openFeedFile } from '#server/features/feed/open-feed-file.ts'
import { compareWithAnswers } from './company-answers.ts'
import { ownCompanies, readCsv } from './company-figures.ts'
import { onEachEngineInTurn } from './server/databases.ts'

/** Projects whose number ends so: one in ten, about 5,400 rows; the whole file is `scripts/check-company-figures.ts`. */
const PART = '3'
const file = sharedFile('egp-2568-competitive-53736.csv.gz')
const scratch = mkdtempSync(path.join(tmpdir(), 'tamngan-companies-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function partOf(whole: string): string {
  const rows = readCsv(whole).filter((row) => row.project_id.endsWith(PART))
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
  const part = path.join(scratch, 'part.csv.gz')
  writeFileSync(
    part,
    gzipSync([line(Object.keys(rows[0]!)), ...rows.map((row) => line(Object.values(row)))].join('\n')),
  )
  return part
}

onEachEngineInTurn('companies of real contracts', (makeDb) => {
  test.skipIf(file === undefined)(
    'have the figures that the file itself gives, to the satang',
    async () => {
      const part = partOf(file!)
      const lines = await compareWithAnswers(await makeDb(), await openFeedFile(part), ownCompanies(readCsv(part)))
      expect(lines.length).toBeGreaterThan(400)
      expect(lines.filter(({ own, answered }) => !Object.is(own, answered))).toEqual([])
    },
    120_000,
  )
})
