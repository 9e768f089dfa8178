import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { readReportCardFile } from './read-report-card-file.ts'

const TODAY = '2026-11-29'
const HEADER = 'เลขผู้เสียภาษี,ชื่อ,แต้ม,พักสิทธิถึง'
/** Ids with valid check digits. */
const [A, B] = ['0105536000011', '0105537143215'] as const
const read = (text: string | Buffer) => readReportCardFile(Buffer.from(text as string), TODAY)
const checkDigitOf = (first: string) =>
  (11 - ([...first].reduce((sum, digit, at) => sum + Number(digit) * (13 - at), 0) % 11)) % 10
const juristic = (n: number) => {
  const first = `0${String(n).padStart(11, '0')}`
  return first + checkDigitOf(first)
}

test('reads points and dates as people write them', async () => {
  const lines = [
    `${juristic(1)},บริษัท ก จำกัด,60,12/1/2570`,
    `"${juristic(2)}","บริษัท ข, จำกัด",๓๐ แต้ม,2027-01-12`,
    `${juristic(3)},บริษัท ค จำกัด,,12 ม.ค. 70`,
    `${juristic(4)},,10,-`,
  ]
  const { cards, problems } = await read(`\ufeff${HEADER}\r\n${lines.join('\r\n')}\r\n`)
  expect(problems).toEqual([])
  expect(cards).toEqual([
    { tax_id: juristic(1), name: 'บริษัท ก จำกัด', points: 60, suspended_until: '2027-01-12' },
    { tax_id: juristic(2), name: 'บริษัท ข, จำกัด', points: 30, suspended_until: '2027-01-12' },
    { tax_id: juristic(3), name: 'บริษัท ค จำกัด', points: null, suspended_until: '2027-01-12' },
    { tax_id: juristic(4), name: juristic(4), points: 10, suspended_until: null },
  ])
})

test('reads Windows-874 and semicolons below title lines', async () => {
  const text = `ทะเบียนผู้ถูกพักสิทธิ\n${HEADER.replaceAll(',', ';')}\n${juristic(1)};บริษัท ก จำกัด;60;12/1/2570\n`
  const { cards } = await read(iconv.encode(text, 'windows-874'))
  expect(cards).toEqual([{ tax_id: juristic(1), name: 'บริษัท ก จำกัด', points: 60, suspended_until: '2027-01-12' }])
})

test.each([
  ['1234567890121,นาย ก,10,', 'บุคคลธรรมดา'],
  ['3101xxxx89012,นาย ก,10,', 'บุคคลธรรมดา'],
  [',บริษัท ก จำกัด,10,', 'ไม่มีเลขผู้เสียภาษี'],
  ['12345,บริษัท ก จำกัด,10,', '13 หลัก'],
  [`${juristic(1).slice(0, 12)}${(Number(juristic(1)[12]) + 1) % 10},บริษัท ก จำกัด,10,`, 'พิมพ์ผิด'],
  [`${juristic(1)},บริษัท ก จำกัด,-5,`, 'แต้ม'],
  [`${juristic(1)},บริษัท ก จำกัด,มาก,`, 'แต้ม'],
  [`${juristic(1)},บริษัท ก จำกัด,10001,`, 'แต้ม'],
  [`${juristic(1)},บริษัท ก จำกัด,10,31/2/2570`, 'ไม่มีวันที่ 31'],
  [`${juristic(1)},บริษัท ก จำกัด,10,อีก 7 วัน`, 'ต้องเป็นวันที่'],
  [`${juristic(1)},บริษัท ก จำกัด,,`, 'ไม่มีทั้งแต้มและวันพักสิทธิ'],
  [`${juristic(1)},บริษัท ก จำกัด,1,12/1/2570,เกิน`, 'คอลัมน์'],
])('%s is a problem of line 2: %s', async (line, reason) => {
  const { cards, problems } = await read(`${HEADER}\n${line}\n`)
  expect(cards).toEqual([])
  expect(problems).toEqual([{ line: 2, reason: expect.stringContaining(reason) }])
  expect(JSON.stringify(problems)).not.toMatch(/\d{5}/)
})

test('a company that occurs again is a problem that names the line that counts', async () => {
  const line = (points: number) => `${juristic(1)},บริษัท ก จำกัด,${points},`
  const { cards, problems } = await read([HEADER, line(10), line(20)].join('\n'))
  expect(cards).toMatchObject([{ points: 10 }])
  expect(problems).toEqual([{ line: 3, reason: 'บริษัทเดียวกับบรรทัดที่ 2 ใช้บรรทัดนั้น' }])
})

test.each(['', 'a,b\n1,2', `${A},${B}`])('a file without the columns has no header: %j', async (text) => {
  expect((await read(text)).hasHeader).toBe(false)
})

test('every line below the header is a card, a problem or blank', async () => {
  const line = fc.oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 300 }))
      .map(([n, points]) => `${juristic(n)},ก,${points},`),
    fc.constantFrom('', ' ', ',,,', '1234567890121,ข,1,', `${A},ค,x,`, `${B},"ค`, 'ก,ข'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
      const { cards, problems } = await read([HEADER, ...lines].join('\n'))
      const blank = lines.filter((text) => text.replaceAll(',', '').trim() === '').length
      expect(cards.length + problems.length + blank).toBe(lines.length)
    }),
  )
})
