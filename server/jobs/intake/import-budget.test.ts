import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import iconv from 'iconv-lite'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { importDataFile } from './import-data-file.ts'

const HEADER =
  ',ITEM_ID,REF_DOC,REF_PAGE_NO,MINISTRY,BUDGETARY_UNIT,CROSS_FUNC?,BUDGET_PLAN,OUTPUT,PROJECT,CATEGORY_LV1,CATEGORY_LV2,CATEGORY_LV3,CATEGORY_LV4,CATEGORY_LV5,CATEGORY_LV6,ITEM_DESCRIPTION,FISCAL_YEAR,AMOUNT,OBLIGED?'
const row = (
  id: string,
  description: string,
  fields: { page?: string; cross?: string; year?: string; amount?: string; obliged?: string } = {},
) =>
  `0,${id},2027.3.1,${fields.page ?? '12'},กระทรวงคมนาคม,กรมทางหลวง,${fields.cross ?? 'FALSE'},แผนงานพื้นฐาน,ผลผลิตทาง,,งบลงทุน,ค่าที่ดินและสิ่งก่อสร้าง,,,,,${description},${fields.year ?? '2570'},${fields.amount ?? '1000000'},${fields.obliged ?? ''}`

onEachEngineInTurn('importing a budget file', (makeDb) => {
  let db: OpenDb
  let folder: string
  beforeAll(async () => {
    db = await makeDb()
    folder = await mkdtemp(path.join(tmpdir(), 'tamngan-budget-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  beforeEach(() => emptyTables(db, 'budget_items', 'budget_loads', 'budget_years'))

  const importText = async (content: string | Buffer, name = 'budget.csv') => {
    const file = path.join(folder, name)
    await writeFile(file, content)
    return importDataFile(db, { file }, { dataDir: folder })
  }
  const stored = () =>
    db.query(sql`
      select t.source_id, t.description, i.amount_satang, t.page, i.is_multi_year, i.is_cross_function from budget_items i
      join budget_item_texts t on t.item_id = i.id order by t.source_id`)

  test('detects the layout and reads exact amounts, flags, digits and both eras', async () => {
    const lines = [
      HEADER,
      row('1', 'ทางสาย ก', { amount: '"1,234,567.89"', obliged: 'TRUE', cross: '1' }),
      row('2', 'ทางสาย ข', { amount: '๔๒,๐๐๐'.replace(',', ''), year: '2027', page: '', obliged: '0' }),
      row('3', 'ทางสาย ค', { amount: '', page: 'ภาคผนวก' }),
    ]
    const report = await importText(`\uFEFF${lines.join('\r\n')}\r\n`)
    expect(report).toMatchObject({ fiscalYear: 2570, read: 3, items: 3, quarantined: 0, quarantineFile: undefined })
    expect(await stored()).toEqual([
      {
        source_id: '1',
        description: 'ทางสาย ก',
        amount_satang: 123_456_789,
        page: 12,
        is_multi_year: true,
        is_cross_function: true,
      },
      {
        source_id: '2',
        description: 'ทางสาย ข',
        amount_satang: 4_200_000,
        page: null,
        is_multi_year: false,
        is_cross_function: false,
      },
      {
        source_id: '3',
        description: 'ทางสาย ค',
        amount_satang: null,
        page: null,
        is_multi_year: false,
        is_cross_function: false,
      },
    ])
  })

  test('detects the table below title lines and in a workbook', async () => {
    const title = '\uFEFF"ร่าง พ.ร.บ. งบประมาณ, ปี 2570",,\n\nกระทรวงคมนาคม\n'
    const report = await importText(`${title}${HEADER}\n${row('1', 'ทางสาย ก')}\n`)
    expect(report).toMatchObject({ fiscalYear: 2570, read: 1, items: 1, quarantined: 0 })
    const rows = [['งบประมาณรายจ่าย'], [], HEADER.split(','), row('2', 'ทางสาย ข').split(',')]
    const merges = [{ startRow: 0, startCol: 0, endRow: 1, endCol: 18 }]
    const choices = { name: 'ตัวเลือก', rows: Array.from({ length: 20 }, (_, i) => [`แผน ${i}`, 'ก', 'ข']) }
    await importText(Buffer.from(await writeXlsx({ sheets: [choices, { name: 'งบ', rows, merges }] })), 'budget.xlsx')
    expect(await stored()).toMatchObject([{ source_id: '2', description: 'ทางสาย ข', amount_satang: 100_000_000 }])
  })

  test('reads windows-874', async () => {
    await importText(iconv.encode(`${HEADER}\n${row('1', 'ก่อสร้างทางหลวง')}\n`, 'windows-874'))
    expect(await stored()).toMatchObject([{ description: 'ก่อสร้างทางหลวง' }])
  })

  test('read = imported + quarantined, and each rejected row has its line and reason', async () => {
    const lines = [
      HEADER,
      row('1', 'ทางสาย ก'),
      row('2', 'ทางสาย ข', { amount: 'ล้านกว่า' }),
      row('3', 'ทางสาย ค', { obliged: 'บางที' }),
      row('1', 'ทางสาย ก'),
      row('4', 'ทางสาย ง', { year: '2571', obliged: 'TRUE' }),
      'สั้นไป',
    ]
    const report = await importText(lines.join('\n'))
    expect(report).toMatchObject({ read: 6, items: 1, quarantined: 5 })
    const rows = await db.query<{ line: number; reason: string }>(
      sql`select line, reason from budget_quarantined_rows order by line`,
    )
    expect(rows.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7])
    expect(rows[0]!.reason).toContain('AMOUNT')
    expect(rows[1]!.reason).toContain('OBLIGED?')
    expect(rows[2]!.reason).toContain('บรรทัดที่ 2')
    expect(rows[3]!.reason).toContain('2571')
    const { quarantineFile } = report as { quarantineFile: string }
    expect(await readFile(quarantineFile, 'utf8')).toContain('ล้านกว่า')
  })

  test('a file without items or with another kind of table changes nothing', async () => {
    await importText(`${HEADER}\n${row('1', 'ทางสาย ก')}\n`)
    await expect(importText(`${HEADER}\n${row('1', 'ทาง', { amount: 'x' })}\n`)).rejects.toThrow('ไม่มีรายการงบประมาณ')
    await expect(importText('a,b\n1,2\n')).rejects.toThrow('ไม่รู้ว่าเป็นไฟล์แบบใด')
    expect(await stored()).toHaveLength(1)
  })
})
