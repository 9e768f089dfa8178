import { expect, test } from 'vitest'
import {
  findStoredResponseKeysToDelete,
  getEquivalentQueryKeys,
  getStoredResponseKind,
  MAX_STORED_RESPONSE_AGE_MS,
  type StoredResponseMetadata,
} from './stored-response-kinds.ts'

const NOW = 1_000_000_000_000
const facts = (kind: string, ageMs: number, bytes = 10): StoredResponseMetadata => ({ kind, bytes, atMs: NOW - ageMs })

test.each([
  [['users', 'me'], 'account'],
  [['reports', 'page', { project_bookmark: 'true' }], 'page'],
  [['reports', 'queue', {}], 'queue'],
  [['reports', 'queue-rows', ['1']], 'queue rows'],
  [['projects', 'ahead', '69119284417'], 'project'],
  [['pursuits', 'list', {}], 'board'],
  // These are never stored: sessions, API keys, members, operator data, search texts.
  [['users', 'sessions'], undefined],
  [['organisations', 'team'], undefined],
  [['operation', 'overview'], undefined],
  [['usage-log', {}], undefined],
  [['reports', 'suggestions', 'กล้อง'], undefined],
  [['pursuits', 'results', 'of', {}], undefined],
])('%o is stored as %s', (key, kind) => {
  expect(getStoredResponseKind(key)).toBe(kind)
})

test('falls back to a preloaded project for its page; no other key has a fallback', () => {
  expect(getEquivalentQueryKeys(['projects', 'detail', '1'])).toEqual([
    ['projects', 'detail', '1'],
    ['projects', 'ahead', '1'],
  ])
  expect(getEquivalentQueryKeys(['users', 'me'])).toEqual([['users', 'me']])
})

test('R74: keeps the newest of each kind, drops entries older than a week, and limits the total size', () => {
  const pages = new Map(Array.from({ length: 6 }, (_, i) => [`page ${i}`, facts('page', i)] as const))
  expect(findStoredResponseKeysToDelete(pages, NOW)).toEqual(['page 5', 'page 4'])
  const old = new Map([
    ['young', facts('project', MAX_STORED_RESPONSE_AGE_MS)],
    ['old', facts('project', MAX_STORED_RESPONSE_AGE_MS + 1)],
  ])
  expect(findStoredResponseKeysToDelete(old, NOW)).toEqual(['old'])
  const large = new Map([
    ['newest', facts('project', 0, 4_000_000)],
    ['second', facts('project', 1, 1_500_000)],
    ['third', facts('project', 2, 1_500_000)],
    ['small', facts('project', 3, 100)],
  ])
  expect(findStoredResponseKeysToDelete(large, NOW)).toEqual(['third'])
  expect(findStoredResponseKeysToDelete(new Map([['x', facts('gone', 0)]]), NOW)).toEqual(['x'])
})
