import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { decryptBackup, encryptBackup } from './encrypted-backup.ts'

const KEY = 'a long passphrase of the house'
const QUICK = { logN: 4 }
const HEAD = 44
const CHUNK = 65_536 + 16

const seal = (plain: Buffer, piece = 10_000) => buffer(Readable.from(encryptBackup(inPieces(plain, piece), KEY, QUICK)))
const open = (sealed: Buffer, key: string | undefined = KEY, piece = 10_000) =>
  buffer(Readable.from(decryptBackup(inPieces(sealed, piece), 'a.gz', key)))

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 1
  return copy
}

describe('R47: an encrypted backup', () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])(
    'of %d bytes opens to the same bytes, whatever the chunk sizes',
    async (length) => {
      const plain = randomBytes(length)
      const sealed = await seal(plain, 7_777)
      for (const piece of [1_000, CHUNK, 1_000_000]) expect((await open(sealed, KEY, piece)).equals(plain)).toBe(true)
      expect(sealed.includes(plain.subarray(0, 16)) && length > 15).toBe(false)
    },
  )

  test('is different each time', async () => {
    const plain = randomBytes(100)
    expect((await seal(plain)).equals(await seal(plain))).toBe(false)
  })

  test('does not open with another key or none, and explains it in a sentence', async () => {
    const sealed = await seal(randomBytes(100_000))
    await expect(open(sealed, 'a long passphrase of another')).rejects.toThrow(
      'a.gz was encrypted with a key other than BACKUP_KEY',
    )
    await expect(buffer(Readable.from(decryptBackup(inPieces(sealed, 100), 'a.gz', undefined)))).rejects.toThrow(
      'a.gz is encrypted: set BACKUP_KEY',
    )
  })

  test('opens with a passphrase in another Unicode form', async () => {
    const sealed = await buffer(Readable.from(encryptBackup(inPieces(Buffer.from('x'), 1), 'Caf\u00e9 ของเรา', QUICK)))
    expect((await open(sealed, 'Cafe\u0301 ของเรา')).toString()).toBe('x')
  })

  test('is refused after a change of any byte', async () => {
    const sealed = await seal(randomBytes(150_000))
    const offsets = [...Array(HEAD).keys(), HEAD, HEAD + CHUNK - 1, HEAD + CHUNK, HEAD + 2 * CHUNK, sealed.length - 1]
    for (const at of offsets.filter((at) => at > 7))
      await expect(open(flipped(sealed, at)), `byte ${at}`).rejects.toThrow(/a\.gz/)
  })

  test('is refused when truncated anywhere or extended', async () => {
    const sealed = await seal(randomBytes(150_000))
    for (const length of [
      8,
      HEAD - 1,
      HEAD,
      HEAD + 5,
      HEAD + CHUNK,
      HEAD + CHUNK + 1,
      HEAD + 2 * CHUNK,
      sealed.length - 1,
    ])
      await expect(open(sealed.subarray(0, length)), `${length} bytes`).rejects.toThrow('a.gz is damaged')
    await expect(open(Buffer.concat([sealed, Buffer.from([0])]))).rejects.toThrow('a.gz is damaged')
    await expect(open(sealed.subarray(0, HEAD + CHUNK))).rejects.toThrow('it is truncated')
  })

  test('is refused when its chunks are reordered', async () => {
    const sealed = await seal(randomBytes(200_000))
    const [first, second] = [sealed.subarray(HEAD, HEAD + CHUNK), sealed.subarray(HEAD + CHUNK, HEAD + 2 * CHUNK)]
    const swapped = Buffer.concat([sealed.subarray(0, HEAD), second, first, sealed.subarray(HEAD + 2 * CHUNK)])
    await expect(open(swapped)).rejects.toThrow('bytes of chunk 1 were changed')
  })

  test('of a later version or beyond the memory limit is refused before any work', async () => {
    const sealed = await seal(Buffer.from('x'))
    for (const [at, value, why] of [
      [8, 2, 'encryption format 2'],
      [9, 31, 'its head'],
      [10, 255, 'its head'],
    ] as const) {
      const damaged = Buffer.from(sealed)
      damaged[at] = value
      await expect(open(damaged)).rejects.toThrow(why)
    }
  })

  test('passes unencrypted bytes through, with or without a key, even fewer than a header', async () => {
    for (const plain of [randomBytes(100_000), Buffer.from([0x1f, 0x8b, 8]), Buffer.alloc(0)])
      for (const key of [KEY, undefined])
        expect((await buffer(Readable.from(decryptBackup(inPieces(plain, 999), 'a.gz', key)))).equals(plain)).toBe(true)
  })
})
