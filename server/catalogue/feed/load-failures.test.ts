import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import {
  createListFeedSource,
  createTestFeedRecord,
  createTestFeedRecords,
  writeTemporaryTestFile,
} from './feed-for-tests.ts'
import { FeedFormatError, type FeedSource } from './feed-source.ts'
import { publishDataLoad } from './load.ts'
import { openFeedFile } from './open-feed-file.ts'
import { stageDataLoad } from './stage-load.ts'

const TODAY = '2026-06-15'
onEachEngine('failing loads', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(() => emptyTables(db, 'loads', 'departments', 'projects'))

  let prints = 0
  const newPrint = () => {
    prints += 1
    return `print ${prints}`
  }
  async function load(source: FeedSource, today = TODAY, fingerprint = newPrint()) {
    const staged = await stageDataLoad(db, source, { origin: 'test', fingerprint })
    const published = await db.transaction((tx) => publishDataLoad(tx, staged.loadId, { today }))
    return { ...staged, ...published }
  }
  const count = async (table: 'projects' | 'contracts' | 'staged_chunks' | 'quarantined_rows') => {
    const tables = {
      projects: sql`projects`,
      contracts: sql`contracts`,
      staged_chunks: sql`staged_chunks`,
      quarantined_rows: sql`quarantined_rows`,
    }
    const rows = await db.query<{ n: number }>(sql`select count(*)::int as n from ${tables[table]}`)
    return rows[0]!.n
  }

  describe('recovery', () => {
    test('a failed publication leaves nothing and can be retried', async () => {
      const staged = await stageDataLoad(db, createListFeedSource(createTestFeedRecords(5)), {
        origin: 'test',
        fingerprint: 'fails',
      })
      const failing = db.transaction(async (tx) => {
        await publishDataLoad(tx, staged.loadId, { today: TODAY })
        throw new Error('matching failed')
      })
      await expect(failing).rejects.toThrow('matching failed')
      expect([await count('projects'), await count('contracts')]).toEqual([0, 0])
      expect(await db.transaction((tx) => publishDataLoad(tx, staged.loadId, { today: TODAY }))).toMatchObject({
        newProjects: 5,
      })
    })

    test('rejects publishing a load twice', async () => {
      const { loadId } = await load(createListFeedSource(createTestFeedRecords(1)))
      await expect(db.transaction((tx) => publishDataLoad(tx, loadId, { today: TODAY }))).rejects.toThrow(/published/)
    })

    test('interrupted staging resumes after its last chunk without lost or duplicate rows', async () => {
      const rows = createTestFeedRecords(3_300)
      const options = { origin: 'test', fingerprint: 'interrupted' }
      await expect(stageDataLoad(db, createListFeedSource(rows, 2_400), options)).rejects.toThrow('the process is gone')
      expect(await count('projects')).toBe(0)
      const result = await load(createListFeedSource(rows), TODAY, 'interrupted')
      expect(result).toMatchObject({
        resumedAfterLine: 2_000,
        read: 3_300,
        staged: 3_300,
        quarantined: 0,
        newProjects: 3_300,
      })
      expect(await db.query(sql`select count(*)::int as loads from loads`)).toEqual([{ loads: 1 }])
    }, 60_000)

    test('R36: a truncated file fails its load with the reason and leaves no data', async () => {
      const broken: FeedSource = {
        name: 'broken',
        async *records() {
          for (const [index, feedRecord] of createTestFeedRecords(1_500).entries())
            yield { line: index + 1, record: feedRecord }
          throw new FeedFormatError('ขาดตอนหลังบรรทัดที่ 1500')
        },
      }
      await expect(stageDataLoad(db, broken, { origin: 'test', fingerprint: 'cut' })).rejects.toThrow(FeedFormatError)
      expect(await db.query(sql`select state, failure from loads`)).toEqual([
        { state: 'failed', failure: 'ขาดตอนหลังบรรทัดที่ 1500' },
      ])
      expect([await count('staged_chunks'), await count('projects')]).toEqual([0, 0])
    })

    test('new content of the same file replaces its half-staged load', async () => {
      await expect(
        stageDataLoad(db, createListFeedSource(createTestFeedRecords(1_500), 1_200), {
          origin: 'test',
          fingerprint: 'old',
        }),
      ).rejects.toThrow()
      await load(createListFeedSource(createTestFeedRecords(3)), TODAY, 'new')
      expect(await db.query(sql`select state from loads order by id`)).toEqual([
        { state: 'failed' },
        { state: 'published' },
      ])
      expect([await count('staged_chunks'), await count('projects')]).toEqual([0, 3])
    })

    test('R36: a source with too many rows fails its load and leaves no data', async () => {
      const options = { origin: 'test', fingerprint: newPrint(), maxRows: 1_500 }
      await expect(stageDataLoad(db, createListFeedSource(createTestFeedRecords(5_000)), options)).rejects.toThrow(
        /เกิน 1500 แถว/,
      )
      expect([await count('staged_chunks'), await count('projects')]).toEqual([0, 0])
    })

    test('R36: quarantines rows that no column can store', async () => {
      const rows = [
        createTestFeedRecord(),
        createTestFeedRecord({ projectId: '2', remark: 'a\0b' }),
        createTestFeedRecord({ projectId: '3', remark: 'half \ud83d' }),
        createTestFeedRecord({ projectId: '4', remark: 'fine \\u0000 😀' }),
      ]
      const result = await load(createListFeedSource(rows))
      expect(result).toMatchObject({ read: 4, staged: 2, quarantined: 2, newProjects: 2 })
      expect(await db.query(sql`select line, reason from quarantined_rows order by line`)).toEqual([
        { line: 2, reason: 'มีอักขระ NUL หรืออักขระที่เก็บไม่ได้' },
        { line: 3, reason: 'มีอักขระ NUL หรืออักขระที่เก็บไม่ได้' },
      ])
      expect(await db.query(sql`select remark from projects where project_id = '4'`)).toEqual([
        { remark: 'fine \\u0000 😀' },
      ])
    })

    test('with good and bad rows imported + quarantined = read, and each bad row has line and text', async () => {
      const header = 'project_id,project_name,dept_name,project_money\n'
      const file = writeTemporaryTestFile(
        'mixed.csv',
        `${header}68010000001,ซื้อ,กรม,100\nnonsense\n68010000002,"ซื้อ\nสองบรรทัด",กรม,200\n1,ซื้อ,กรม,5\n`,
      )
      const { source, fingerprint } = await openFeedFile(file)
      expect(await load(source, TODAY, fingerprint)).toMatchObject({
        read: 4,
        staged: 2,
        quarantined: 2,
        newProjects: 2,
      })
      expect(await db.query(sql`select line, reason, raw from quarantined_rows order by line`)).toEqual([
        { line: 3, reason: 'มี 1 คอลัมน์ แต่หัวตารางมี 4 คอลัมน์', raw: 'nonsense' },
        { line: 6, reason: 'รหัสโครงการ "1" ไม่ใช่เลข 11 หลัก', raw: '1,ซื้อ,กรม,5' },
      ])
    })
  })
})
