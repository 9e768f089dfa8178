import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { readZip } from '../../../test/read-zip.ts'
import type { SheetColumn, SheetRow } from './sheet-xml.ts'
import { toColumnLetters } from './sheet-xml.ts'
import { type Workbook, writeSingleTableWorkbook } from './xlsx-file.ts'

const COLUMNS: readonly SheetColumn[] = [
  { title: 'เลขที่โครงการ', kind: 'code', width: 18 },
  { title: 'ชื่อโครงการ', kind: 'text', width: 70 },
  { title: 'งบประมาณ', kind: 'money', width: 19 },
  { title: 'วันสิ้นสุดยื่นข้อเสนอ', kind: 'date', width: 22 },
]

async function* once(rows: readonly SheetRow[]) {
  yield rows
}

async function fileOf(rows: readonly SheetRow[], options: Partial<Workbook> = {}): Promise<Buffer> {
  const pieces: Buffer[] = []
  const workbook = {
    sheetName: 'รายงานโครงการ',
    aboutName: 'ตัวกรอง',
    columns: COLUMNS,
    note: undefined,
    about: [],
    ...options,
  }
  for await (const piece of writeSingleTableWorkbook({ ...workbook, pages: once(rows) })) pieces.push(piece)
  return Buffer.concat(pieces)
}
const sheetOf = async (rows: readonly SheetRow[], options: Partial<Workbook> = {}) =>
  readZip(await fileOf(rows, options)).get('xl/worksheets/sheet1.xml')!

test('stores ids as text with their zeros, money as numbers and dates as Buddhist-era day numbers', async () => {
  const file = await fileOf([['00690123456', 'ซื้อกล้องวงจรปิด', 1_234_567.5, '2026-11-21']])
  const parts = readZip(file)
  const sheet = parts.get('xl/worksheets/sheet1.xml')!
  expect(sheet).toContain('<c r="A2" s="4" t="inlineStr"><is><t xml:space="preserve">00690123456</t></is></c>')
  expect(sheet).toContain('<c r="C2" s="6"><v>1234567.5</v></c>')
  // The date of the cell is 46,347 days after 30 December 1899.
  expect(sheet).toContain('<c r="D2" s="5"><v>46347</v></c>')
  const formats = [
    ...parts
      .get('xl/styles.xml')!
      .split('<cellXfs')[1]!
      .matchAll(/<xf numFmtId="(\d+)"/g),
  ].map(([, id]) => id)
  expect([formats[4], formats[5], formats[6]]).toEqual(['49', '164', '4'])
  expect(parts.get('xl/styles.xml')).toContain('numFmtId="164" formatCode="[$-107041E]d mmm yyyy;@"')
  const [read] = (await readXlsx(new Uint8Array(file))).sheets
  expect(read!.name).toBe('รายงานโครงการ')
  expect(read!.rows).toEqual([
    COLUMNS.map(({ title }) => title),
    ['00690123456', 'ซื้อกล้องวงจรปิด', 1_234_567.5, new Date('2026-11-21')],
  ])
})

test('R34: stores formula-like text with the quote style, so no sheet contains a formula', async () => {
  const starts = [
    '=cmd|"/c calc"!A1',
    '+66812345678',
    '-5',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '|cmd',
    '＝1+1',
    '=HYPERLINK("http://x","y")',
  ]
  const file = await fileOf(starts.map((text) => [text, text, null, null]))
  const sheet = readZip(file).get('xl/worksheets/sheet1.xml')!
  expect(sheet).not.toMatch(/<f[ >/]/)
  expect(sheet.match(/s="3" t="inlineStr"/g)).toHaveLength(starts.length * 2)
  const xfs = [
    ...readZip(file)
      .get('xl/styles.xml')!
      .split('<cellXfs')[1]!
      .matchAll(/<xf [^<>]*>/g),
  ].map(([xf]) => xf)
  expect(xfs[3]).toContain('quotePrefix="1"')
  const read = (await readXlsx(new Uint8Array(file))).sheets[0]!.rows.slice(1)
  expect(read.map(([id]) => id)).toEqual(starts.map((text) => text.replace('\r', '\n')))
})

test('drops characters invalid in XML; keeps markup, Excel escapes, blanks and Thai marks', async () => {
  const rows = [
    ['1', 'ก\u0000ข\u0008\u001Fค\uD800\uFFFE', null, null],
    ['2', ' <b>&"น้ำ ๆ" ก์ 😀 ', null, null],
    ['3', 'A_x0041_B\r\nค', null, null],
  ] as const
  const file = await fileOf(rows)
  expect(readZip(file).get('xl/worksheets/sheet1.xml')).toContain('A_x005F_x0041_B\nค')
  const read = (await readXlsx(new Uint8Array(file))).sheets[0]!.rows.slice(1)
  expect(read.map((row) => row[1])).toEqual([
    'กขค',
    ' <b>&"น้ำ ๆ" ก์ 😀 ',
    expect.stringMatching(/^A_x(005F_x)?0041_B\nค$/),
  ])
})

test('writes unknown as an empty cell, keeps invalid dates as text and truncates overlong text', async () => {
  const sheet = await sheetOf([
    [null, '', null, 'ไม่ระบุ'],
    ['2', 'ย'.repeat(40_000), Number.NaN, '2026-13-01'],
  ])
  expect(sheet).toContain(
    '<row r="2"><c r="D2" s="2" t="inlineStr"><is><t xml:space="preserve">ไม่ระบุ</t></is></c></row>',
  )
  expect(sheet).toContain(`>${'ย'.repeat(32_767)}<`)
  expect(sheet).toContain('>2026-13-01<')
})

test('freezes the header, filters all rows but the note, and lists names and values on sheet two', async () => {
  const parts = readZip(
    await fileOf(
      [
        ['1', 'ก', 1, null],
        ['2', 'ข', 2, null],
      ],
      { note: 'มี 2 จาก 3', about: [['ตัวกรอง', '=1+1']] },
    ),
  )
  const sheet = parts.get('xl/worksheets/sheet1.xml')!
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
  expect(sheet).toContain('<autoFilter ref="A1:D3"/>')
  expect(sheet).toContain('<row r="4"><c r="A4" s="7" t="inlineStr"><is><t xml:space="preserve">มี 2 จาก 3</t>')
  expect(sheet).toContain('<col min="2" max="2" width="70" customWidth="1"/>')
  expect(parts.get('xl/workbook.xml')).toContain('<sheet name="ตัวกรอง" sheetId="2" r:id="rId2"/>')
  expect(parts.get('xl/worksheets/sheet2.xml')).toContain(
    '<c r="B1" s="8" t="inlineStr"><is><t xml:space="preserve">=1+1</t>',
  )
})

test('computes a note after the last row was read', async () => {
  let isRead = false
  async function* pages() {
    yield [['1', 'ก', 1, null]] as const
    isRead = true
  }
  const pieces: Buffer[] = []
  const note = async () => (isRead ? 'มี 1 จาก 2' : undefined)
  const about = { sheetName: 'ก', aboutName: 'ข', columns: COLUMNS, about: [] }
  for await (const piece of writeSingleTableWorkbook({ ...about, note, pages: pages() })) pieces.push(piece)
  expect(readZip(Buffer.concat(pieces)).get('xl/worksheets/sheet1.xml')).toContain(
    '<row r="3"><c r="A3" s="7" t="inlineStr"><is><t xml:space="preserve">มี 1 จาก 2</t>',
  )
})

test('writes a file that opens even without rows', async () => {
  const { sheets } = await readXlsx(new Uint8Array(await fileOf([])))
  expect(sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
    ['รายงานโครงการ', 1],
    ['ตัวกรอง', 0],
  ])
})

test('names columns like spreadsheets do', () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(toColumnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
})

test('fails the file when reading rows fails, and stops reading rows when the consumer stops', async () => {
  const about = { sheetName: 'ก', aboutName: 'ข', columns: COLUMNS, note: undefined, about: [] }
  async function* failing(): AsyncGenerator<SheetRow[]> {
    yield [['1', 'ก', 1, null]]
    throw new Error('the database went away')
  }
  await expect(buffer(writeSingleTableWorkbook({ ...about, pages: failing() }))).rejects.toThrow(
    'the database went away',
  )
  let isClosed = false
  async function* endless(): AsyncGenerator<SheetRow[]> {
    try {
      for (;;) yield [['1', 'ก'.repeat(5_000), Math.random(), null]]
    } finally {
      isClosed = true
    }
  }
  let pieces = 0
  for await (const _ of writeSingleTableWorkbook({ ...about, pages: endless() })) {
    pieces += 1
    if (pieces > 30) break
  }
  await expect.poll(() => isClosed).toBe(true)
})

const HAS_GNUMERIC = spawnSync('ssconvert', ['--version']).status === 0
if (!HAS_GNUMERIC)
  console.warn('SKIPPED: ssconvert (apt-get install gnumeric) is not here; the files are read by hucre alone')

test.skipIf(!HAS_GNUMERIC)(
  'an independent reader, Gnumeric, sees dates, numbers and literal text',
  async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'tamngan-xlsx-')), 'report.xlsx')
    writeFileSync(
      file,
      await fileOf([
        ['00690123456', '=1+1', 1_234_567.5, '2026-11-21'],
        ['00000000001', 'น้ำ ๆ & <b>', -5, '2024-02-29'],
      ]),
    )
    const csv = execFileSync('ssconvert', ['--export-type=Gnumeric_stf:stf_csv', file, 'fd://1'], { encoding: 'utf8' })
    expect(csv.trim().split('\n').slice(1)).toEqual([
      '00690123456,=1+1,1234567.5,2026/11/21',
      expect.stringMatching(/^00000000001,"?น้ำ ๆ & <b>"?,-5,2024\/02\/29$/),
    ])
  },
  60_000,
)
