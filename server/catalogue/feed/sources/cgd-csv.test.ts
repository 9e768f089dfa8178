import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import {
  collectAsyncItems,
  findSharedTestFile,
  getAcceptedRecords,
  getFeedRejections,
  readAllFeedItems,
  writeTemporaryTestFile,
} from '#server/catalogue/feed/feed-for-tests.ts'
import { createCgdCsvSource, readCgdTable } from './cgd-csv.ts'

const THAI_HEADER =
  'ลำดับ,รหัสโครงการ,ชื่อโครงการ,ชื่อประเภทโครงการ,ชื่อหน่วยงาน,ชื่อหน่วยงานย่อย,วิธีจัดซื้อฯ,กลุ่มวิธีจัดซื้อฯ,วันที่ประกาศ,งบประมาณ(บาท),' +
  'ราคากลาง(บาท),ราคาตกลงซื้อ/จ้าง,ปีงบประมาณ,วันที่เกิดรายการ,จังหวัด,จังหวัด (Eng),เขต/อำเภอ,เขต/อำเภอ (Eng),แขวง/ตำบล,แขวง/ตำบล (Eng),' +
  'สถานะโครงการ,พิกัดของโครงการ,ละติจูดโครงการ,ลองจิจูดโครงการ,เลขนิติบุคคล,ชื่อผู้ชนะ,เลขที่สัญญา,วันที่ลงนามสัญญา,วันที่สิ้นสุดสัญญา,งบสัญญา(บาท),สถานะสัญญา'
const FRONT =
  'ซื้อกล้อง โดยวิธีคัดเลือก,ซื้อ,กรมทดสอบ,สำนักงานทดสอบที่ 1,วิธีการจัดหา ประกาศเชิญชวนทั่วไป คัดเลือก เฉพาะเจาะจง,คัดเลือก,-,"1,000.50",1000,990,2568,1 ก.พ. 68'
const shifted = (id: string) =>
  `1,${id},${FRONT},เลย,เมืองเลย,กุดป่อง,สิ้นสุดสัญญา,,17.48,101.72,0105546135262,บริษัท ทดสอบ จำกัด,1/2568,7 ก.พ. 68,8 มี.ค. 2568,990,สิ้นสุดสัญญา,,,`
const straight = (id: string) =>
  `1,${id},${FRONT},เลย,Loei,เมืองเลย,Mueang,กุดป่อง,Kut Pong,สิ้นสุดสัญญา,,17.48,101.72,0105546135262,บริษัท ทดสอบ จำกัด,1/2568,7 ก.พ. 68,8 มี.ค. 2568,990,สิ้นสุดสัญญา`

async function* bytes(content: string | Uint8Array) {
  yield Buffer.from(content)
}
const read = (content: string | Uint8Array) => collectAsyncItems(readCgdTable(bytes(content), 0))

const EXPECTED = {
  name: 'ซื้อกล้อง โดยวิธีคัดเลือก',
  deptName: 'กรมทดสอบ',
  deptSubName: 'สำนักงานทดสอบที่ 1',
  deptProvince: 42,
  district: 'เมืองเลย',
  subdistrict: 'กุดป่อง',
  latitude: 17.48,
  longitude: 101.72,
  method: 'selective',
  methodType: 'buy',
  biddingInvitedOn: undefined,
  budgetSatang: 100_050,
  winnerSatang: 99_000,
  contracts: [
    {
      contractNo: '1/2568',
      winnerTin: '0105546135262',
      winnerName: 'บริษัท ทดสอบ จำกัด',
      amountSatang: 99_000,
      signedOn: '2025-02-07',
      endsOn: '2025-03-08',
      status: 'สิ้นสุดสัญญา',
    },
  ],
}

describe('the upstream file of data.go.th', () => {
  test('shifted and straight rows give the same record, with methods unswapped', async () => {
    const items = await read(`${THAI_HEADER}\n${shifted('68010000001')}\n${straight('68010000002')}\n`)
    expect(getFeedRejections(items)).toEqual([])
    for (const record of getAcceptedRecords(items)) expect(record).toMatchObject(EXPECTED)
  })

  test('reads 28-cell rows below a header of 31 or 26 names', async () => {
    const native = (id: string) => shifted(id).slice(0, -3)
    const short = THAI_HEADER.split(',')
      .filter((name) => !/Eng|^เขต|^แขวง/.test(name))
      .join(',')
    expect(THAI_HEADER.split(',')).toHaveLength(31)
    expect(short.split(',')).toHaveLength(26)
    for (const header of [THAI_HEADER, short]) {
      const items = await read(`${header}\n${native('68010000001')}\n${native('68010000002')}\n1,68010000003,ขาด\n`)
      expect(getAcceptedRecords(items)).toHaveLength(2)
      for (const record of getAcceptedRecords(items)) expect(record).toMatchObject(EXPECTED)
      expect(getFeedRejections(items)).toHaveLength(1)
    }
    const both = await read(`${THAI_HEADER}\n${native('68010000001')}\n${straight('68010000002')}\n`)
    for (const record of getAcceptedRecords(both)) expect(record).toMatchObject(EXPECTED)
  })

  test('an ambiguous row follows the layout of the others, and is rejected without any', async () => {
    const bare = `1,68010000003,${FRONT},เลย,เมืองเลย,กุดป่อง,,,,,,,,,,,,,,`
    const followed = getAcceptedRecords(await read(`${THAI_HEADER}\n${bare}\n${shifted('68010000001')}\n`))
    expect(followed[0]).toMatchObject({ projectId: '68010000003', subdistrict: 'กุดป่อง', contracts: undefined })
    expect(getFeedRejections(await read(`${THAI_HEADER}\n${bare}\n`))[0]?.reason).toMatch(/เลื่อนไปสามช่องหรือไม่/)
  })

  test('reads windows-874 bytes as Thai', async () => {
    const content = iconv.encode(`${THAI_HEADER}\n${shifted('68010000001')}\n`, 'win874')
    expect(getAcceptedRecords(await read(content))[0]).toMatchObject(EXPECTED)
  })
})

const HEADER = 'project_id,project_name,dept_name,announce_date,project_money,province,winner_tin'
const row = (cells: Partial<Record<'id' | 'name' | 'dept' | 'date' | 'money' | 'province' | 'tin', string>>) =>
  [
    cells.id ?? '68010000001',
    cells.name ?? 'ซื้อ',
    cells.dept ?? 'กรม',
    cells.date,
    cells.money,
    cells.province,
    cells.tin,
  ].join(',')

describe('bad rows', () => {
  test.each([
    [row({ id: '6801' }), 'รหัสโครงการ "6801" ไม่ใช่เลข 11 หลัก'],
    [row({ name: ' ' }), 'ไม่มีชื่อโครงการ'],
    [row({ dept: '-' }), 'ไม่มีชื่อหน่วยงาน'],
    [
      row({ date: 'ซื้อ', money: 'ฟรี', province: 'แอตแลนติส' }),
      'อ่านไม่ได้หลายช่อง คอลัมน์น่าจะเลื่อน: จังหวัด "แอตแลนติส", งบประมาณ "ฟรี", วันที่ประกาศ "ซื้อ"',
    ],
    [row({ name: 'ซื้อ\0ของ' }), 'มีอักขระ NUL ในแถว'],
    ['68010000001,สั้น', 'มี 2 คอลัมน์ แต่หัวตารางมี 7 คอลัมน์'],
  ])('%j: %s', async (bad, reason) => {
    const items = await read(`${HEADER}\n${row({ id: '68010000009' })}\n${bad}\n`)
    expect(getFeedRejections(items)).toEqual([{ line: 3, reason, raw: bad.replace('\0', '␀') }])
    expect(getAcceptedRecords(items)).toHaveLength(1)
  })

  test('quarantines a title with damaged UTF-8 with its line', async () => {
    const content = Buffer.concat([
      Buffer.from(`${HEADER}\n68010000001,ซื้อ`),
      Buffer.from([0xe0, 0xff]),
      Buffer.from(',กรม,,,,\n'),
    ])
    expect(getFeedRejections(await read(content))[0]).toMatchObject({
      line: 2,
      reason: 'มีไบต์ที่ถอดเป็นตัวอักษรไม่ได้ในชื่อโครงการหรือหน่วยงาน',
    })
  })

  test('a damaged character elsewhere only warns', async () => {
    const [item] = await read(`${HEADER}\n${row({ tin: 'CNTR \ufffd' })}\n`)
    expect(item).toMatchObject({ record: { projectId: '68010000001' } })
    expect(item).toHaveProperty('record.doubts', [
      { kind: 'tax_id_unreadable', field: 'เลขนิติบุคคล', value: 'CNTR \ufffd' },
      { kind: 'text_damaged', field: 'แถวข้อมูล', value: '' },
    ])
  })

  test('a province in the title overrides the place of the unit', async () => {
    const [away, home] = getAcceptedRecords(
      await read(
        `${HEADER},district\n${row({ name: 'ถนน จังหวัดเลย', province: 'น่าน' })},เมืองน่าน\n${row({ name: 'ถนน', province: 'น่าน' })},เมืองน่าน\n`,
      ),
    )
    expect(away).toMatchObject({ deptProvince: 55, projectProvince: 42, district: undefined })
    expect(home).toMatchObject({ deptProvince: 55, projectProvince: 55, district: 'เมืองน่าน' })
  })

  test.each([
    [row({ date: '31 ก.พ. 68' }), 'date_impossible', '31 ก.พ. 68'],
    [row({ money: 'ฟรี' }), 'amount_unreadable', 'ฟรี'],
    [row({ province: 'แอตแลนติส' }), 'province_unknown', 'แอตแลนติส'],
  ])('%j loses only the field', async (odd, kind, value) => {
    const [item] = await read(`${HEADER}\n${odd}\n`)
    expect(item).toMatchObject({ record: { projectId: '68010000001', doubts: [{ kind, value }] } })
  })

  test('a wrong check digit only warns', async () => {
    const [item] = await read(`${HEADER}\n${row({ tin: '0993000411018' })}\n`)
    expect(item).toMatchObject({ record: { doubts: [{ kind: 'tax_id_check_digit', value: '0993000411018' }] } })
  })

  const filledLines = (lines: readonly string[]) => lines.filter((line) => line.trim() !== '').length

  test('random lines never break reading, and each is imported or quarantined', async () => {
    const junk = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.stringMatching(/^["',กa0-9;\t-]{1,60}$/))
    await fc.assert(
      fc.asyncProperty(fc.array(junk, { maxLength: 60 }), async (lines) => {
        const safe = lines.map((line) => line.replace(/[\r\n]/g, ' '))
        const items = await collectAsyncItems(
          readCgdTable(bytes(`${HEADER}\n${row({})}\n${safe.join('\n')}\n${row({})}\n`), 0),
        )
        const numbers = items.map((item) => item.line)
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
        expect(getAcceptedRecords(items)).toHaveLength(2)
        expect(
          getFeedRejections(items).every((rejection) => rejection.reason !== '' && !rejection.raw.includes('\0')),
        ).toBe(true)
        // Two lines can form one quoted row, which is rejected as a single row.
        const rejected = getFeedRejections(items).reduce(
          (sum, { raw }) => sum + Math.max(1, filledLines(raw.split('\n'))),
          0,
        )
        expect(rejected).toBe(filledLines(safe))
      }),
      { numRuns: 200 },
    )
  })
})

describe('files that are not tables', () => {
  test('names missing columns', async () => {
    await expect(read('project_id,province\n1,2\n')).rejects.toThrow(
      'บรรทัดที่ 1: หัวตารางขาดคอลัมน์ ชื่อโครงการ (project_name), ชื่อหน่วยงาน (dept_name)',
    )
  })

  test('reports the last line of a truncated .gz', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) =>
      row({ id: String(68_010_000_000 + index), name: `ซื้อ ${index * 7919}` }),
    )
    const packed = gzipSync([HEADER, ...rows].join('\n'))
    const file = writeTemporaryTestFile('cut.csv.gz', packed.subarray(0, packed.length - 2_000))
    await expect(readAllFeedItems(createCgdCsvSource(file))).rejects.toThrow(
      /^หลังบรรทัดที่ \d+: ไฟล์เสียหายหรือขาดตอนหลังไบต์ที่ \d+/,
    )
  })

  test('resuming after a line yields exactly the rest', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => row({ id: String(68_010_000_000 + index) }))
    const source = createCgdCsvSource(writeTemporaryTestFile('some.csv', [HEADER, ...rows].join('\n')))
    const all = await readAllFeedItems(source)
    expect(await readAllFeedItems(source, 137)).toEqual(all.filter((item) => item.line > 137))
  })
})

const upstream = findSharedTestFile('egp-2568-upstream-shifted-2000.csv')
describe.skipIf(upstream === undefined)('the real upstream file', () => {
  test('imports all 2,000 rows, with the fields of manually checked rows in place', async () => {
    const items = await readAllFeedItems(createCgdCsvSource(upstream!))
    expect([items.length, getFeedRejections(items).length]).toEqual([2_000, 0])
    const byId = new Map(getAcceptedRecords(items).map((record) => [record.projectId, record]))
    expect(byId.get('67109362379')).toEqual({
      projectId: '67109362379',
      name: 'ประกวดราคาซื้อน้ำยาตรวจวิเคราะห์ทางห้องปฏิบัติการ จำนวน ๗ รายการ ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
      deptName: 'กรมควบคุมโรค',
      deptSubName: 'สำนักงานป้องกันควบคุมโรคที่ 2 จังหวัดพิษณุโลก',
      deptProvince: 65,
      projectProvince: 65,
      district: 'เมืองพิษณุโลก',
      subdistrict: 'หัวรอ',
      fiscalYear: 2568,
      status: 'ระหว่างดำเนินการ',
      method: 'e_bidding',
      methodType: 'buy',
      budgetSatang: 121_020_000,
      estimateSatang: 130_860_832,
      winnerSatang: 111_570_000,
      biddingInvitedOn: '2024-11-12',
      contracts: [
        {
          contractNo: '10/2568',
          winnerTin: '0103544004878',
          winnerName: 'ห้างหุ้นส่วนจำกัด เอ็มพี เมดซายน์',
          amountSatang: 51_250_000,
          signedOn: '2024-12-20',
          endsOn: '2025-01-19',
          status: 'ระหว่างดำเนินการ',
        },
      ],
    })
    expect(byId.get('67059182384')).toMatchObject({
      latitude: 17.566307010157,
      longitude: 102.28132814169,
      deptProvince: 39,
      budgetSatang: 2_515_440_000,
      biddingInvitedOn: '2024-07-08',
      contracts: [
        { contractNo: 'นภ 0033/1/2568', signedOn: '2024-10-29', endsOn: '2025-12-23', amountSatang: 2_445_000_000 },
      ],
    })
  })
})

const competitive = findSharedTestFile('egp-2568-competitive-53736.csv.gz')
describe.skipIf(competitive === undefined)('the real competitive file', () => {
  test('imports all 53,736 rows', async () => {
    const items = await readAllFeedItems(createCgdCsvSource(competitive!))
    expect([items.length, getFeedRejections(items).length]).toEqual([53_736, 0])
  })
})
