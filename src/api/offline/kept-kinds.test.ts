import { expect, test } from 'vitest'
import { type KeptFacts, kindOf, MOST_AGE_MS, standInsFor, surplusOf } from './kept-kinds.ts'

const NOW = 1_000_000_000_000
const facts = (kind: string, ageMs: number, bytes = 10): KeptFacts => ({ kind, bytes, atMs: NOW - ageMs })

test.each([
  [['users', 'me'], 'account'],
  [['reports', 'page', { project_bookmark: 'true' }], 'page'],
  [['reports', 'queue', {}], 'queue'],
  [['reports', 'queue-rows', ['1']], 'queue rows'],
  [['projects', 'ahead', '69119284417'], 'project'],
  [['pursuits', 'list', {}], 'board'],
  // Never stored: sessions, API keys, members, operator data, search texts.
  [['users', 'sessions'], undefined],
  [['organisations', 'team'], undefined],
  [['operation', 'overview'], undefined],
  [['usage-log', {}], undefined],
  [['reports', 'suggestions', 'กล้อง'], undefined],
  [['pursuits', 'results', 'of', {}], undefined],
])('%o is kept as %s', (key, kind) => {
  expect(kindOf(key)).toBe(kind)
})

test('a project that was asked for ahead stands in for its page, and nothing else for another', () => {
  expect(standInsFor(['projects', 'detail', '1'])).toEqual([
    ['projects', 'detail', '1'],
    ['projects', 'ahead', '1'],
  ])
  expect(standInsFor(['users', 'me'])).toEqual([['users', 'me']])
})

test('R74: of a kind the newest stay, what is over a week old goes, and all together keeps its size', () => {
  const pages = new Map(Array.from({ length: 6 }, (_, i) => [`page ${i}`, facts('page', i)] as const))
  expect(surplusOf(pages, NOW)).toEqual(['page 5', 'page 4'])
  const old = new Map([
    ['young', facts('project', MOST_AGE_MS)],
    ['old', facts('project', MOST_AGE_MS + 1)],
  ])
  expect(surplusOf(old, NOW)).toEqual(['old'])
  const large = new Map([
    ['newest', facts('project', 0, 4_000_000)],
    ['second', facts('project', 1, 1_500_000)],
    ['third', facts('project', 2, 1_500_000)],
    ['small', facts('project', 3, 100)],
  ])
  expect(surplusOf(large, NOW)).toEqual(['third'])
  // Stored by an older version under a kind that no longer exists.
  expect(surplusOf(new Map([['x', facts('gone', 0)]]), NOW)).toEqual(['x'])
})
