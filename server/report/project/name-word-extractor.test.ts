import { describe, expect, test } from 'vitest'
import { toLoanWordSpellingKey } from '#server/matching/meaning/to-loan-word-spelling-key.ts'
import { createNameWordExtractor, hashFnv1a, loadNameWordExtractor } from './name-word-extractor.ts'
import { computeWeightedSimilarity, isSameKindOfWork } from './word-similarity.ts'

const { wordsOf, weightOf, namesObject, textsOf } = createNameWordExtractor()
const alike = (a: string, b: string) => isSameKindOfWork(wordsOf(a), wordsOf(b), weightOf)

/** `ROAD` and `CLEANING` are real names, cut after the place. */
const ROAD = 'ประกวดราคาจ้างก่อสร้างโครงการก่อสร้างถนนคอนกรีตเสริมเหล็ก ซอยหลังเขา หมู่ที่ 1 ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)'
const CLEANING =
  'ประกวดราคาจ้างเหมาบริการรักษาความสะอาดสำนักงานขนส่งจังหวัดเชียงใหม่ จำนวน 5 แห่ง ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)'

describe('the same kind of work', () => {
  test.each([
    [ROAD, 'จ้างโครงการก่อสร้างถนน คสล. สายบ้านเซ็ง หมู่ที่ 3 ตำบลจะรัง อำเภอยะหริ่ง จังหวัดปัตตานี โดยวิธีคัดเลือก'],
    [CLEANING, 'ประกวดราคาจ้างจ้างเหมาบริการทำความสะอาดสำนักงานสรรพากรพื้นที่หนองคาย ประจำปีงบประมาณ พ.ศ. ๒๕๖๘'],
    [
      'จ้างปรับปรุงถนนลาดยางผิวแอสฟัลท์ติกคอนกรีต สายบ้านผัง 31 หมู่ที่ 5',
      'ประกวดราคาจ้างก่อสร้างโครงการปรับปรุงถนนแอสฟัลต์คอนกรีต รหัสทางหลวงท้องถิ่น ปน.ถ.11-019',
    ],
    ['ซื้อกล้องโทรทัศน์วงจรปิด CCTV จำนวน 32 ตัว เทศบาลเมืองตัวอย่าง', 'ซื้อกล้องวงจรปิดพร้อมติดตั้ง จำนวน 54 ชุด'],
    ['ประกวดราคาซื้อครุภัณฑ์ยานพาหนะและขนส่ง รถโดยสาร ขนาด 12 ที่นั่ง (ดีเซล)', 'ซื้อรถโดยสารขนาด 12 ที่นั่ง ดีเซล จำนวน 1 คัน'],
  ])('%s — %s', (a, b) => {
    expect([alike(a, b), alike(b, a)]).toEqual([true, true])
  })
})

describe('different kinds of work, even when names share words, a place or an office', () => {
  test.each([
    [ROAD, 'ประกวดราคาจ้างก่อสร้างอาคารคอนกรีตเสริมเหล็ก 2 ชั้น หมู่ที่ 1'],
    [ROAD, 'ประกวดราคาจ้างก่อสร้างโครงการปรับปรุงถนนแอสฟัลท์ติกคอนกรีต หมู่ที่ 1'],
    [ROAD, 'ประกวดราคาจ้างก่อสร้างรางระบายน้ำคอนกรีตเสริมเหล็ก ซอยหลังเขา หมู่ที่ 1'],
    [CLEANING, 'ประกวดราคาจ้างเหมาบริการรักษาความปลอดภัยสำนักงานขนส่งจังหวัดเชียงใหม่'],
    ['ซื้อเครื่องปรับอากาศ จำนวน 5 เครื่อง โรงพยาบาลลำพูน', 'ซื้อเครื่องคอมพิวเตอร์ จำนวน 5 เครื่อง โรงพยาบาลลำพูน'],
    ['ประกวดราคาซื้อครุภัณฑ์ยานพาหนะและขนส่ง รถโดยสาร ขนาด 12 ที่นั่ง', 'ประกวดราคาซื้อครุภัณฑ์ยานพาหนะและขนส่ง รถบรรทุกขยะ'],
    ['ประกวดราคา', 'ประกวดราคา'],
    // These medicines are not in the model's vocabulary.
    ['ประกวดราคาซื้อยา Empagliflozin 10 mg tablet', 'ประกวดราคาซื้อยา Atorvastatin 40 mg tablet'],
    [
      'จ้างที่ปรึกษาเพื่อดำเนินโครงการศึกษาแนวทางการจัดประเภทโรงงานให้สอดคล้องกับโครงสร้างอุตสาหกรรม',
      'จ้างที่ปรึกษาเพื่อพัฒนาปรับปรุงระบบบริหารหลักสูตรและติดตามโครงการผลิตบัณฑิตพันธุ์ใหม่',
    ],
  ])('%s — %s', (a, b) => {
    expect([alike(a, b), alike(b, a)]).toEqual([false, false])
  })
})

test('ignores place, recipient, amount and year', () => {
  const bare = wordsOf('ก่อสร้างถนนหินคลุก')
  expect(bare.length).toBeGreaterThan(0)
  expect(
    wordsOf(
      'ประกวดราคาจ้างก่อสร้างถนนหินคลุก บ้านหนองกาดพัฒนา หมู่ที่ 13 ตำบลเหล่าเสือโก้ก จังหวัดอุบลราชธานี กว้าง 4 เมตร ประจำปีงบประมาณ พ.ศ. 2568 ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
    ),
  ).toEqual(bare)
})

test('an activity alone is not a subject; what follows it is, also after a word for a place', () => {
  expect(namesObject(wordsOf('จ้างที่ปรึกษา'))).toBe(false)
  expect(namesObject(wordsOf('จ้างก่อสร้างปรับปรุง'))).toBe(false)
  const office = 'ประกวดราคาจ้างก่อสร้างโครงการปรับปรุงสำนักงานแรงงานจังหวัดอ่างทอง'
  expect(namesObject(wordsOf(office))).toBe(true)
  expect([...textsOf('ประกวดราคาซื้อยา Empagliflozin 10 mg tablet').values()]).toEqual(['ยา', 'empagliflozin', 'tablet'])
})

test('likeness is symmetric, 1 with itself and 0 for empty lists', () => {
  const [a, b] = [wordsOf(ROAD), wordsOf(CLEANING)]
  expect(computeWeightedSimilarity(a, a, weightOf)).toBeCloseTo(1, 10)
  expect(computeWeightedSimilarity(a, b, weightOf)).toBe(computeWeightedSimilarity(b, a, weightOf))
  expect(computeWeightedSimilarity([], [], weightOf)).toBe(0)
})

test('words are stable negative 32-bit numbers', () => {
  const words = wordsOf(ROAD)
  expect(words.every((word) => Number.isInteger(word) && word < 0 && word >= -(2 ** 31))).toBe(true)
  expect(wordsOf(ROAD)).toEqual(words)
  // The numbers of words are stored in databases, so a different number for the same word requires a new
  // TRAITS_VERSION.
  expect(words[0]).toBe(-647585111)
})

test('weighs a common word of the vocabulary that no name of this process contained', async () => {
  const hash = -1 - (hashFnv1a(toLoanWordSpellingKey('ผ้า')) & 0x7fff_ffff)
  const loaded = await loadNameWordExtractor()
  expect(loaded.weightOf(hash)).toBeCloseTo(5.6, 1)
})
