import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_KEYWORD_TERM_LENGTH, MAX_TERMS_PER_KEYWORD } from '#contract/matching/keyword-term.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { expandKeyword } from './expand-keyword.ts'
import { loadDefaultTermModel } from './term-model.ts'
import { isWordFragment } from './term-similarity.ts'
import { isWholeWord, requiresWordBoundaries } from './word-borders.ts'

const acting = (word: string) =>
  expandKeyword(word)
    .terms.filter(({ state, facet }) => state === 'auto' && facet === 0)
    .map(({ term }) => term)

describe('an AI keyword', () => {
  test('activates other names of the same thing', () => {
    expect(acting('กล้องวงจรปิด')).toEqual(expect.arrayContaining(['cctv', 'โทรทัศน์วงจรปิด']))
    expect(acting('โซลาร์เซลล์')).toEqual(expect.arrayContaining(['โซล่าเซลล์', 'พลังงานแสงอาทิตย์']))
  })

  test('is recognised in another spelling and with blanks', () => {
    expect(acting('โซล่าร์ เซล')).toEqual(expect.arrayContaining(['โซล่าเซลล์']))
  })

  test('with two concepts has two sides with their own words', () => {
    const { terms } = expandKeyword('ปรับปรุงถนน')
    const side = (number: number) => terms.filter(({ facet }) => facet === number).map(({ term }) => term)
    expect(side(1)).toEqual(expect.arrayContaining(['ปรับปรุง', 'ซ่อมสร้าง']))
    expect(side(2)).toEqual(expect.arrayContaining(['ถนน', 'ผิวทาง']))
  })

  test('only suggests merely similar terms: another vehicle, a wider concept', () => {
    expect(acting('รถดับเพลิง')).not.toContain('รถบรรทุกน้ำ')
    expect(acting('ล้างแอร์')).not.toContain('เครื่องปรับอากาศ')
    expect(acting('หมึกพิมพ์')).not.toContain('วัสดุคอมพิวเตอร์')
    // Few titles contain `server`, so its neighbours in them are coincidental.
    expect(acting('server')).not.toContain('zoom')
    expect(acting('server')).toContain('แม่ข่าย')
  })

  test('only suggests a part that is a wider concept, unless just a generic word is missing', () => {
    expect(acting('รถบรรทุกเทท้าย')).not.toContain('รถบรรทุก')
    expect(acting('เจาะบ่อบาดาล')).toEqual(expect.arrayContaining(['บ่อบาดาล']))
    expect(acting('เจาะบ่อบาดาล')).not.toContain('บาดาล')
    expect(acting('เครื่องคอมพิวเตอร์')).toContain('คอมพิวเตอร์')
  })

  test('matches by its first concept alone when the second is generic', () => {
    expect(acting('ออกแบบงานก่อสร้าง')).toContain('ออกแบบ')
    expect(acting('ก่อสร้างถนน')).not.toContain('ก่อสร้าง')
  })

  test('matches its other spellings', () => {
    expect(acting('โน๊ตบุ๊ค')).toEqual(expect.arrayContaining(['โน้ตบุ๊ก', 'โน๊ตบุ๊ก']))
    expect(acting('อาคารอเนกประสงค์')).toContain('อาคารเอนกประสงค์')
  })

  test('does not match words that look alike only without marks', () => {
    expect(acting('กล้อง')).toEqual(['กล้อง'])
    for (const similarWord of ['กล้อง', 'กล่อง', 'กลอง']) expect(acting('คลอง')).not.toContain(similarWord)
    expect(acting('อาคาร')).not.toContain('อาการ')
  })

  test('matches spellings with and without a short vowel or a hyphen, and with b or p', () => {
    expect(acting('สาธารณะประโยชน์')).toContain('สาธารณประโยชน์')
    expect(acting('ดับเบิ้ลแคป')).toContain('ดับเบิ้ลแค็บ')
    expect(acting('over-lay')).toContain('overlay')
  })

  test('does not offer the procedure word that ends nine of ten titles', () => {
    for (const word of ['คอมพิวเตอร์', 'เครื่องพิมพ์'])
      expect(expandKeyword(word).terms.map(({ term }) => term)).not.toContain('อิเล็กทรอนิกส์')
    expect(acting('ป้ายอิเล็กทรอนิกส์').length).toBeGreaterThan(0)
  })

  test('does not offer a word of every twentieth title', () => {
    for (const [keyword, word] of [
      ['เครื่องคอมพิวเตอร์', 'เครื่อง'],
      ['ถนนคอนกรีต', 'ก่อสร้าง'],
      ['ถนนคอนกรีต', 'คอนกรีต'],
    ] as const)
      expect(expandKeyword(keyword).terms.map(({ term }) => term)).not.toContain(word)
    expect(expandKeyword('เครื่องปรับอากาศ').terms.map(({ term }) => term)).toContain('ปรับอากาศ')
  })

  test('does not offer fragments of the keyword', () => {
    const pieces = expandKeyword('เครื่องคอมพิวเตอร์').terms.map(({ term }) => term)
    expect(pieces).not.toContain('พิวเตอร์')
  })

  test('without any occurrence in titles is unknown and matches only itself', () => {
    for (const word of ['zqxwv', 'ฆฆฆฎฎฎฌฌ', 'ฅฆฅฃฅฃ']) {
      const { known: isKnown, terms } = expandKeyword(word)
      expect(isKnown).toBe(false)
      expect(terms).toEqual([
        {
          term: toNormalisedSearchText(word),
          source: 'literal',
          state: 'auto',
          similarity: 1,
          facet: 0,
          title_count: null,
        },
      ])
    }
  })

  test('activates more terms, all without a tick, in a deep search', () => {
    const narrow = expandKeyword('เครื่องสำรองไฟฟ้า').terms.filter(({ state }) => state === 'auto')
    const wide = expandKeyword('เครื่องสำรองไฟฟ้า', { wide: true }).terms
    expect(wide.every(({ state }) => state === 'auto')).toBe(true)
    expect(wide.length).toBeGreaterThan(narrow.length)
    expect(wide.map(({ term }) => term)).toEqual(expect.arrayContaining(narrow.map(({ term }) => term)))
  })
})

describe('every expansion', () => {
  const parts = [
    ...['ปรับปรุง', 'ถนน', 'กล้องวงจรปิด', 'ระบบ', 'ซื้อ', 'ยา', 'รถ', 'ขยะ', 'เครื่อง', 'server', 'led', 'คอมพิวเตอร์'],
    ...['น้ำ', 'ประปา', 'โรงเรียน', ' ', '12', 'x-ray', 'ฮฮฮ', 'อาหารกลางวัน', 'ติดตั้ง'],
  ]
  const keyword = fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 })
    .map((some) => some.join(''))
    .filter((text) => toNormalisedSearchText(text).length >= 2)

  test('starts with the keyword, respects the limits, has no duplicates and is deterministic', () => {
    fc.assert(
      fc.property(keyword, fc.boolean(), (word, wide) => {
        const { terms } = expandKeyword(word, { wide })
        expect(terms[0]).toMatchObject({
          term: toNormalisedSearchText(word),
          source: 'literal',
          state: 'auto',
          similarity: 1,
          facet: 0,
        })
        expect(terms.length).toBeLessThanOrEqual(MAX_TERMS_PER_KEYWORD)
        expect(new Set(terms.map(({ term, facet }) => `${facet} ${term}`)).size).toBe(terms.length)
        for (const { term, similarity, facet, title_count } of terms) {
          expect(term).toBe(toNormalisedSearchText(term))
          expect(term.length).toBeLessThanOrEqual(
            Math.max(MAX_KEYWORD_TERM_LENGTH, toNormalisedSearchText(word).length),
          )
          expect(similarity).toBeGreaterThanOrEqual(0)
          expect(similarity).toBeLessThanOrEqual(1)
          expect(Number.isInteger(facet)).toBe(true)
          expect(title_count === null || title_count > 0).toBe(true)
        }
        expect(expandKeyword(word, { wide }).terms).toEqual(terms)
      }),
      { numRuns: 12 },
    )
  })

  test('offers no unit that begins or ends inside of a word', () => {
    const model = loadDefaultTermModel()
    const anyUnit = fc.integer({ min: 0, max: model.words.length - 1 }).map((id) => model.words[id]!)
    const word = fc.oneof(keyword, anyUnit).filter((text) => toNormalisedSearchText(text).length >= 2)
    fc.assert(
      fc.property(word, fc.boolean(), (text, wide) => {
        for (const { term, source } of expandKeyword(text, { wide }).terms) {
          if (source !== 'learned' || toNormalisedSearchText(text).includes(term)) continue
          // A learned term has no leading sign that needs a letter before it and no trailing vowel that needs one after
          // it.
          expect(term).not.toMatch(/^[\u0e30-\u0e3a\u0e45-\u0e4e]|[\u0e40-\u0e44]$/)
          const id = model.ids.get(term)
          if (id !== undefined) expect([term, isWordFragment(model, id)]).toEqual([term, false])
        }
      }),
      { numRuns: 60 },
    )
    expect(
      ['พิวเตอร์', 'องค์การบริหารส่ว', 'ครื่องปรับอากาศ'].map((text) => isWordFragment(model, model.ids.get(text)!)),
    ).toEqual([true, true, true])
    expect(
      ['คอมพิวเตอร์', 'หม้อแปลง', 'จักรยาน', 'งบประมาณ'].some((text) => isWordFragment(model, model.ids.get(text)!)),
    ).toBe(false)
  })

  test('offers no term whose titles an active term already finds', () => {
    for (const word of ['กล้องวงจรปิด', 'เครื่องปรับอากาศ', 'ทำความสะอาด', 'คอมพิวเตอร์']) {
      const standaloneTerms = expandKeyword(word).terms.filter(({ facet }) => facet === 0)
      standaloneTerms.forEach(({ term }, index) => {
        const finders = standaloneTerms.slice(0, index).filter((earlier) => {
          if (earlier.state !== 'auto') return false
          const at = term.indexOf(earlier.term)
          return at >= 0 && (!requiresWordBoundaries(earlier.term) || isWholeWord(term, at, at + earlier.term.length))
        })
        expect(finders).toEqual([])
      })
    }
  })
})
