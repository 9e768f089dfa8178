import { writeXlsx } from 'hucre/xlsx'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { collectAsyncItems, writeTemporaryTestFile } from '#server/catalogue/feed/feed-for-tests.ts'
import { openFileTable } from './table-rows.ts'

const COLUMNS = {
  code: { names: ['dept_code', 'รหัสหน่วยงาน'] },
  name: { names: ['dept_name', 'ชื่อหน่วยงาน'] },
  kind: { names: ['affiliation', 'สังกัด'] },
  province: { names: ['จังหวัด'], isOptional: true },
} as const

async function read(content: string | Uint8Array, name = 'a.csv') {
  const { rows } = await openFileTable(writeTemporaryTestFile(name, content), COLUMNS)
  return (await collectAsyncItems(rows)).map((row) =>
    'cell' in row ? [row.line, row.cell('code'), row.cell('name'), row.cell('kind'), row.cell('province')] : row,
  )
}
type Rows = readonly (readonly (string | number | null)[])[]
const workbook = async (...sheets: { name: string; rows: Rows; [option: string]: unknown }[]) =>
  await writeXlsx({ sheets: sheets.map((sheet) => ({ ...sheet, rows: sheet.rows.map((row) => [...row]) })) })

const HEADER = 'รหัสหน่วยงาน,ชื่อหน่วยงาน,สังกัด'
const ROADS = '0702,กรมทางหลวง,ส่วนราชการทั่วไป'
const ROADS_CELLS = ['0702', 'กรมทางหลวง', 'ส่วนราชการทั่วไป']

describe('title lines above the header are skipped', () => {
  test.each<[string, string, number]>([
    ['a title that contains commas', `บัญชีหน่วยงาน, ส่วนราชการ, ปี 2569\n${HEADER}\n${ROADS}`, 3],
    ['a quoted title with a comma, padded to the width', `"บัญชีหน่วยงาน, ปี 2569",,\n${HEADER}\n${ROADS}`, 3],
    ['a quoted title over two lines', `"บัญชีหน่วยงาน\nปีงบประมาณ 2569",,\n${HEADER}\n${ROADS}`, 4],
    ['blank lines', `\n\nบัญชีหน่วยงาน\n\n${HEADER}\n${ROADS}`, 6],
    ['lines of separators alone', `,,\nข้อมูล ณ,21 พ.ย. 2569,\n,,\n${HEADER}\n${ROADS}`, 5],
    ['a byte order mark before the title', `\ufeffบัญชีหน่วยงาน,,\r\n${HEADER}\r\n${ROADS}\r\n`, 3],
    ['a byte order mark before the header', `\ufeff${HEADER}\n${ROADS}`, 2],
    ['a title that names a column', `จังหวัด,กรุงเทพมหานคร,\nชื่อหน่วยงาน,ทั้งหมด,\n${HEADER}\n${ROADS}`, 4],
    ['semicolons below a title with commas', `บัญชี, ปี 2569\n${`${HEADER}\n${ROADS}`.replaceAll(',', ';')}`, 3],
    ['spaces and letter case in names', `บัญชี\n DEPT_CODE , Dept_Name\u200b,\u00a0affiliation\n${ROADS}`, 3],
    ['classic Mac line ends', `บัญชีหน่วยงาน,,\r${HEADER}\r${ROADS}\r`, 3],
  ])('%s', async (_, text, line) => {
    expect(await read(text)).toEqual([[line, ...ROADS_CELLS, undefined]])
  })

  test('in windows-874 and UTF-16', async () => {
    const text = `บัญชีหน่วยงาน ปี 2569\n\n${HEADER}\n${ROADS}`
    for (const encoding of ['win874', 'utf-16le', 'utf-16be'])
      expect(await read(iconv.encode(text, encoding, { addBOM: true })), encoding).toEqual([
        [4, ...ROADS_CELLS, undefined],
      ])
  })

  test('in a workbook with merged title cells', async () => {
    const rows = [['บัญชีหน่วยงาน, ปี 2569'], [], ['ข้อมูล ณ', '21 พ.ย. 2569'], HEADER.split(','), ROADS.split(',')]
    const merges = [{ startRow: 0, startCol: 0, endRow: 1, endCol: 2 }]
    expect(await read(await workbook({ name: 'ก', rows, merges }), 'a.xlsx')).toMatchObject([
      [expect.anything(), ...ROADS_CELLS, undefined],
    ])
  })
})

describe('the sheet with the header is read', () => {
  const table = { name: 'ข้อมูล', rows: [['บัญชีหน่วยงาน'], HEADER.split(','), ROADS.split(',')] }
  const longer = (hidden: boolean) => ({
    name: 'ตัวเลือก',
    hidden,
    rows: Array.from({ length: 50 }, (_, i) => [`ตำบล ${i}`, 'ก', 'ข']),
  })

  test.each([true, false])('not a longer one (hidden: %s)', async (hidden) => {
    expect(await read(await workbook(longer(hidden), table), 'a.xlsx')).toMatchObject([[3, ...ROADS_CELLS, undefined]])
  })

  test('not a hidden copy, but a hidden sheet if it is the only one', async () => {
    const old = { ...table, name: 'เก่า', hidden: true, rows: [...table.rows, ['0703', 'กรมเก่า', 'เดิม']] }
    expect(await read(await workbook(table, old), 'a.xlsx')).toHaveLength(1)
    expect(await read(await workbook(old, { name: 'ปก', rows: [['รายงาน']] }), 'a.xlsx')).toHaveLength(2)
  })

  test('and further sheets with the same columns in another order', async () => {
    const december = {
      name: 'ธ.ค.',
      rows: [
        ['สังกัด', 'ชื่อหน่วยงาน', 'รหัสหน่วยงาน'],
        ['เทศบาล', 'เทศบาลนครตาก', '5630101'],
      ],
    }
    const summary = {
      name: 'สรุป',
      rows: [
        ['รหัสหน่วยงาน', 'ชื่อหน่วยงาน', 'จำนวน'],
        ['0702', 'รวม', 7],
      ],
    }
    expect(
      (await read(await workbook(table, december, summary), 'a.xlsx')).map((row) => (row as unknown[])[1]),
    ).toEqual(['0702', '5630101'])
  })
})

test('names the missing columns with the line of the header', async () => {
  await expect(read(`บัญชีหน่วยงาน\n\n${HEADER.replace('สังกัด', 'กระทรวง')}\n${ROADS}`)).rejects.toThrow(
    /^บรรทัดที่ 3: ไม่พบคอลัมน์ affiliation$/,
  )
  await expect(read('ก,ข\n1,2')).rejects.toThrow(/^บรรทัดที่ 1: ไม่พบคอลัมน์ dept_code, dept_name, affiliation$/)
})
