import { describe, expect, test } from 'vitest'
import { measureCpuMs } from '../../../test/processor-time.ts'
import { detectTextDamage, isGarbledName, repairSaraAm } from './text-damage.ts'
import { repairThaiMarks } from './thai-marks.ts'

const PAGE =
  'ประกาศสำนักงานทดสอบสมมุติ เรื่อง ประกวดราคาซื้อเครื่องทดสอบ จำนวน ๔ เครื่อง ราคากลางของงานซื้อในการประกวดราคาครั้งนี้ เป็นเงินทั้งสิ้น บาท ' +
  'กำหนดส่งมอบภายใน ๙๐ วัน ตามมาตรฐาน หลักประกันการเสนอราคา ผู้ยื่นข้อเสนอต้องยื่นข้อเสนอทางระบบจัดซื้อจัดจ้างภาครัฐด้วยอิเล็กทรอนิกส์ '

describe('repairSaraAm', () => {
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

describe('detectTextDamage', () => {
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

  const INVITATION = `${PAGE}กรมทดสอบมีความประสงค์จะประกวดราคาซื้อเครื่องสูบน้ำแบบไฟฟ้า ผู้ยื่นข้อเสนอต้องมีคุณสมบัติ ดังต่อไปนี้ มีความสามารถตามกฎหมาย ไม่เป็นบุคคลล้มละลาย
ไม่อยู่ระหว่างเลิกกิจการ ไม่เป็นบุคคลซึ่งอยู่ระหว่างถูกระงับการยื่นข้อเสนอหรือทำสัญญากับหน่วยงานของรัฐไว้ชั่วคราว ในวันที่ 15 ธันวาคม 2569 ระหว่างเวลา 08.30 น. ถึง 16.30 น.`
  const next = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 1)
  test.each<[string, string, (text: string) => string]>([
    ['sara am without its ring', 'lost-vowels', (text) => text.replaceAll('ำ', 'า')],
    ['sara am lost', 'lost-vowels', (text) => text.replaceAll('ำ', '')],
    ['sara am as a question mark', 'unknown-signs', (text) => text.replaceAll('ำ', '?')],
    ['sara am as an unknown sign', 'unknown-signs', (text) => text.replaceAll('ำ', '\ufffd')],
    ['tone marks as boxes', 'unknown-signs', (text) => text.replaceAll('้', '□')],
    ['tone marks lost', 'lost-vowels', (text) => text.replace(/[่-๋]/g, '')],
    ['upper vowels lost', 'lost-vowels', (text) => text.replace(/[ัิ-ื]/g, '')],
    ['sara aa lost', 'lost-vowels', (text) => text.replaceAll('า', '')],
    ['sara ii without its stroke', 'lost-vowels', (text) => text.replaceAll('ี', 'ิ')],
    ['words torn between consonants', 'parted-letters', (text) => text.replace(/([ก-ฮ])(?=[ก-ฮ])/g, '$1 ')],
    ['marks before their consonant', 'wrong-vowels', (text) => text.replace(/([ก-ฮ])([ัิ-ฺ็-๎])/g, '$2$1')],
    ['doubled consonants', 'wrong-letters', (text) => text.replace(/([ก-ฮ])/g, '$1$1')],
    ['another letter for each', 'wrong-letters', (text) => text.replace(/[ก-ฬ]/g, next)],
    ['ใ for ไ', 'wrong-vowels', (text) => text.replaceAll('ไ', 'ใ')],
    ['ไ for ใ', 'wrong-vowels', (text) => `${text}ให้ใช้ใหญ่`.replaceAll('ใ', 'ไ')],
  ])('detects %s', (_, damage, harm) => {
    expect(detectTextDamage(repairThaiMarks(INVITATION))).toBeUndefined()
    expect(detectTextDamage(repairThaiMarks(harm(INVITATION)))).toBe(damage)
  })

  test('repairs a space behind a vowel that is written first', () => {
    expect(repairThaiMarks('เ ครื่องสูบน้ำแ บบไ ฟฟ้า')).toBe('เครื่องสูบน้ำแบบไฟฟ้า')
  })

  test.each([' า', 'ก า', 'กำร', 'ประจ า', 'จา', 'ก ', 'กก', 'ใ', 'เ '])(
    'runs in time linear in the length (200,000 × %j)',
    (unit) => {
      expect(measureCpuMs(() => detectTextDamage(repairSaraAm(unit.repeat(200_000))))).toBeLessThan(1500)
    },
  )
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
  ['สานักงานทดสอบ', true],
  ['องค์การบริหารส่วนตาบลทดสอบ', true],
  ['สนักงานทดสอบ', true],
  ['เทศบำลเมืองทดสอบ ภำค ๑', true],
  ['ส?นักงานทดสอบ', true],
  ['เทศบาลตำบลสานตม', false],
  ['สำนักงานสรรพากรพื้นที่ลำปาง', false],
  ['โรงเรียนวัดบางประจาน', false],
])('isGarbledName(%s) is %s', (name, torn) => {
  expect(isGarbledName(name)).toBe(torn)
})
