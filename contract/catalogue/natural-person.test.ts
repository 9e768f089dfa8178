import { describe, expect, test } from 'vitest'
import { flagNaturalPersons, flagPersonalNames } from './company-name.ts'
import {
  extractTradeName,
  isNaturalPerson,
  isPersonalName,
  looksLikePersonName,
  maskPersonIds,
  parseTaxId,
  type TenderParty,
  toPublicTaxId,
} from './natural-person.ts'

const MASKED = '330960000xxxx'

describe('parseTaxId', () => {
  test.each([
    '3309600001234',
    '1-2345-67890-12-1',
    '3 3096 00001 23 4',
    '๓๓๐๙๖๐๐๐๐๑๒๓๔',
    "'3309600001234",
    '3309600001234.0',
    '330960000123',
    MASKED,
    '330960000XXXX',
    '330960000****',
    '3-3096-0000x-xx-x',
    '33096••••1234',
    '0991xxxxxxxxx',
    'xxxxxxxxxxxxx',
    '3.30960E+12',
    'p:',
    'p:abcdefghijklmnop',
  ])('%s belongs to a person and is never shown', (text) => {
    expect(parseTaxId(text).kind).toBe('person')
    expect(toPublicTaxId(text)).toBeNull()
  })

  test('recognises a personal id in any spelling', () => {
    const digits = ['3309600001234', '3-3096-00001-23-4', '๓๓๐๙๖๐๐๐๐๑๒๓๔', "'3309600001234.0"].map((text) =>
      parseTaxId(text),
    )
    for (const reading of digits) expect(reading).toEqual({ kind: 'person', digits: '3309600001234' })
    for (const text of [MASKED, '330960000XXXX', '3-3096-0000*-**-*'])
      expect(parseTaxId(text)).toEqual({ kind: 'person', digits: MASKED })
  })

  test.each(['xxxxxxxxxxxxx', '0991xxxxxxxxx', '33096xxxxxxxx', '3.30960E+12'])(
    '%s has too few digits to tell people apart',
    (text) => {
      expect(parseTaxId(text)).toEqual({ kind: 'person', digits: undefined })
    },
  )

  test.each([
    ['0105546135262', '0105546135262', false],
    ['0-1055-46135-26-2', '0105546135262', false],
    ['๐๑๐๕๕๔๖๑๓๕๒๖๒', '0105546135262', false],
    ['D888888888001', 'D888888888001', false],
    ['105546135262', '0105546135262', true],
  ])('%s belongs to a company', (text, id, isRepaired) => {
    expect(parseTaxId(text)).toEqual({ kind: 'juristic', id, isRepaired })
    expect(toPublicTaxId(text)).toBe(id)
  })

  test.each([null, '', '-', '0', '0000000000000'])('%s is no id', (text) => {
    expect(parseTaxId(text)).toEqual({ kind: 'none' })
  })

  test.each(['CNTR \ufffd', '123', 'LINESTRING', '1.05546E+11', '9999999999999'])('%s is unreadable', (text) => {
    expect(parseTaxId(text)).toEqual({ kind: 'unreadable' })
  })
})

describe('isNaturalPerson', () => {
  const PEOPLE = [
    ...['บุคคลธรรมดา-1235c929', 'นายสมมุติ ใจดี', 'นาย สมมุติ ใจดี', 'นางสาวสมหญิง ใจดี', 'น.ส.สมหญิง ใจดี', 'นาง สมศรี ใจดี'],
    ...['นส.สมหญิง ใจดี', 'น.ส. สมหญิง', 'จ.ส.อ.สมมุติ ใจดี', 'สิบเอก สมมุติ ใจดี', 'ด.ต.สมมุติ ใจดี', 'พ.ต.อ. สมมุติ ใจดี'],
    ...['ว่าที่ ร.ต.สมมุติ ใจดี', 'ว่าที่ร้อยตรีหญิง สมหญิง ใจดี', 'ว่าที่ ร ต สมมุติ ใจดี', 'ม.ล.สมมุติ ใจดี', 'หม่อมหลวงสมมุติ ใจดี'],
    ...['ดร.สมมุติ ใจดี', 'ผศ.ดร.สมมุติ ใจดี', 'Mr. Test Example', 'Miss Test Example', 'พระครูสมมุติ ธมฺโม', 'คุณสมหญิง ใจดี'],
    ...['พลตำรวจตรี สมมุติ ใจดี', 'พันจ่าอากาศเอก สมมุติ ใจดี', 'นางสาว(ปกปิดชื่อ)', 'เด็กชาย สมมุติ ใจดี'],
    ...['มล.สมหญิง ใจดี', 'มรว. สมมุติ', 'ท่านผู้หญิงสมหญิง ใจดี', 'แพทย์หญิง สมหญิง ใจดี', 'จสอ.สมมุติ ใจดี', 'รต. สมมุติ ใจดี'],
    ...['นายทองอาหาร ใจดี', 'นางสาวกาแฟ ใจดี', 'พลฯ สมมุติ ใจดี', 'อส.ทพ. สมมุติ ใจดี', 'สมมุติ ใจดี (นาย)', 'สมหญิง ใจดี (น.ส.)'],
    ...['น.สสมหญิง ใจดี', 'นางสาวสมหญิง ใจดี ร้านค้า'],
    ...['นาย\u200bสมมุติ ใจดี', '\u202aน.ส. สมหญิง ใจดี', 'พตท.หญิง สมหญิง ใจดี'],
  ]
  test.each(PEOPLE)('%s is a person, with and without an id', (name) => {
    for (const taxId of [null, MASKED, '3309600001234', 'p:abcdefghijklmnop'])
      expect(isNaturalPerson({ taxId, name })).toBe(true)
    for (const taxId of [null, MASKED]) expect(isPersonalName({ taxId, name })).toBe(true)
    expect(isNaturalPerson({ taxId: '0105546135262', name })).toBe(false)
    expect(isPersonalName({ taxId: '0105546135262', name })).toBe(false)
  })

  test.each(['สมมุติ ใจดี', 'เทียนขำ', 'Test Example', 'วัดดี ใจงาม'])('%s is a person only by the id', (name) => {
    expect(isNaturalPerson({ taxId: MASKED, name })).toBe(true)
    expect(isNaturalPerson({ taxId: null, name })).toBe(false)
    expect(isPersonalName({ taxId: MASKED, name })).toBe(true)
    expect(isPersonalName({ taxId: null, name })).toBe(false)
  })

  test.each([
    ...['ร้านนายช่าง', 'นางรองก่อสร้าง', 'นายช่าง เซอร์วิส', 'บริษัท นายเอ จำกัด', 'โรงพิมพ์อาสารักษาดินแดน', 'นางฟ้า เบเกอรี่'],
    ...['นางนวล รีสอร์ท', 'นายฮ้อย ฟาร์ม', 'ร้อยเอ็ด เครื่องเขียน', 'พันธุ์ไม้ทดสอบ สวนกล้า', 'ร้านทดสอบ โดยนางสาวทดสอบ ตัวอย่าง'],
    ...['นายหัว ปั๊มน้ำมัน', 'นายดีแอร์ แอนด์ ซัพพลาย', 'ด.ต.บริการ'],
    ...['อู่สมพงษ์', 'ชมรมแม่บ้าน', 'เจริญพาณิชย์', 'World Money Fair Berlin GmbH', 'นางรำ ผ้าไทย', 'นายพราน การค้า'],
  ])('%s is a shop, whose name stays visible under the id of its owner, who is a person', (name) => {
    for (const taxId of [null, MASKED]) expect(isPersonalName({ taxId, name })).toBe(false)
    expect(isNaturalPerson({ taxId: null, name })).toBe(false)
    for (const taxId of [MASKED, '3-1009-0000x-xx-x', 'p:abcdefghijklmnop'])
      expect(isNaturalPerson({ taxId, name })).toBe(true)
  })

  test('reads น.ส.พ. as a newspaper, not as น.ส.', () => {
    expect(isNaturalPerson({ taxId: null, name: 'น.ส.พ.ข่าวทดสอบ' })).toBe(false)
    expect(isNaturalPerson({ taxId: null, name: 'น.ส.พรทิพย์ ใจดี' })).toBe(true)
  })

  test('treats an id without a name as a person', () => {
    expect(isNaturalPerson({ taxId: MASKED, name: null })).toBe(true)
    expect(isNaturalPerson({ taxId: null, name: null })).toBe(false)
  })

  test('recognises the same name without the id elsewhere in the project', () => {
    const parties: TenderParty[] = [
      { taxId: 'p:abcdefghijklmnop', name: 'สมมุติ ใจดี' },
      { taxId: '0105546135262', name: 'บริษัท ก จำกัด' },
      { taxId: null, name: 'ร้าน ข' },
      { taxId: null, name: 'สมมุติ  ใจดี' },
      { taxId: null, name: null },
    ]
    expect(flagNaturalPersons(parties)).toEqual([true, false, false, true, false])
    expect(flagPersonalNames(parties)).toEqual([true, false, false, true, false])
  })

  test('excludes a shop under a person’s id everywhere in the project but keeps its name', () => {
    const parties: TenderParty[] = [
      { taxId: 'p:abcdefghijklmnop', name: 'ร้าน ข' },
      { taxId: null, name: 'ร้านข' },
      { taxId: null, name: 'ร้าน ค' },
    ]
    expect(flagNaturalPersons(parties)).toEqual([true, true, false])
    expect(flagPersonalNames(parties)).toEqual([false, false, false])
  })
})

test.each([
  ['ร้านทดสอบ โดยนางสาวทดสอบ ตัวอย่าง', 'ร้านทดสอบ'],
  ['ร้านทดสอบ โดย สมมุติ ใจดี', 'ร้านทดสอบ'],
  ['ร้านทดสอบโดยสมมุติ ใจดี', 'ร้านทดสอบ'],
  ['ร้านทดสอบโดย น.ส.(ปกปิดชื่อ)', 'ร้านทดสอบ'],
  ['ร้านทดสอบ (โดย นายสมมุติ ใจดี)', 'ร้านทดสอบ'],
  ['ร้านทดสอบ (จ.ส.ต.สมมุติ ใจดี)', 'ร้านทดสอบ'],
  ['ร้านทดสอบ by สมมุติ', 'ร้านทดสอบ'],
  ['ร้านทดสอบ/นายสมมุติ ใจดี', 'ร้านทดสอบ'],
  ['ร้านทดสอบ - นางสาวสมหญิง ใจดี', 'ร้านทดสอบ'],
  ['ร้านทดสอบ เจ้าของร้าน: นายสมมุติ ใจดี', 'ร้านทดสอบ'],
  ['ร้านทดสอบ ของนางสมหญิง ใจดี', 'ร้านทดสอบ'],
  ['อู่ทดสอบ นายสมมุติ ใจดี', 'อู่ทดสอบ'],
])('%s trades as %s', (name, shop) => {
  expect(extractTradeName(name)).toBe(shop)
})

test.each([
  'ร้านโดยตรงแอร์เซอร์วิส',
  'วิสาหกิจชุมชนกลุ่มท่องเที่ยวโดยชุมชนบ้านสมมุติ',
  'ร้านเดินรถโดยสาร',
  'ร้านไอเดีย (สาขา 2)',
  'นายสมมุติ ใจดี',
  'ร้านอาหาร นายหัว',
  'ร้านลุง นายช่าง การค้า',
  'ร้าน ก/ข การค้า',
])('%s is already a trade name', (name) => {
  expect(extractTradeName(name)).toBe(name)
})

describe('maskPersonIds', () => {
  test.each([
    ['บัตรประชาชนเลขที่ 3960100154251 หมู่ 6', 'บัตรประชาชนเลขที่ xxxxxxxxxxxxx หมู่ 6'],
    ['เลขบัตร3-9601-00154-25-1', 'เลขบัตรx-xxxx-xxxxx-xx-x'],
    ['บัตร ๓๙๖๐๑๐๐๑๕๔๒๕๑', 'บัตร xxxxxxxxxxxxx'],
    ['บัตร ３９６０１００１５４２５１', 'บัตร xxxxxxxxxxxxx'],
    ['บัตร ３-９６０１-００１５４-２５-１', 'บัตร x-xxxx-xxxxx-xx-x'],
    ['ผู้ชนะ 330960000xxxx', 'ผู้ชนะ xxxxxxxxxxxxx'],
  ])('%s', (text, expected) => {
    expect(maskPersonIds(text)).toBe(expected)
    expect(maskPersonIds(text, { isStrict: true })).toBe(expected)
  })

  test.each([
    ...['หมายเลขครุภัณฑ์ 62-2-0-0611-09-001', 'ครุภัณฑ์ 7440-004-0003-64', 'AAISAD2150006292661', 'เลขผู้เสียภาษี 0105546135262'],
    ...[
      'โครงการ 68099416136',
      'โทร 081-234-5678',
      'ขนาด 4x4 12 x 12 ม.',
      'ขนาด 1200x600x2400 มม.',
      'S/NO. 5086110102271 (A PACK)',
      'ครุภัณฑ์ 1000000373336',
      'หมายเลขทรัพย์สิน 1000000031171',
      'งบ 1,000,000.00 บาท',
    ],
  ])('leaves %s unchanged', (text) => {
    expect(maskPersonIds(text)).toBe(text)
  })

  test('hides every spelling in a raw row, but no company or project ids', () => {
    const raw =
      '68099416136,ซื้อของ,235614,0105546135262,3309600001234,3 3096 00001 23 4,330960000123,3.30960E+12,105546135262,330960000****'
    expect(maskPersonIds(raw, { isStrict: true })).toBe(
      '68099416136,ซื้อของ,235614,0105546135262,xxxxxxxxxxxxx,x xxxx xxxxx xx x,xxxxxxxxxxxx,x.xxxxxE+xx,105546135262,xxxxxxxxx****',
    )
  })
})

test('a title alone does not make a person', () => {
  expect(looksLikePersonName('ร้อยเอ็ด')).toBe(false)
  expect(looksLikePersonName('')).toBe(false)
})
