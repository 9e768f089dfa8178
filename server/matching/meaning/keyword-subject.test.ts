import { describe, expect, test } from 'vitest'
import { loadConceptDictionary } from './concept-dictionary.ts'
import { expandKeyword } from './expand-keyword.ts'
import { findKeywordSubject } from './keyword-subject.ts'
import { loadDefaultTermModel } from './term-model.ts'

const subjectOf = (keyword: string) => findKeywordSubject(loadDefaultTermModel(), loadConceptDictionary(), keyword)
const acting = (word: string) =>
  expandKeyword(word)
    .terms.filter(({ state, facet }) => state === 'auto' && facet === 0)
    .map(({ term }) => term)

describe('the subject of a keyword', () => {
  test.each([
    ['กล้องจุลทรรศน์แบบใช้แสง', 'กล้องจุลทรรศน์'],
    ['เครื่องปรับอากาศชนิดแยกส่วน', 'เครื่องปรับอากาศ'],
    ['ติดตั้งเครนไฮโดรลิค', 'เครนไฮโดรลิค'],
    ['ระบบบำบัดน้ำเสีย', 'บำบัดน้ำเสีย'],
    ['ซ่อมแซมสถานีสูบน้ำ', 'สถานีสูบน้ำ'],
    ['โคมไฟถนนแบบแอลอีดีพลังงานแสงอาทิตย์', 'โคมไฟถนน'],
  ])('of %s is %s', (keyword, text) => {
    expect(subjectOf(keyword)).toBe(text)
    expect(acting(keyword)).toContain(text)
  })

  test.each([
    'ซ่อมแซมรถยนต์',
    'ซ่อมแซมลิฟต์',
    'ปรับปรุงถนน',
    'ล้างแอร์',
    'เช่ารถยนต์',
    'ออกแบบงานก่อสร้าง',
    'กล้องวงจรปิด',
    'ระบบประปา',
  ])('of %s is the keyword, because the work is another trade or the dictionary lists it', (keyword) => {
    expect(subjectOf(keyword)).toBe(keyword)
  })

  test('keeps a description that turns a frequent thing into a rarer one', () => {
    expect(subjectOf('รถยนต์บรรทุกแบบเปิดข้างเทท้าย')).toBe('รถยนต์บรรทุกแบบเปิดข้างเทท้าย')
  })
})

describe('a keyword of several notions', () => {
  test('is not matched by a learned term for one of them', () => {
    expect(acting('ขนย้ายท่อระบายน้ำ')).not.toContain('ขนย้ายเศษ')
  })
})

describe('suggestions', () => {
  test('of the highest expected gain come first', () => {
    const offered = expandKeyword('ขุดลอกคลอง')
      .terms.filter(({ state }) => state === 'suggested')
      .map(({ term }) => term)
    expect(offered.slice(0, 4)).toContain('ขุดลอก')
  })

  test('include narrower terms for users who reject the wider one', () => {
    const offered = expandKeyword('เครื่องสูบน้ำ').terms.map(({ term }) => term)
    expect(offered.indexOf('สูบน้ำ')).toBeGreaterThan(offered.indexOf('สูบ'))
  })

  test('include no verb of a device as an active term', () => {
    expect(acting('เครื่องสูบน้ำ')).not.toContain('สูบน้ำ')
    expect(acting('เครื่องสูบน้ำแบบเคลื่อนที่เร็ว')).not.toContain('สูบน้ำ')
  })
})
