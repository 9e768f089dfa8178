import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256, workFor } from './email-work.ts'

test('hashes as SHA-256 does, whatever the length', () => {
  for (const text of ['', 'abc', 'ก'.repeat(18), 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'ที่อยู่'.repeat(40)]) {
    const words = [...sha256(text)].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
    expect(words, text).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

test('the work is eight numbers of one address, and ends when it is abandoned', async () => {
  const { signal } = new AbortController()
  expect(await workFor(' Pim@Acme.example ', signal, 0)).toBe(await workFor('pim@acme.example', signal, 0))
  expect(await workFor('pim@acme.example', signal, 0)).toMatch(/^0(\.\d{1,7}){8}$/)
  await expect(workFor('pim@acme.example', AbortSignal.abort(new Error('typed on')), 0)).rejects.toThrow('typed on')
})
