import { describe, expect, test } from 'vitest'
import { countTitles } from './count-titles.ts'
import { flagMeaningfulUnits } from './drop-names.ts'
import { countTokens, learnPhrases } from './learn-phrases.ts'
import { quantise } from './quantise.ts'
import { computeSymmetricEigen } from './small-matrix.ts'

describe('training similar terms', () => {
  test('drops people and places and keeps things', () => {
    const words = ['นาย', 'สมชาย', 'ใจดี', 'ตำบล', 'หนองแค', 'โต๊ะ', 'ซื้อ', 'นายสมศักดิ์']
    const of = (...titles: string[]) =>
      Int32Array.from(titles.flatMap((title) => [...title.split(' ').map((word) => words.indexOf(word)), -1]))
    const tokens = of('ซื้อ โต๊ะ', 'นาย สมชาย ใจดี', 'ซื้อ โต๊ะ ตำบล หนองแค', 'นายสมศักดิ์')
    const keeps = flagMeaningfulUnits(words, countTokens(words.length, tokens), tokens)
    expect(words.filter((_, id) => keeps[id])).toEqual(['นาย', 'ตำบล', 'โต๊ะ', 'ซื้อ'])
  })

  test('joins adjacent words, but never a procurement word', () => {
    const titles = Array.from({ length: 60 }, (_, at) => `ซื้อแม่ข่าย ${['โต๊ะ', 'ถนน', 'อาคาร'][at % 3]}`)
    const { words, tokens } = learnPhrases(titles, () => {})
    const counts = countTokens(words.length, tokens)
    const used = words.filter((_, id) => counts[id]! > 0)
    expect(used).toContain('แม่ข่าย')
    expect(used).toContain('ซื้อ')
  })

  test('counts titles as matching does: once each, short terms on word borders', () => {
    const titles = ['ซื้อยา ยา ยา', 'ซื้อยางรถยนต์', 'ติดตั้งกล้องวงจรปิด']
    expect([...countTitles(titles, ['ยา', 'วงจรปิด', 'ถนน'])]).toEqual([1, 1, 0])
  })

  test('quantises vectors to int8, including the zero vector', () => {
    expect([...quantise(Float32Array.from([0.5, -1, 0]))]).toEqual([64, -127, 0])
    expect([...quantise(new Float32Array(2))]).toEqual([0, 0])
  })

  test('finds eigenvalues, largest first', () => {
    const { values, vectors } = computeSymmetricEigen(Float64Array.from([2, 1, 1, 2]), 2)
    expect(values.map((value) => Math.round(value * 1e6) / 1e6)).toEqual([3, 1])
    expect(Math.abs(vectors[0]!)).toBeCloseTo(Math.SQRT1_2)
  })
})
