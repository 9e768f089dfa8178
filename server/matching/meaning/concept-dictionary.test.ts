import { describe, expect, test } from 'vitest'
import { MAX_KEYWORD_TERM_LENGTH } from '#contract/matching/keyword-term.ts'
import { ConceptDictionary, loadConceptDictionary } from './concept-dictionary.ts'

const small = new ConceptDictionary(`
# heading
truck : รถบรรทุก | รถสิบล้อ > รถดั้ม
watertruck : รถบรรทุกน้ำ | รถน้ำ
firetruck : รถดับเพลิง | รถบรรทุกน้ำดับเพลิง
solar : โซลาร์เซลล์ | Solar Cell
`)

describe('a dictionary', () => {
  test('returns synonyms and narrower words, but not the wider word for a narrower one', () => {
    expect(small.wordsFor('รถสิบล้อ')).toEqual(['รถบรรทุก', 'รถดั้ม'])
    expect(small.wordsFor('รถดั้ม')).toEqual([])
  })

  test('finds a word in another spelling and in its search form', () => {
    expect(small.wordsFor('โซล่าเซล')).toEqual(['โซลาร์เซลล์', 'solar cell'])
  })

  test('distinguishes words of different concepts, also within a longer text', () => {
    expect(small.isUnrelated('รถดับเพลิง', 'รถบรรทุกน้ำ')).toBe(true)
    expect(small.isUnrelated('รถดับเพลิง', 'ซ่อมรถบรรทุกน้ำ')).toBe(true)
    expect(small.isUnrelated('รถดับเพลิง', 'รถบรรทุกน้ำดับเพลิง')).toBe(false)
    expect(small.isUnrelated('รถดับเพลิง', 'รถยกของ')).toBe(false)
  })

  test('names the malformed line', () => {
    expect(() => new ConceptDictionary('road ถนน')).toThrow('road ถนน')
  })
})

describe('the shipped dictionary', () => {
  test('has unique names, unique words per line, and no word too long for a term', () => {
    const { concepts } = loadConceptDictionary()
    const names = concepts.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    for (const { name, equal, narrower } of concepts) {
      const words = [...equal, ...narrower]
      expect([name, words.filter((word, at) => words.indexOf(word) !== at)]).toEqual([name, []])
      expect(words.every((word) => word.length >= 2 && word.length <= MAX_KEYWORD_TERM_LENGTH)).toBe(true)
    }
  })
})
