import { expect, test } from 'vitest'
import { compileSemanticSearchMatcher, getSimilarityLevel, SIMILARITY_LEVELS } from './deep-search.ts'

const match = compileSemanticSearchMatcher(
  [
    { term: 'ปรับปรุงถนน', similarity: 1, facet: 0 },
    { term: 'ลาดยาง', similarity: 0.7, facet: 0 },
    { term: 'ปรับปรุง', similarity: 1, facet: 1 },
    { term: 'ซ่อมสร้าง', similarity: 0.5, facet: 1 },
    { term: 'ถนน', similarity: 1, facet: 2 },
    { term: 'ผิวทาง', similarity: 0.6, facet: 2 },
  ],
  (terms) => (name) => (term) => name.includes(terms[term]!),
)

test('the closest term that matches alone decides', () => {
  expect(match('จ้างปรับปรุงถนนลาดยาง')).toEqual({ similarity: 1, terms: ['ปรับปรุงถนน'] })
  expect(match('งานลาดยาง')).toEqual({ similarity: 0.7, terms: ['ลาดยาง'] })
})

test('side terms match only together and score as the weaker one', () => {
  expect(match('จ้างซ่อมสร้างผิวทาง')).toEqual({ similarity: 0.5, terms: ['ซ่อมสร้าง', 'ผิวทาง'] })
  expect(match('จ้างซ่อมสร้างอาคาร')).toBeUndefined()
  expect(match('ผิวทางเดิน')).toBeUndefined()
})

test('side terms win when they are closer than a single term', () => {
  expect(match('ปรับปรุงงานถนน ลาดยาง')).toEqual({ similarity: 1, terms: ['ปรับปรุง', 'ถนน'] })
})

test('every score has a level, and levels rise with the score', () => {
  const levelIndexes = [0, 0.3, 0.54, 0.55, 0.79, 0.8, 1].map((score) =>
    SIMILARITY_LEVELS.indexOf(getSimilarityLevel(score)),
  )
  expect(levelIndexes).toEqual(levelIndexes.toSorted((a, b) => b - a))
  expect(new Set(levelIndexes).size).toBe(SIMILARITY_LEVELS.length)
})
