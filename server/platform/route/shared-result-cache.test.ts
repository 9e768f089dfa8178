import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SharedResultCache } from './shared-result-cache.ts'

const results = () => new SharedResultCache<Uint8Array>({ maxBytes: 1_000, bytesOf: ({ byteLength }) => byteLength })

test('counts the bytes of finished results and evicts the least recently used beyond its bound', async () => {
  const cache = results()
  for (let i = 0; i < 50; i += 1) {
    await cache.add(
      `question ${i}`,
      sleep(1).then(() => new Uint8Array(300)),
    )
    expect(cache.bytes).toBe(Math.min(i + 1, 3) * 300)
  }
  expect(cache.has('question 46')).toBe(false)
  expect((await cache.get('question 47'))?.byteLength).toBe(300)
})

test('returns results larger than its limit without caching them', async () => {
  const cache = results()
  expect((await cache.add('large', Promise.resolve(new Uint8Array(5_000)))).byteLength).toBe(5_000)
  expect([cache.bytes, cache.has('large')]).toEqual([0, false])
})

test('shares a running computation and forgets a failed one', async () => {
  const cache = results()
  const slow = cache.add(
    'slow',
    sleep(5).then(() => new Uint8Array(1)),
  )
  expect(cache.get('slow')).toBe(slow)
  await expect(cache.add('bad', Promise.reject(new Error('too slow')))).rejects.toThrow('too slow')
  expect(cache.has('bad')).toBe(false)
})
