import { describe, expect, test } from 'vitest'
import type { DocumentFactName, DocumentKind } from '#contract/documents/document.ts'
import { detectDocumentKind } from './detect-document-kind.ts'
import { findDocumentFacts } from './find-document-facts.ts'

function read(fact: DocumentFactName, text: string | readonly string[], kind: DocumentKind = 'bidding-document') {
  const facts = findDocumentFacts(typeof text === 'string' ? [text] : text, kind).filter(
    (candidate) => candidate.fact === fact,
  )
  const values = facts.map(({ state, value }) => {
    if (state === 'unsure') return 'unsure'
    if (value!.kind === 'amount') return value!.baht
    if (value!.kind === 'date') return value!.date
    if (value!.kind === 'window') return `${value!.from.slice(0, 16)}/${value!.to.slice(11, 16)}`
    if (value!.kind === 'percent') return value!.percent
    if (value!.kind === 'shares') return value!.percents.join('+')
    return value!.kind === 'duration' ? `${value!.count} ${value!.unit}` : value!.text
  })
  return values.length < 2 ? values[0] : values
}

const BID = 'ผู้ยื่นข้อเสนอต้องเสนอราคาทางระบบจัดซื้อจัดจ้างภาครัฐด้วยอิเล็กทรอนิกส์ในวันที่'

describe('the bid window', () => {
  test.each([
    ['as the form has it', `${BID} ๙\nตุลาคม ๒๕๖๙ ระหว่างเวลา ๐๙.๐๐ น. ถึง ๑๒.๐๐ น. ซึ่ง`, '2026-10-09T09:00/12:00'],
    ['without blanks', `${BID}๑๖\nมีนาคม ๒๕๖๙ระหว่างเวลา๐๙.๐๐น. ถึง๑๒.๐๐น. ซึ่ง`, '2026-03-16T09:00/12:00'],
    [
      'with its tones lost',
      'ผูยื่นขอเสนอตองเสนอราคาทางระบบจัดซื้อจัดจางภาครัฐดวยอิเล็กทรอนิกสในวันที่ ๑ ตุลาคม พ.ศ. ๒๕๖๙ ระหวางเวลา ๑๓.๐๐ น. ถึง ๑๖.๓๐ น.',
      '2026-10-01T13:00/16:30',
    ],
    [
      'not fixed yet: the form with its blanks',
      `${BID} ระหว่างเวลา น. ถึง น. ซึ่งจัดเตรียม ประกาศ ณ วันที่ ๑ ตุลาคม ๒๕๖๙`,
      undefined,
    ],
    ['torn apart: never the date nearby', `${BID} ๒๔\nระหว่างเวลา น. ถึง น. ซึ่งกันยายน ๒๕๖๙๐๙.๐๐๑๒.๐๐`, 'unsure'],
    ['a day that does not exist', `${BID} ๓๑ กุมภาพันธ์ ๒๕๖๙ ระหว่างเวลา ๐๙.๐๐ น. ถึง ๑๒.๐๐ น.`, 'unsure'],
    ['backwards', `${BID} ๙ ตุลาคม ๒๕๖๙ ระหว่างเวลา ๑๖.๐๐ น. ถึง ๑๓.๐๐ น.`, 'unsure'],
    [
      'twice, not alike',
      `${BID} ๙ ตุลาคม ๒๕๖๙ ระหว่างเวลา ๐๙.๐๐ น. ถึง ๑๒.๐๐ น. ${BID} ๑๐ ตุลาคม ๒๕๖๙ ระหว่างเวลา ๐๙.๐๐ น. ถึง ๑๒.๐๐ น.`,
      'unsure',
    ],
    [
      'not the presentation of the technique',
      'ผู้ยื่นข้อเสนอต้องนำเสนองานในวันที่ ๙ ตุลาคม ๒๕๖๙ ระหว่างเวลา ๐๙.๐๐ น. ถึง ๑๒.๐๐ น.',
      undefined,
    ],
  ])('%s', (_name, text, expected) => {
    expect(read('bid_window', text)).toBe(expected)
  })

  test('is unsure when it lies before the announcement', () => {
    const text = `${BID} ๙ ตุลาคม ๒๕๖๙ ระหว่างเวลา ๐๙.๐๐ น. ถึง ๑๒.๐๐ น.\nประกาศ ณ วันที่ ๑๐ ตุลาคม พ.ศ. ๒๕๖๙`
    expect(read('bid_window', text, 'invitation')).toBe('unsure')
    expect(read('announced', text, 'invitation')).toBe('2026-10-10')
  })

  test('reads the question deadline separately; one after the bid day is unsure', () => {
    const bid = `${BID} ๙ ตุลาคม ๒๕๖๙ ระหว่างเวลา ๐๙.๐๐ น. ถึง ๑๒.๐๐ น.`
    const deadlineText = (day: string) =>
      `${bid} โปรดสอบถามมายังกรม ผ่านทางอีเมล a1@town.example หรือโทร 0 2123 4500 ภายในวันที่ ${day} ตุลาคม ๒๕๖๙ โดยกรมจะชี้แจง`
    expect(read('question_deadline', deadlineText('๖'))).toBe('2026-10-06')
    expect(read('question_deadline', deadlineText('๑๒'))).toBe('unsure')
    expect(read('bid_window', deadlineText('๖'))).toBe('2026-10-09T09:00/12:00')
  })
})

describe('amounts whose digits and words agree', () => {
  const price = (text: string) =>
    read('reference_price', `ราคากลางของงานซื้อในการประกวดราคาครั้งนี้ เป็นเงินทั้งสิ้น${text}`, 'invitation')

  test.each([
    ['๒๓,๓๙๘,๐๐๐.๐๐ บาท (ยี่สิบสาม\nล้านสามแสนเก้าหมื่นแปดพันบาทถ้วน)', 23_398_000],
    ['๕,๗๑๓,๕๖๒.๔๕ บาท (ห้าล้านเจ็ดแสนหนึ่งหมื่นสามพันห้า\nร้อยหกสิบสองบาทสี่สิบห้าสตางค์)', 5_713_562.45],
    ['๒,๕๐๐,๐๐๐,๐๐๐ บาท (สองพันห้าร้อยล้านบาทถ้วน)', 2_500_000_000],
    ['500.- บาท (ห้าร้อยบาทถ้วน)', 500],
    ['๒๓,๓๙๘,๐๐๐.๐๐ บาท (ยี่สิบสองล้านสามแสนเก้าหมื่นแปดพันบาทถ้วน)', 'unsure'],
    ['๒๓,๓๙๘,๐๐๐.๐๐ บาท', 'unsure'],
    ['๒๓,๓๙,๐๐๐.๐๐ บาท (ยี่สิบสามล้านบาทถ้วน)', undefined],
    ['… บาท', undefined],
  ])('%s', (text, expected) => {
    expect(price(text)).toBe(expected)
  })

  test('does not read a minimum past work as a budget, however it is written', () => {
    const text =
      '๔.๑๕ ต้องมีผลงานไม่น้อยกว่า ๑ ผลงาน และแต่ละผลงานต้องมีมูลค่างานหรือวงเงินงบประมาณไม่น้อยกว่า ๑,๕๐๐,๐๐๐ บาท (หนึ่งล้านห้าแสน\nบาท)'
    expect(read('past_work', text, 'tor')).toBe(1_500_000)
    expect(read('budget', text, 'tor')).toBeUndefined()
    const budget = 'วงเงินงบประมาณ\nเงินงบประมาณโครงการ 30,000,000 บาท (สามสิบล้านบาทถ้วน)'
    expect(read('budget', `${text}\n${budget}`, 'tor')).toBe(30_000_000)
    expect(read('past_work', `${text}\nวงเงินงบประมาณ 500,000 บาท (ห้าแสนบาทถ้วน)`, 'tor')).toBe('unsure')
  })

  test('reads the bid bond and the document fee', () => {
    expect(
      read(
        'bid_bond',
        'ต้องวางหลักประกันการเสนอราคาพร้อมกับการเสนอราคา โดยใช้หลักประกันอย่างหนึ่งอย่างใดดังต่อไปนี้ จำนวน 1,175,000.00บาท(หนึ่งล้านหนึ่งแสนเจ็ดหมื่นห้าพันบาทถ้วน)',
      ),
    ).toBe(1_175_000)
    expect(read('document_fee', 'ในราคาชุดละ ๕๐๐.๐๐ บาท (ห้าร้อยบาทถ้วน)', 'invitation')).toBe(500)
    expect(read('bid_bond', 'หลักประกันการเสนอราคา ร้อยละ 5 จำนวน 100 บาท (หนึ่งร้อยบาทถ้วน)')).toBeUndefined()
  })
})

describe('terms', () => {
  test.each<[DocumentFactName, string, unknown]>([
    ['delivery', 'กำหนดเวลาส่งมอบพัสดุไม่เกิน๑๕๐วันนับถัดจาก', '150 day'],
    ['delivery', 'ระยะเวลาการดำเนินงาน 270 วันนับถัดจากวันลงนาม', '270 day'],
    ['delivery', 'กำหนดเวลาส่งมอบพัสดุไม่เกิน วันนับถัดจาก', undefined],
    ['delivery', 'กำหนดเวลาส่งมอบพัสดุไม่เกิน 30 วัน นับถัดจาก กำหนดเวลาส่งมอบพัสดุไม่เกิน 60 วัน นับถัดจาก', 'unsure'],
    ['delivery', 'จะต้องกำหนดยืนราคาไม่น้อยกว่า ๑๒๐ วัน นับแต่', undefined],
    ['warranty', 'รับประกันความชำรุดบกพร่องของงานภายในระยะเวลาไม่น้อยกว่า ๒ ปี นับถัดจากวันรับมอบ ภายใน ๗ วัน นับถัดจาก', '2 year'],
    ['penalty', 'ชำระค่าปรับเป็นรายวันในอัตราร้อยละ ๐.๒๐ ของราคา', 0.2],
    ['penalty', 'ค่าปรับเป็นรายวันในอัตราร้อยละ 0.20 ของราคา ค่าปรับเป็นรายวันอัตราร้อยละ 0.10', 'unsure'],
    ['penalty', 'ค่าปรับร้อยละ 10 ของวงเงินที่จ้างช่วง', undefined],
    ['penalty', 'ค่าปรับเป็นรายวันร้อยละ 20 ของราคา', 'unsure'],
    ['contract_guarantee', 'หลักประกันสัญญาเป็นจำนวนเงินเท่ากับร้อยละ ๕ (ห้า) ของราคา', 5],
    ['criterion', 'จะพิจารณาตัดสินโดยใช้หลักเกณฑ์ราคาประกอบเกณฑ์อื่น', 'ราคาประกอบเกณฑ์อื่น'],
    ['criterion', 'จะพิจารณาตัดสินโดยใช้หลักเกณฑ์ราคา\n๖.๒', 'ราคา'],
    ['contractor_class', 'สาขางาน\nก่อสร้างทางไม่น้อยกว่าชั้น ๔ ที่ขึ้นทะเบียน', 'งานก่อสร้างทาง ชั้น 4'],
    ['pass_mark', 'น้ำหนักข้อเสนอทางด้านเทคนิคหรือข้อเสนอ\nอื่นๆ ไม่น้อยกว่าร้อยละ ๗0', 70],
    ['certificate', 'ผู้รับจ้างต้องได้รับมาตรฐาน ISO 27001 และ ISO 29110', ['ISO 27001', 'ISO 29110']],
    ['certificate', 'เครื่องแม่ข่ายได้รับการรับรองตามมาตรฐาน ISO 9000', undefined],
    ['phone', 'โทรศัพท์ 0 2577 9999 ต่อ 1152 โทรสาร 0 2577 9900', '025779999 ต่อ 1152'],
    ['phone', 'โทรศัพท์หมายเลข ๐๒-๑๒๓-๔๕๐๐', '021234500'],
    ['email', 'ไปรษณีย์ procure0@town.example โทรศัพท์', 'procure0@town.example'],
    ['document_number', 'เลขที่ EB ซ.๓๒/๒๕๖๙\nกรม', 'EB ซ.32/2569'],
  ])('%s: %s', (fact, text, expected) => {
    expect(read(fact, text)).toEqual(expected)
  })

  test('weights and instalments add up to 100, also across a page break with a page number', () => {
    const price = '(1) ราคาที่ยื่นข้อเสนอ (Price) กำหนดน้ำหนักเท่ากับร้อยละ ๓๐'
    const otherShare = (share: string) => `(2) ข้อเสนอด้านเทคนิคหรือข้อเสนออื่นๆ กำหนดน้ำหนักเท่ากับร้อย\n12/30\fละ ${share}`
    expect(read('weights', `${price}\n${otherShare('๗๐')}`.split('\f'))).toBe('30+70')
    expect(read('weights', `${price}\n${otherShare('๖๐')}`.split('\f'))).toBe('unsure')
    const instalments = (...shares: number[]) =>
      shares.map((share, index) => `งวดที่ ${index + 1} ภายใน 90 วัน เบิกจ่ายร้อยละ ${share} ของวงเงิน`).join('\n')
    expect(read('payments', instalments(10, 15, 65, 10))).toBe('10+15+65+10')
    expect(read('payments', instalments(10, 15, 65))).toBe('unsure')
    expect(read('payments', 'งวดที่ 2 ร้อยละ 100')).toBe('unsure')
  })
})

const INVITATION = `(สำเนา)
ประกาศเทศบาลเมืองตัวอย่าง
เรื่อง ประกวดราคาจ้างก่อสร้างถนนสายหนึ่ง ตำบลตัว
อย่าง อำเภอเมือง ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)
เทศบาลเมืองตัวอย่าง มีความประสงค์จะประกวดราคาจ้างก่อสร้างถนน
สายหนึ่ง ตำบลตัวอย่าง อำเภอเมือง ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)`

test('joins multi-line names as the document spells them elsewhere', () => {
  expect(read('title', INVITATION, 'invitation')).toBe('ประกวดราคาจ้างก่อสร้างถนนสายหนึ่ง ตำบลตัวอย่าง อำเภอเมือง')
  expect(read('agency', INVITATION, 'invitation')).toBe('เทศบาลเมืองตัวอย่าง')
  expect(read('method', INVITATION, 'invitation')).toBe('ประกวดราคาอิเล็กทรอนิกส์')
})

test('quotes a sentence exactly as its page has it', () => {
  const pages = ['หน้าแรก', 'ก่อน\nในราคาชุดละ ๕๐๐.๐๐ บาท (ห้า\nร้อยบาทถ้วน) ตั้งแต่\nหลัง']
  const [fact] = findDocumentFacts(pages, 'invitation')
  expect(fact).toMatchObject({ page: 2, sentence: 'ในราคาชุดละ ๕๐๐.๐๐ บาท (ห้า\nร้อยบาทถ้วน) ตั้งแต่' })
  expect(pages[1]!.slice(fact!.offset, fact!.offset + fact!.sentence.length)).toBe(fact!.sentence)
})

describe('the kind of a document', () => {
  test.each<[string, DocumentKind]>([
    [INVITATION, 'invitation'],
    [`ร่าง\n${INVITATION.replace('(สำเนา)\n', '')}`, 'draft'],
    ['ประกาศกรมตัวอย่าง\nเรื่อง ประกาศผู้ชนะการเสนอราคา ประกวดราคาซื้อของ', 'winner'],
    ['เอกสารประกวดราคาซือด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)\nเลขที่ 1/2569', 'bidding-document'],
    ['ขอบเขตของงาน (Term of Reference : TOR)\nงานหนึ่ง', 'tor'],
    ['ตารางแสดงวงเงินงบประมาณที่ได้รับจัดสรรและราคากลาง', 'price-table'],
    ['คู่มือ\nขอบเขตของงาน', 'other'],
    ['หน้า ๓\nราชกิจจานุเบกษา\nประกาศกรม\nเรื่อง ประกวดราคา', 'other'],
    ['ประกาศกรมตัวอย่าง\nเรื่อง วันหยุดของสำนักงาน', 'other'],
    ['', 'other'],
  ])('%s', (text, kind) => {
    expect(detectDocumentKind([text])).toBe(kind)
  })

  test('finds no facts in other kinds of documents', () => {
    expect(findDocumentFacts([`คู่มือ\n${INVITATION}`], 'other')).toEqual([])
  })
})

test('reads a million characters without a line break in linear time', () => {
  const anchors = `${'เสนอราคาทางระบบ ราคากลาง หลักประกันการเสนอราคา ผลงาน '.repeat(20_000)}${'และ'.repeat(50)}ในวันที่`
  expect(findDocumentFacts([anchors], 'bidding-document')).toEqual([])
  const long = `${BID} `.repeat(5_000) + '1'.repeat(200_000) + 'งวดที่ 1 ร้อยละ '.repeat(20_000)
  expect(findDocumentFacts([long], 'bidding-document').every(({ state }) => state === 'unsure')).toBe(true)
})
