import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { formatDataIssue } from '#contract/catalogue/data-issue.ts'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { parseFeedDateForRole } from '#server/catalogue/feed/feed-date.ts'
import {
  getAcceptedRecords,
  getFeedRejections,
  readAllFeedItems,
  writeTemporaryTestFile,
} from '#server/catalogue/feed/feed-for-tests.ts'
import { computeNextProjectState } from '#server/catalogue/feed/next-project.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { redactFeedRow } from '#server/catalogue/feed/person/redact-personal-data.ts'

const COLUMNS = [
  ...['project_id', 'project_name', 'dept_name', 'announce_date', 'project_money', 'price_build', 'sum_price_agree'],
  ...['province', 'project_status', 'winner_tin', 'winner', 'contract_no', 'contract_date', 'contract_finish_date'],
  'contract_price_agree',
] as const
type Row = Partial<Record<(typeof COLUMNS)[number], string>>

const ROW: Row = {
  project_id: '69119900101',
  project_name: 'จ้างทำความสะอาดสำนักงาน',
  dept_name: 'กรมทดสอบ',
  announce_date: '2026-10-05',
  project_money: '1000000',
  price_build: '1000000',
  sum_price_agree: '950000',
  province: 'ลำปาง',
  project_status: 'จัดทำสัญญา/PO แล้ว',
  winner_tin: '0105546135262',
  winner: 'บริษัท ทดสอบ จำกัด',
  contract_no: '1/2570',
  contract_date: '2026-11-02',
  contract_finish_date: '2027-01-31',
  contract_price_agree: '950000',
}
const lineOf = (row: Row, separator = ',') => COLUMNS.map((column) => ({ ...ROW, ...row })[column]).join(separator)
const table = (rows: readonly Row[], separator = ',') =>
  [COLUMNS.join(separator), ...rows.map((row) => lineOf(row, separator))].join('\n')
const read = async (content: string | Uint8Array) =>
  readAllFeedItems((await openFeedFile(writeTemporaryTestFile('x.csv', content))).source)
const readOne = async (row: Row) => {
  const [item] = await read(table([row]))
  if (item === undefined || !('record' in item)) throw new Error(JSON.stringify(item))
  return item.record
}
const kindsOf = async (row: Row) => ((await readOne(row)).doubts ?? []).map(({ kind }) => kind)

describe('decomposed sara am', () => {
  test.each(['ลำปาง', 'กำแพงเพชร', 'อำนาจเจริญ'])('reads %s like its composed form', async (province) => {
    const split = (text: string) => text.replaceAll('ำ', 'ํา')
    const composed = await readOne({ province, winner: 'บริษัท น้ำใส จำกัด' })
    const row = { province: split(province), project_name: split(ROW.project_name!), winner: 'บริษัท นํ้าใส จํากัด' }
    expect(await readOne({ ...row, project_status: split(ROW.project_status!) })).toEqual(composed)
    expect((await readOne({ winner: 'บริษัท น้ํำใส'.replace('ํำ', 'ํา') })).contracts?.[0]?.winnerName).toBe('บริษัท น้ำใส')
  })
})

describe('dates damaged by a spreadsheet', () => {
  test.each([
    ['7/2/1968', true, '2025-02-07'],
    ['7/2/2068', true, '2025-02-07'],
    ['7-ก.พ.-68', false, '2025-02-07'],
    ['07/02/2568 0:00:00', false, '2025-02-07'],
    ['2568-02-07T00:00:00Z', false, '2025-02-07'],
    ['45695', true, '2025-02-07'],
    ['7-Feb-25', true, '2025-02-07'],
    ['๗ ก.พ. ๖๘', false, '2025-02-07'],
    ['7 กพ 68', false, '2025-02-07'],
    ['2025-02-07 00:00:00', false, '2025-02-07'],
    ['45695.5', true, '2025-02-07'],
    ['02/28/2025', true, '2025-02-28'],
    ['7 February 2025', false, '2025-02-07'],
    ['07.02.2568', false, '2025-02-07'],
    ['20250207', false, '2025-02-07'],
    ['2/7/25', true, '2025-07-02'],
    ['07022568', false, '2025-02-07'],
    ['"Feb 7, 2025"', false, '2025-02-07'],
    ['Fri Feb 07 2025', false, '2025-02-07'],
    ["'7/2/2568", false, '2025-02-07'],
    ['7 / 2 / 2568', false, '2025-02-07'],
    ['7–2–2568', false, '2025-02-07'],
    ['7 กุมภา 68', false, '2025-02-07'],
    ['"7 February, 2025"', false, '2025-02-07'],
    ['วันที่ 7 เดือน กุมภาพันธ์ พ.ศ. 2568', false, '2025-02-07'],
    ['7 กุมภาพัน 2568', false, '2025-02-07'],
    ['ศ. 7 ก.พ. 68', false, '2025-02-07'],
    ['2025-02-07 00:00:00+07', false, '2025-02-07'],
    ['2025-02-07+07:00', false, '2025-02-07'],
    ['20250207000000', false, '2025-02-07'],
    ['"45,695"', true, '2025-02-07'],
  ] as const)('%s (repaired: %s)', async (text, isRepaired, day) => {
    const record = await readOne({ contract_date: text })
    expect(record.contracts?.[0]?.signedOn).toBe(day)
    expect((record.doubts ?? []).map(({ kind }) => kind)).toEqual(isRepaired ? ['date_repaired'] : [])
  })

  test.each(THAI_MONTHS.map(({ short, full }, index) => [short, full, index + 1] as const))(
    'reads %s and %s, with and without spaces',
    (short, full, month) => {
      const day = `2025-${String(month).padStart(2, '0')}-07`
      for (const text of [`7 ${short} 68`, `7 ${full} 2568`, `7${short}68`, `๗ ${full} พ.ศ. ๒๕๖๘`, `07-${short}-2568`])
        expect(parseFeedDateForRole(text, 'past'), text).toEqual({ day })
    },
  )

  test.each([
    '31/02/2568',
    '29/02/2568',
    '00/00/0000',
    '3112-12-31',
    '2592-12-31',
    '9999-12-31',
    '31 ก.พ. 68',
    '1/1/1970',
    'ไม่ระบุ',
  ])('%s drops only the date and reports it', async (text) => {
    const record = await readOne({ announce_date: text })
    expect(record.biddingInvitedOn).toBeUndefined()
    expect(record.doubts?.map(formatDataIssue)[0]).toContain(`วันที่ประกาศ: ต้นทางเขียนว่า "${text}"`)
  })

  test('a row with nothing but placeholders keeps the rest', async () => {
    for (const [none, kinds] of [
      ['N/A', []],
      ['–', []],
      ['#REF!', []],
      ['รอ', ['date_unreadable', 'date_unreadable']],
    ] as const) {
      const money = { project_money: none, price_build: none, sum_price_agree: none, contract_price_agree: none }
      const record = await readOne({ ...money, announce_date: none, contract_date: none })
      expect(record).toMatchObject({ budgetSatang: undefined, contracts: [{ winnerName: 'บริษัท ทดสอบ จำกัด' }] })
      expect(
        (record.doubts ?? []).map(({ kind }) => kind),
        none,
      ).toEqual(kinds)
    }
  })

  test('drops a contract end decades before the signature', async () => {
    const record = await readOne({ contract_finish_date: '1995-03-31' })
    expect(record.contracts?.[0]?.endsOn).toBeUndefined()
    expect(await kindsOf({ contract_finish_date: '1995-03-31' })).toEqual(['date_impossible'])
  })

  test('quarantines a row with three unreadable fields as shifted columns', async () => {
    const row = lineOf({ announce_date: 'ซื้อ', project_money: 'กรม', contract_date: 'เลย' })
    expect(getFeedRejections(await read(`${COLUMNS.join(',')}\n${row}`))[0]?.reason).toMatch(/คอลัมน์น่าจะเลื่อน/)
  })
})

describe('tax ids and project numbers that lost digits', () => {
  test.each([
    ['105546135262', 'tax_id_repaired'],
    ['105546135262.0', 'tax_id_repaired'],
    ["'0105546135262", 'tax_id_repaired'],
    ['0-1055-46135-26-2', undefined],
    ['\u200e0105546135262', undefined],
    ['๐๑๐๕๕๔๖๑๓๕๒๖๒', 'tax_id_repaired'],
    ['0105 5461 35262', undefined],
    ['="0105546135262"', undefined],
    ['0105546135262-00000', 'tax_id_repaired'],
    ['0105546135262 (สำนักงานใหญ่)', 'tax_id_repaired'],
    ['TIN:0105546135262', 'tax_id_repaired'],
    ['O1O5546135262', 'tax_id_repaired'],
  ])('reads %s as one company', async (winner_tin, kind) => {
    const record = await readOne({ winner_tin })
    expect(record.contracts?.[0]?.winnerTin).toBe('0105546135262')
    expect(record.doubts?.map((doubt) => doubt.kind)).toEqual(kind === undefined ? undefined : [kind])
  })

  test('a column of ids that states that the winner is a person makes the winner one', async () => {
    const [item] = await read(table([{ winner_tin: 'บุคคลธรรมดา', winner: 'สมมุติ ใจดี' }]))
    expect(redactFeedRow(item!)).toMatchObject({ record: { contracts: [{ winnerTin: 'p:' }] } })
    expect(await kindsOf({ winner_tin: 'ไม่มี' })).toEqual([])
  })

  test('reports digits lost to an exponent', async () => {
    const record = await readOne({ winner_tin: '1.05546E+11' })
    expect(record.contracts?.[0]?.winnerTin).toBeUndefined()
    expect(record.doubts?.[0]).toMatchObject({ kind: 'tax_id_unreadable', value: '1.05546E+11' })
    const [rejected] = getFeedRejections(await read(table([{ project_id: '6.91E+10' }])))
    expect(rejected?.reason).toMatch(/"6\.91E\+10" ถูกโปรแกรมตารางปัดเป็นเลขยกกำลัง/)
  })

  test.each([
    ...['69119900101.0', '"69,119,900,101"', "'69119900101", '๖๙๑๑๙๙๐๐๑๐๑', ' 69119900101\u200b'],
    ...[
      '="69119900101"',
      '"69119900101,00"',
      '６９１１９９００１０１',
      '69-1199-00101',
      'เลขที่ 69119900101',
      '#69119900101',
      '(69119900101)',
      'e-GP 69119900101',
    ],
  ])('reads project %s', async (project_id) => {
    expect((await readOne({ project_id })).projectId).toBe('69119900101')
  })
})

describe('names that name nothing', () => {
  test.each(['N/A', '#REF!', 'null', 'ไม่มีข้อมูล', '.', '0', '--'])(
    'a project named %s is quarantined',
    async (project_name) => {
      expect(getFeedRejections(await read(table([{ project_name }])))).toMatchObject([
        { line: 2, reason: 'ไม่มีชื่อโครงการ' },
      ])
    },
  )

  test('nor is one whose letters became question marks', async () => {
    const [rejected] = getFeedRejections(await read(table([{ project_name: '???? CCTV 10 ???' }])))
    expect(rejected?.reason).toBe('ชื่อโครงการ: ตัวอักษรไทยกลายเป็นเครื่องหมาย ? ส่งออกใหม่เป็น UTF-8')
  })

  test.each(['รอ', 'N/A', 'ไม่มี', 'ไม่ระบุ', 'ไม่มีผู้ชนะ', 'ยกเลิก', '-', '0'])('%s is no winner', async (winner) => {
    expect((await readOne({ winner, winner_tin: '' })).contracts?.[0]?.winnerName).toBeUndefined()
    const none = { winner_tin: '', contract_no: '', contract_date: '', contract_price_agree: '' }
    expect((await readOne({ ...none, winner })).contracts).toBeUndefined()
  })
})

describe('several winners under one contract number', () => {
  const winners = [
    ['-', '0105999000407', '100000'],
    ['-', '0105999000415', '200000'],
    ['', '0105999000423', '300000'],
    ['1/2570', '0105999000431', '400000'],
    ['1/2570', '0105999000440', '500000'],
  ] as const
  const rows = winners.map(([contract_no, winner_tin, amount]) => ({
    ...{ contract_no, winner_tin, winner: `บริษัท ${winner_tin.slice(-3)} จำกัด` },
    ...{ contract_price_agree: amount, sum_price_agree: '1500000' },
  }))
  const say = { source: 'cgd-csv', loadId: 1, today: '2026-11-28' }

  test.each([rows, rows.toReversed()])('are separate contracts, also when loaded twice', async (...order) => {
    const records = getAcceptedRecords(await read(table(order.filter((row) => typeof row === 'object'))))
    const first = computeNextProjectState('69119900101', undefined, records, say)
    expect(first.row).toMatchObject({ winner_count: 5, winner_satang: 150_000_000 })
    expect(first.contracts.reduce((sum, { amount_satang }) => sum + amount_satang!, 0)).toBe(150_000_000)
    const existing = { ...first, firstLoad: 1, source: 'cgd-csv', fieldSources: {}, bidders: [], attachments: [] }
    const again = computeNextProjectState('69119900101', { ...existing, announcements: [] }, records, {
      ...say,
      loadId: 2,
    })
    expect([again.contracts, again.isRowChanged]).toEqual([[], false])
  })

  test('a winner renamed in a later load stays one contract', async () => {
    const [record] = getAcceptedRecords(await read(table([{ winner_tin: '', winner: 'ร้านเก่า' }])))
    const existing = computeNextProjectState('69119900101', undefined, [record!], say)
    const [corrected] = getAcceptedRecords(await read(table([{ winner_tin: '', winner: 'ร้านใหม่' }])))
    const next = computeNextProjectState(
      '69119900101',
      {
        ...existing,
        firstLoad: 1,
        source: 'cgd-csv',
        fieldSources: {},
        bidders: [],
        attachments: [],
        announcements: [],
      },
      [corrected!],
      { ...say, loadId: 2 },
    )
    expect(next.contracts).toMatchObject([{ contract_no: '1/2570', winner_name: 'ร้านใหม่' }])
    expect(next.row.winner_count).toBe(1)
  })
})

describe('tables exported by other programs', () => {
  const rows = [{}, { project_id: '69119900102' }, { project_id: '69119900103', project_name: 'ซื้อ "ของ", ชุด' }]
  const quoted = (text: string) => text.replace('ซื้อ "ของ", ชุด', '"ซื้อ ""ของ"", ชุด"')
  const plain = table(rows.slice(0, 2))

  test.each([
    ['semicolons', quoted(table(rows, ';'))],
    ['tabs', quoted(table(rows, '\t'))],
    ['bars', quoted(table(rows, '|'))],
    ['line ends of old Macs', quoted(table(rows)).replaceAll('\n', '\r')],
    ['line ends of Windows', quoted(table(rows)).replaceAll('\n', '\r\n')],
    ['a line that names the separator', `sep=;\n${quoted(table(rows, ';'))}`],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${quoted(table(rows, '\t'))}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(quoted(table(rows, '\t')), 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${quoted(table(rows))}`, 'utf16le').swap16()],
    ['TIS-620', iconv.encode(quoted(table(rows)), 'win874')],
    [
      'TIS-620 with hard blanks',
      iconv.encode(quoted(table(rows)).replaceAll('กรมทดสอบ', '\u00a0กรม\u00a0\u00a0ทดสอบ…'), 'win874'),
    ],
  ])('%s', async (_, content) => {
    const items = await read(content)
    expect(getFeedRejections(items)).toEqual([])
    expect(getAcceptedRecords(items).map(({ projectId }) => projectId)).toEqual([
      '69119900101',
      '69119900102',
      '69119900103',
    ])
    expect(getAcceptedRecords(items)[2]?.name).toBe('ซื้อ "ของ", ชุด')
    expect(getAcceptedRecords(items)[0]?.budgetSatang).toBe(100_000_000)
  })

  test('skips titles above the header, trailing empty columns and a totals row', async () => {
    const above = `ข้อมูลจัดซื้อจัดจ้าง ปี 2570,,\nณ วันที่ 28 พ.ย. 2569,,\n\n${plain}`
    const items = await read(above)
    expect(getAcceptedRecords(items)).toHaveLength(2)
    expect(items[0]).toMatchObject({ notes: [{ kind: 'file_layout', value: 'ข้าม 2 บรรทัดเหนือหัวตาราง' }] })
    const wide = plain.split('\n').map((line) => `${line},`)
    expect(getAcceptedRecords(await read(wide.join('\n')))).toHaveLength(2)
    expect(getAcceptedRecords(await read([wide[0]!.slice(0, -1), ...wide.slice(1)].join('\n')))).toHaveLength(2)
    expect(getAcceptedRecords(await read(plain.replaceAll('\n', ',,,\n')))).toHaveLength(2)
    const total = lineOf({ project_id: '', project_name: 'รวมทั้งสิ้น 2 โครงการ' })
    expect(getFeedRejections(await read(`${plain}\n${total}`))).toMatchObject([{ reason: /ยอดรวม/ }])
  })

  test('rejects a header without rows', async () => {
    await expect(read(COLUMNS.join(','))).rejects.toThrow(/มีแต่หัวตาราง/)
    await expect(read(`${COLUMNS.join(';')}\r\n\r\n`)).rejects.toThrow(/มีแต่หัวตาราง/)
  })

  test('reads an amount with a decimal comma correctly', async () => {
    const [record] = getAcceptedRecords(
      await read(table([{ project_money: '1.000.000,50', sum_price_agree: '950000,5' }], ';')),
    )
    expect(record).toMatchObject({ budgetSatang: 100_000_050, winnerSatang: 95_000_050 })
  })

  test.each([
    ['ล้าน', '0.95 ล้านบาท'],
    ['หมื่น', '95หมื่น'],
    ['a closing sign', '"950,000.-"'],
    ['a currency code', '"THB 950,000.00"'],
    ['the amount in words', '"950,000.00 (เก้าแสนห้าหมื่นบาทถ้วน)"'],
    ['apostrophes', "950'000.00"],
    ['narrow blanks', '"950\u202f000,00"'],
    ['full-width digits', '９５００００'],
    ['a plus', '+950000'],
    ['a footnote', '"950,000*"'],
    ['an Arabic thousands separator', '950٬000'],
    ['currency and words', '"950,000 บาท (เก้าแสนห้าหมื่นบาทถ้วน)"'],
    ['the remark that VAT is included', '"950,000.00 (รวม VAT)"'],
  ])('reads an amount with %s', async (_, amount) => {
    const record = await readOne({ sum_price_agree: amount, contract_price_agree: amount })
    expect([record.winnerSatang, record.contracts?.[0]?.amountSatang, record.doubts]).toEqual([
      95_000_000,
      95_000_000,
      undefined,
    ])
  })

  test.each(['(950000.00)', '-950000', '950.000', '1.500', 'ประมาณ 950000', '950000 บาท/เดือน', '9.5E+5'])(
    'doubts the amount %s',
    async (project_money) => {
      expect((await readOne({ project_money })).budgetSatang).toBeUndefined()
      expect(await kindsOf({ project_money })).toEqual(['amount_unreadable'])
    },
  )

  test('reads names over two lines, with signs and without their unit', async () => {
    const header = '"รหัส\nโครงการ",ชื่อโครงการ*,"ชื่อ\nหน่วยงาน","งบประมาณ\n(บาท)",ราคากลาง'
    const rowText = '69119900101,ซื้อของ,กรมทดสอบ,1000000,900000'
    for (const text of [`${header}\n${rowText}`, `รายงาน 24",\n\n${header}\n${rowText}`.replaceAll('\n', '\r\n')])
      expect(getAcceptedRecords(await read(text))).toMatchObject([
        { budgetSatang: 100_000_000, estimateSatang: 90_000_000 },
      ])
    expect(getAcceptedRecords(await read(plain.replace('project_id', 'Project-ID')))).toHaveLength(2)
    expect(getAcceptedRecords(await read(plain.replace('project_id', 'เลขที่โครงการ')))).toHaveLength(2)
  })

  test('UTF-16 without a mark and with Thai names alone', async () => {
    const text = 'รหัสโครงการ,ชื่อโครงการ,ชื่อหน่วยงาน\n69119900101,ซื้อกล้องวงจรปิด,กรมทดสอบ\n'
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()])
      expect(getAcceptedRecords(await read(bytes))).toMatchObject([{ name: 'ซื้อกล้องวงจรปิด' }])
  })

  test('one UTF-8 row among a few in TIS-620', async () => {
    const [header, first, second] = plain.split('\n').map((line) => `${line}\n`)
    const tis = [header!, first!, first!].map((line) => iconv.encode(line, 'win874'))
    const items = await read(Buffer.concat([...tis, Buffer.from(second!)]))
    expect([getAcceptedRecords(items).length, getFeedRejections(items)]).toMatchObject([2, [{ line: 4 }]])
  })

  test('quarantines only the rows in another encoding', async () => {
    const [header, ...lines] = table(rows.slice(0, 2))
      .split('\n')
      .map((line) => `${line}\n`)
    const mixed = [header!, ...Array.from({ length: 20 }, () => lines[0]!)].map((line) => Buffer.from(line))
    const utf8 = await read(Buffer.concat([...mixed, iconv.encode(lines[1]!, 'win874')]))
    expect(getFeedRejections(utf8)).toMatchObject([{ line: 22 }])
    const thai = mixed.map((line) => iconv.encode(line.toString(), 'win874'))
    const tis = await read(Buffer.concat([...thai, Buffer.from(lines[1]!)]))
    expect([getAcceptedRecords(tis).length, getFeedRejections(tis)]).toMatchObject([
      20,
      [{ line: 22, reason: /ตัวอักษรไทยเพี้ยน/ }],
    ])
  })

  test.each(['latin1', 'win874'])('quarantines text once misread as %s', async (encoding) => {
    const wrong = iconv.decode(Buffer.from('จ้างทำความสะอาดสำนักงาน'), encoding)
    const items = await read(table([{}, { project_name: wrong.replaceAll('\ufffd', 'x') }]))
    expect(getFeedRejections(items)).toMatchObject([{ line: 3, reason: /ตัวอักษรไทยเพี้ยน/ }])
  })

  test('rejects a table in a foreign alphabet and names the fix', async () => {
    const latin = iconv.encode(
      table([{ project_name: 'Adquisición de útiles', dept_name: 'Educación' }]).replace(/[ก-๛]/g, 'x'),
      'latin1',
    )
    await expect(read(latin)).rejects.toThrow('ISO-8859-1 หรืออักษรยุโรปอื่น ซึ่งเก็บอักษรไทยไม่ได้ บันทึกใหม่เป็น UTF-8')
  })
})

describe('workbooks and archives', () => {
  const cells = (row: Row) => COLUMNS.map((column) => ({ ...ROW, ...row })[column] ?? null)
  const workbook = (rows: readonly (readonly (string | number | Date | null)[])[]) =>
    writeXlsx({
      sheets: [
        { name: 'notes', rows: [['บันทึก']] },
        { name: 'data', rows: rows.map((row) => [...row]) },
      ],
    })

  test('reads a workbook with typed numbers and dates', async () => {
    const typed = cells({}).map((cell, at) => {
      if (COLUMNS[at] === 'winner_tin') return 105546135262
      if (COLUMNS[at] === 'announce_date') return new Date('2026-10-05T00:00:00Z')
      return COLUMNS[at] === 'project_id' || COLUMNS[at] === 'project_money' ? Number(cell) : cell
    })
    const items = await read(await workbook([['รายงาน'], [...COLUMNS], typed, cells({ project_id: '69119900102' })]))
    expect(getFeedRejections(items)).toEqual([])
    expect(getAcceptedRecords(items)[0]).toMatchObject({
      projectId: '69119900101',
      biddingInvitedOn: '2026-10-05',
      budgetSatang: 100_000_000,
      contracts: [{ winnerTin: '0105546135262' }],
    })
  })

  test('joins sheets with the same header', async () => {
    const sheets = ['69119900101', '69119900102', '69119900103'].map((project_id, at) => ({
      name: `เดือน ${at}`,
      rows: [['รายงานประจำเดือน'], [...COLUMNS], cells({ project_id })],
    }))
    const items = await read(await writeXlsx({ sheets: [...sheets, { name: 'บันทึก', rows: [['x', 'y']] }] }))
    expect(getFeedRejections(items)).toEqual([])
    expect(getAcceptedRecords(items)).toHaveLength(3)
  })

  test('reads a zipped table, lists several files, and rejects damaged ones', async () => {
    const content = table([{}, { project_id: '69119900102' }])
    expect(getAcceptedRecords(await read(zipped({ 'a/data.csv': content, '__MACOSX/a': 'x' })))).toHaveLength(2)
    expect(
      getAcceptedRecords(await read(zipped({ 'data.xlsx': await workbook([[...COLUMNS], cells({})]) }))),
    ).toHaveLength(1)
    await expect(read(zipped({ 'a.csv': content, 'b.csv': content }))).rejects.toThrow(/หลายไฟล์ \(a.csv, b.csv\)/)
    await expect(read(zipped({}))).rejects.toThrow(/zip/)
    await expect(read(zipped({ 'a.csv': content }).subarray(0, 80))).rejects.toThrow(/zip เสียหายหรือดาวน์โหลดไม่ครบ/)
    const inner = zipped({ 'a.csv': content })
    for (const nested of [gzipSync(inner), zipped({ 'a.zip': inner }), zipped({ 'a.csv.gz': gzipSync(content) })])
      expect(getAcceptedRecords(await read(nested))).toHaveLength(2)
    expect(getAcceptedRecords(await read(gzipSync(await workbook([[...COLUMNS], cells({})]))))).toHaveLength(1)
    await expect(read(gzipSync(gzipSync(gzipSync(gzipSync(content)))))).rejects.toThrow(/ซ้อนกันหลายชั้น/)
    const companions = { 'Thumbs.db': 'x', 'desktop.ini': 'x', 'README.txt': 'x', 'อ่านก่อน.pdf': '%PDF' }
    expect(getAcceptedRecords(await read(zipped({ 'data/': '', 'data/a.csv': content, ...companions })))).toHaveLength(
      2,
    )
    await expect(read(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).rejects.toThrow('เปิดด้วยโปรแกรมตาราง บันทึกเป็น CSV UTF-8')
  })

  test('reads an OpenDocument sheet, formulas by their results, and skips blank rows', async () => {
    const rows = [['รายงาน'], [...COLUMNS], cells({}), [], cells({ project_id: '69119900102' })]
    expect(getAcceptedRecords(await read(await writeOds({ sheets: [{ name: 'a', rows }] })))).toHaveLength(2)
    const money = COLUMNS.indexOf('project_money')
    const formulas = new Map([[`2,${money}`, { formula: '500000*2', formulaResult: 1_000_000 }]])
    const items = await read(await writeXlsx({ sheets: [{ name: 'a', rows, cells: formulas }] }))
    expect(getFeedRejections(items)).toEqual([])
    expect(getAcceptedRecords(items)).toMatchObject([{ budgetSatang: 100_000_000 }, { projectId: '69119900102' }])
  })

  test.each([
    ['.xlsx', { '[Content_Types].xml': '', 'xl/workbook.xml': ' '.repeat(70 * 2 ** 20) }],
    ['.ods', { mimetype: OPEN_DOCUMENT_SHEET, 'content.xml': ' '.repeat(70 * 2 ** 20) }],
  ])('R36: refuses a decompression bomb named %s before unpacking it', async (_, files) => {
    await expect(read(zipped(files))).rejects.toThrow('ไฟล์ Excel คลายแล้วใหญ่กว่าเดิมเกิน 100 เท่า จึงไม่อ่านต่อ')
  })

  test.each(['1900', '1904'] as const)('reads typed dates of the %s calendar', async (dateSystem) => {
    const rows = [
      [...COLUMNS],
      cells({}).map((cell, at) => (COLUMNS[at] === 'announce_date' ? new Date('2026-10-05') : cell)),
    ]
    const items = await read(await writeXlsx({ sheets: [{ name: 'a', rows }], dateSystem }))
    expect(getAcceptedRecords(items)).toMatchObject([{ biddingInvitedOn: '2026-10-05' }])
  })

  test('refuses other formats by name and states what to do', async () => {
    for (const [bytes, reason] of [
      [Buffer.from('Rar!\x1a\x07\x00'), /RAR ซึ่งระบบไม่อ่าน คลายไฟล์ก่อน/],
      [Buffer.from('377abcaf271c0004', 'hex'), /7z ซึ่งระบบไม่อ่าน คลายไฟล์ก่อน/],
      [Buffer.from('%PDF-1.7\n'), /PDF ไม่ใช่ตารางข้อมูล/],
      [Buffer.from('<html><body><table><tr><td>รหัสโครงการ</td></tr></table>'), /ตาราง HTML .{0,80} เปิดด้วยโปรแกรมตาราง/],
      [
        Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
        /Excel ใส่รหัสผ่านไว้/,
      ],
    ] as const)
      await expect(read(bytes)).rejects.toThrow(reason)
  })
})

describe('doubtful amounts', () => {
  test.each([
    [{ sum_price_agree: '0105546135262', contract_price_agree: '0105546135262' }, 'amount_is_id'],
    [{ sum_price_agree: '69119900101', contract_price_agree: '69119900101' }, 'amount_is_id'],
    [{ sum_price_agree: '994000188251', contract_price_agree: '0994000188251' }, 'amount_is_id'],
    [{ sum_price_agree: '95000000', contract_price_agree: '95000000' }, 'amount_too_high'],
    [{ sum_price_agree: '21.5', contract_price_agree: '21.5' }, 'amount_too_low'],
    [{ sum_price_agree: '0', contract_price_agree: '0' }, 'amount_zero'],
    [{ sum_price_agree: 'สอบถาม', contract_price_agree: '-' }, 'amount_unreadable'],
  ])('excludes %j from every figure and reports it', async (row, kind) => {
    const record = await readOne(row)
    expect([record.winnerSatang, record.contracts?.[0]?.amountSatang]).toEqual([undefined, undefined])
    expect(new Set(record.doubts?.map((doubt) => doubt.kind))).toEqual(new Set([kind]))
    expect(record.budgetSatang).toBe(100_000_000)
  })

  test('hides a personal id in an amount field', async () => {
    const id = '3309600001234'
    const [item] = await read(
      table([{ winner_tin: id, winner: 'นายทดสอบ ใจดี', sum_price_agree: id, project_money: id }]),
    )
    const printed = JSON.stringify(redactFeedRow(item!))
    expect(printed).toContain('amount_is_id')
    expect(printed.replaceAll(',', '')).not.toContain(id)
  })

  test.each([
    ['a lost decimal point', { price_build: '91279132' }, 'amount_too_high'],
    ['the price of one unit', { price_build: '8700' }, 'amount_too_low'],
  ])('leaves out a reference price with %s', async (_, row, kind) => {
    const record = await readOne(row)
    expect([record.estimateSatang, record.budgetSatang, record.winnerSatang]).toEqual([
      undefined,
      100_000_000,
      95_000_000,
    ])
    expect(record.doubts).toMatchObject([{ kind, field: 'ราคากลาง' }])
  })

  test('keeps a reference price far from a yearly budget until the award, and one that the price confirms', async () => {
    const open = { sum_price_agree: '', contract_price_agree: '', contract_no: '', winner: '', winner_tin: '' }
    expect(await kindsOf({ ...open, price_build: '50000000' })).toEqual([])
    expect(await kindsOf({ ...open, price_build: '500000000' })).toEqual(['amount_too_high'])
    const confirmed = { project_money: '350040000', price_build: '8480000', sum_price_agree: '5921545' }
    expect((await readOne({ ...confirmed, contract_price_agree: '5921545' })).estimateSatang).toBe(848_000_000)
  })

  test('treats a budget of 0 as unknown and keeps the price', async () => {
    const record = await readOne({ project_money: '0', price_build: '0', sum_price_agree: '90000' })
    expect([record.budgetSatang, record.winnerSatang]).toEqual([undefined, 9_000_000])
    expect(record.doubts).toMatchObject([{ kind: 'amount_zero', field: 'งบประมาณ' }])
  })

  test('rounds half a satang once, and accepts one small contract among many', async () => {
    const record = await readOne({
      project_money: '300000',
      sum_price_agree: '300000.005',
      contract_price_agree: '300000.005',
    })
    expect([record.winnerSatang, record.contracts?.[0]?.amountSatang]).toEqual([30_000_001, 30_000_001])
    expect(await kindsOf({ contract_price_agree: '900' })).toEqual([])
  })

  test('an empty field keeps the known value', async () => {
    const existing = computeNextProjectState('69119900101', undefined, [await readOne({})], {
      source: 'cgd-csv',
      loadId: 1,
      today: '2026-11-28',
    })
    const empty = { project_money: '-', sum_price_agree: '', announce_date: '-', province: '-', contract_date: '-' }
    const next = computeNextProjectState(
      '69119900101',
      {
        ...existing,
        firstLoad: 1,
        source: 'cgd-csv',
        fieldSources: {},
        bidders: [],
        attachments: [],
        announcements: [],
      },
      [await readOne(empty)],
      { source: 'cgd-csv', loadId: 2, today: '2026-11-28' },
    )
    expect(next.isRowChanged).toBe(false)
  })
})

const OPEN_DOCUMENT_SHEET = 'application/vnd.oasis.opendocument.spreadsheet'

function zipped(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content)
    // The type of an OpenDocument file must be readable without unpacking.
    const packed = deflateRawSync(plain, { level: name === 'mimetype' ? 0 : 6 })
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(0x800, 2)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(plain), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(plain.length, 18)
    head.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, tail, Buffer.from(name)]))
    parts.push(local)
    at += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}
