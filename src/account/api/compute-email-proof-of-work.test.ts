import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { computeEmailProofOfWork, sha256 } from './compute-email-proof-of-work.ts'

test('hashes like SHA-256 at any length', () => {
  for (const text of ['', 'abc', 'ก'.repeat(18), 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'ที่อยู่'.repeat(40)]) {
    const words = [...sha256(text)].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
    expect(words, text).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

test('the proof of work has eight numbers per address, and stops when aborted', async () => {
  const { signal } = new AbortController()
  expect(await computeEmailProofOfWork(' Pim@Acme.example ', signal, 0)).toBe(
    await computeEmailProofOfWork('pim@acme.example', signal, 0),
  )
  expect(await computeEmailProofOfWork('pim@acme.example', signal, 0)).toMatch(/^0(\.\d{1,7}){8}$/)
  await expect(
    computeEmailProofOfWork('pim@acme.example', AbortSignal.abort(new Error('typed on')), 0),
  ).rejects.toThrow('typed on')
})
