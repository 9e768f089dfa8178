import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../test/processor-time.ts'
import { detectTextDamage, isGarbledName, repairSaraAm } from './text-damage.ts'

const PAGE =
  'ประกาศสำนักงานทดสอบสมมุติ เรื่อง ประกวดราคาซื้อเครื่องทดสอบ จำนวน ๔ เครื่อง ราคากลางของงานซื้อในการประกวดราคาครั้งนี้ เป็นเงินทั้งสิ้น บาท ' +
  'กำหนดส่งมอบภายใน ๙๐ วัน ตามมาตรฐาน หลักประกันการเสนอราคา ผู้ยื่นข้อเสนอต้องยื่นข้อเสนอทางระบบจัดซื้อจัดจ้างภาครัฐด้วยอิเล็กทรอนิกส์ '

describe('mendLostRings', () => {
  test.each([
    ['ส านักงาน', 'สำนักงาน'],
    ['จ านวน ๔ เครื่อง', 'จำนวน ๔ เครื่อง'],
    ['ก าหนดส่งมอบ', 'กำหนดส่งมอบ'],
    ['อ าเภอเมืองล าปาง', 'อำเภอเมืองลำปาง'],
    ['หลักประกันการค้ าประกัน', 'หลักประกันการค้ำประกัน'],
    ['งบประมาณรายจ่ายประจ าปี', 'งบประมาณรายจ่ายประจำปี'],
    ['ระบบน้ าประปา', 'ระบบน้ำประปา'],
    ['ราคาต่ ากว่า', 'ราคาต่ำกว่า'],
    ['ก ารจ้าง ง านก่อสร้าง', 'การจ้าง งานก่อสร้าง'],
    ['ร าคากล าง', 'ราคากล าง'],
    ['ท างหลวง', 'ทางหลวง'],
    ['จำนวน ๔ อาคาร', 'จำนวน ๔ อาคาร'],
    // Ambiguous: two words are possible, so the text is not repaired.
    ['นายถ ามา', 'นายถ ามา'],
  ])('turns %s into %s', (text, mended) => {
    expect(repairSaraAm(text)).toBe(mended)
  })
})

describe('damageOf', () => {
  test('accepts Thai, English and very short pages', () => {
    for (const text of [PAGE, 'Technical specification of the camera, Ø 90 mm, 1½ ×', '', 'หน้า ๑', 'ทำงานคำว่าค่ำรำคาญ'])
      expect(detectTextDamage(text)).toBeUndefined()
  })

  test.each([
    ['wrong-vowels', PAGE.replaceAll('า', 'ำ')],
    ['parted-vowels', PAGE.replaceAll('งาน', 'ง าน').replaceAll('บาท', 'บ าท')],
    ['lost-vowels', PAGE.repeat(3).replaceAll(/[ัิ-ู]/g, '')],
    ['unknown-signs', PAGE.replaceAll('า', '\uf8e5')],
    ['unknown-signs', PAGE.replaceAll('ร', '\ufffd')],
    ['other-encoding', 'ÊÓ¹Ñ¡§Ò¹»ÅÑ´¡ÃÐ·ÃÇ§¡ÅÒâËÁ '.repeat(8)],
  ])('detects %s', (damage, text) => {
    expect(detectTextDamage(text)).toBe(damage)
  })

  test.each([' า', 'ก า', 'กำร', 'ประจ า'])('runs in time linear in the length (200,000 × %j)', (unit) => {
    expect(processorMs(() => detectTextDamage(repairSaraAm(unit.repeat(200_000))))).toBeLessThan(1500)
  })
})

test.each([
  ['สำนักงานทดสอบสมมุติ', false],
  ['องค์การบริหารส่วนตำบล ณ เมือง', false],
  ['บริษัท ก จำกัด', false],
  ['ส ำนักงาน', true],
  ['สำนักง านทดสอบ', true],
  ['ส ำ นั ก งาน', true],
  ['เท ศบ าล นค ร', true],
  ['เทศบาล\ufffdนคร', true],
])('looksTorn(%s) is %s', (name, torn) => {
  expect(isGarbledName(name)).toBe(torn)
})
