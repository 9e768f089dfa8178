import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openDb } from '#server/platform/engine/open-db.ts'
import { writeTemporaryTestFile } from './feed-for-tests.ts'
import { publishDataLoad } from './load.ts'
import { openFeedFile } from './open-feed-file.ts'
import { stageDataLoad } from './stage-load.ts'

const ROWS = 30_000
const STAGING = `
  import { openDb } from '#server/platform/engine/open-db.ts'
  import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
  import { stageDataLoad } from '#server/catalogue/feed/stage-load.ts'
  import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
  const [dataDir, file] = process.argv.slice(1)
  const db = await openDb({ dataDir })
  await migrateDatabase(db)
  const { source, fingerprint } = await openFeedFile(file)
  await stageDataLoad(db, source, { origin: file, fingerprint, onProgress: ({ read }) => console.log(read) })
  console.log('done')
`

test('an import killed with SIGKILL resumes and imports every row once', async () => {
  const header = 'project_id,project_name,dept_name,project_money'
  const rows = Array.from(
    { length: ROWS },
    (_, index) => `${68_010_000_000 + index},ซื้อวัสดุ รายการที่ ${index},กรมทดสอบ,${index}`,
  )
  const file = writeTemporaryTestFile('big.csv', [header, ...rows].join('\n'))
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tamngan-killed-'))
  await killAfter(5_000, dataDir, file)

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

async function killAfter(rows: number, dataDir: string, file: string): Promise<void> {
  const root = path.join(import.meta.dirname, '../../..')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', STAGING, dataDir, file], { cwd: root })
  let complaint = ''
  child.stderr.on('data', (piece) => {
    complaint += String(piece)
  })
  let isKilled = false
  child.stdout.on('data', (piece) => {
    if (
      !String(piece)
        .split('\n')
        .some((line) => Number(line) >= rows)
    )
      return
    isKilled = true
    child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('exit', (_code, name) => resolve(name)))
  if (!isKilled || signal !== 'SIGKILL') throw new Error(`the import ended before it could be killed: ${complaint}`)
}
