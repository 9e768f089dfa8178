import { describe, expect, test } from 'vitest'
import { MAX_TERM_LENGTH } from '#contract/matching/keyword-term.ts'
import { Dictionary, dictionary } from './dictionary.ts'

const small = new Dictionary(`
# heading
truck : รถบรรทุก | รถสิบล้อ > รถดั้ม
watertruck : รถบรรทุกน้ำ | รถน้ำ
firetruck : รถดับเพลิง | รถบรรทุกน้ำดับเพลิง
solar : โซลาร์เซลล์ | Solar Cell
`)

describe('a dictionary', () => {
  test('gives equal words and kinds, but not the wider word for a kind', () => {
    expect(small.wordsFor('รถสิบล้อ')).toEqual(['รถบรรทุก', 'รถดั้ม'])
    expect(small.wordsFor('รถดั้ม')).toEqual([])
  })

  test('knows a word in another spelling, and in the form that matching compares', () => {
    expect(small.wordsFor('โซล่าเซล')).toEqual(['โซลาร์เซลล์', 'solar cell'])
  })

  test('tells apart what it names differently, also inside a longer text', () => {
    expect(small.tellsApart('รถดับเพลิง', 'รถบรรทุกน้ำ')).toBe(true)
    expect(small.tellsApart('รถดับเพลิง', 'ซ่อมรถบรรทุกน้ำ')).toBe(true)
    expect(small.tellsApart('รถดับเพลิง', 'รถบรรทุกน้ำดับเพลิง')).toBe(false)
    expect(small.tellsApart('รถดับเพลิง', 'รถยกของ')).toBe(false)
  })

  test('says which line is none', () => {
    expect(() => new Dictionary('road ถนน')).toThrow('road ถนน')
  })
})

describe('the shipped dictionary', () => {
  test('has each name once, each word once a line, and no word too long to be a term', () => {
    const { concepts } = dictionary()
    const names = concepts.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    for (const { name, equal, narrower } of concepts) {
      const words = [...equal, ...narrower]
      expect([name, words.filter((word, at) => words.indexOf(word) !== at)]).toEqual([name, []])
      expect(words.every((word) => word.length >= 2 && word.length <= MAX_TERM_LENGTH)).toBe(true)
    }
  })
})
