import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openDb } from '#server/platform/engine/open-db.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { writeTemporaryTestFile } from './feed-for-tests.ts'
import { publishDataLoad } from './load.ts'
import { openFeedFile } from './open-feed-file.ts'
import { stageDataLoad } from './stage-load.ts'

const ROWS = 30_000
const STAGER = path.join(import.meta.dirname, 'feed-file-stager-for-tests.ts')

test('an import killed with SIGKILL resumes and imports every row once', async () => {
  const header = 'project_id,project_name,dept_name,project_money'
  const rows = Array.from(
    { length: ROWS },
    (_, index) => `${68_010_000_000 + index},ซื้อวัสดุ รายการที่ ${index},กรมทดสอบ,${index}`,
  )
  const file = writeTemporaryTestFile('big.csv', [header, ...rows].join('\n'))
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tamngan-killed-'))
  await killOnOutput(STAGER, [dataDir, file], /^(?:[5-9]\d{3}|\d{5})$/m)

  const db = await openDb({ dataDir })
  try {
    expect(await db.query(sql`select state from loads`)).toEqual([{ state: 'staging' }])
    const { source, fingerprint } = await openFeedFile(file)
    const staged = await stageDataLoad(db, source, { origin: file, fingerprint })
    expect(staged.resumedAfterLine).toBeGreaterThanOrEqual(5_000)
    expect(staged).toMatchObject({ read: ROWS, staged: ROWS, quarantined: 0 })
    const published = await db.transaction((tx) => publishDataLoad(tx, staged.loadId, { today: '2026-06-15' }))
    expect(published.newProjects).toBe(ROWS)
    expect(await db.query(sql`select count(*)::int as n from projects`)).toEqual([{ n: ROWS }])
  } finally {
    await db.close()
  }
}, 240_000)
