import { describe, expect, test } from 'vitest'
import { isClosedContractStatus } from '#server/platform/text/contract-status.ts'
import {
  findProvinceInTitle,
  inferProcurementMethodType,
  isProcurementMethodFamily,
  toMovementCode,
  toProcurementMethodCode,
  toProcurementMethodTypeCode,
  toProjectStatusCode,
  toProvinceCode,
} from './feed-vocabulary.ts'
import { hasValidTaxIdCheckDigit } from './tax-id-check-digit.ts'

describe('codes of the exact e-GP strings', () => {
  test.each([
    ['ประกวดราคาอิเล็กทรอนิกส์ (e-bidding)', 'e_bidding'],
    ['ตลาดอิเล็กทรอนิกส์  (e-market)', 'e_market'],
    ['จ้างออกแบบหรือควบคุมงานก่อสร้างโดยวิธีคัดเลือก', 'design_selective'],
    ['วิธีที่ยังไม่มีใครรู้จัก', 'วิธีที่ยังไม่มีใครรู้จัก'],
    ['constructor', 'constructor'],
  ])('method %s is %s', (text, code) => {
    expect(toProcurementMethodCode(text)).toBe(code)
  })

  test('maps types, movements and statuses, with or without blanks around a slash', () => {
    expect(toProcurementMethodTypeCode('จ้างทำของ / จ้างเหมาบริการ')).toBe('service')
    expect(toMovementCode('ประกาศรายชื่อผู้ชนะการเสนอราคา / ประกาศผู้ได้รับการคัดเลือก')).toBe('winner_announced')
    expect(toMovementCode('ร่างเอกสารประกวดราคา (e-Bidding) และร่างเอกสารซื้อหรือจ้างด้วยวิธีสอบราคา')).toBe('draft_published')
    expect(toProjectStatusCode('จัดทำสัญญา/PO แล้ว')).toBe('contract_created')
    expect(toProjectStatusCode('ยกเลิกโครงการ')).toBe('project_cancelled')
    expect(toProjectStatusCode('ไม่รู้จัก')).toBeUndefined()
    expect(isClosedContractStatus('สิ้นสุดสัญญา')).toBe(true)
    expect(isClosedContractStatus('ระหว่างดำเนินการ')).toBe(false)
    expect(isProcurementMethodFamily('วิธีการจัดหา ประกาศเชิญชวนทั่วไป คัดเลือก เฉพาะเจาะจง')).toBe(true)
    expect(isProcurementMethodFamily('คัดเลือก')).toBe(false)
  })
})

test('finds provinces by name, with and without จังหวัด', () => {
  expect([toProvinceCode('เชียงใหม่'), toProvinceCode('จังหวัดเชียงใหม่'), toProvinceCode('จ.เชียงใหม่')]).toEqual([50, 50, 50])
  expect(toProvinceCode('กรุงเทพฯ')).toBe(10)
  expect(['กทม.', 'Bangkok', 'โคราช', 'จ.อยุธยา', 'อ.เมือง จ.ลำปาง'].map(toProvinceCode)).toEqual([10, 10, 30, 14, 52])
  expect(toProvinceCode('Chiang Mai')).toBeUndefined()
  expect([toProvinceCode('เเพร่'), toProvinceCode('จังหวัด ลํา\u200bปาง'), toProvinceCode('จ. เชียง ใหม่')]).toEqual([
    54, 52, 50,
  ])
})

test('takes the province from a title with one province, but not with several', () => {
  expect(findProvinceInTitle('ปรับปรุงแหล่งน้ำ อำเภอแม่แจ่ม จังหวัดเชียงใหม่ โดยวิธีคัดเลือก')).toBe(50)
  expect(findProvinceInTitle('ถนนสายจังหวัดเลย - จังหวัดเพชรบูรณ์')).toBeUndefined()
  expect(findProvinceInTitle('บำรุงรักษาระบบของสำนักงานพาณิชย์จังหวัด 76 จังหวัด')).toBeUndefined()
})

test.each([
  ['two เ for แ', 'ปรับปรุงถนน จังหวัดเเพร่', 54],
  ['two เ for แ in จังหวัดแม่ฮ่องสอน', 'จ.เเม่ฮ่องสอน', 58],
  ['nikhahit and aa for am', 'ขุดลอกคลอง จังหวัดล\u0e4d\u0e32พูน', 51],
  ['a tone before its vowel', 'สะพาน จังหวัดบ\u0e38ร\u0e35ร\u0e31มย\u0e4c และ จังหวัดบุรีรัมย์', 31],
  ['a mark twice', 'จังหวัดพ\u0e31\u0e31ทลุง', 93],
  ['zero-width signs', 'จัง\u200bหวัด\u200bกระ\ufeffบี่', 81],
  ['a soft hyphen', 'จังหวัดสุราษฎร์\u00adธานี', 84],
  ['blanks inside of the name', 'จ . นคร ปฐม', 73],
  ['a no-break space', 'จังหวัด\u00a0ตรัง', 92],
])('recognises a province in a title with %s', (_, title, code) => expect(findProvinceInTitle(title)).toBe(code))

test('merges two spellings of one province, and counts a second province in an odd spelling', () => {
  expect(findProvinceInTitle('จังหวัดเเพร่ (จ.แพร่)')).toBe(54)
  expect(findProvinceInTitle('จังหวัดน่าน - จังหวัดเเพร่')).toBeUndefined()
})

test('derives the type from a title only when the title is unambiguous', () => {
  expect(inferProcurementMethodType('ประกวดราคาจ้างก่อสร้างถนน')).toBe('construct')
  expect(inferProcurementMethodType('ซื้อวัสดุสำนักงาน โดยวิธีเฉพาะเจาะจง')).toBe('buy')
  expect(inferProcurementMethodType('จ้างเหมาทำความสะอาด')).toBe('service')
  expect(inferProcurementMethodType('จ้างปรับปรุงอาคาร')).toBe('')
  expect(inferProcurementMethodType('โครงการพัฒนาแหล่งน้ำ')).toBe('')
})

test('validates the check digit of a tax id', () => {
  // The first three are real ids of companies and a state body. Below are a real invalid id and the masked id of a
  // person.
  expect(['0105546135262', '0103544004878', '0994000160861'].map(hasValidTaxIdCheckDigit)).toEqual([true, true, true])
  expect(hasValidTaxIdCheckDigit('0993000411018')).toBe(false)
  expect(hasValidTaxIdCheckDigit('330960000xxxx')).toBe(true)
})
