import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupRejectedError } from './backup-format.ts'

/**
 * Encrypted backup: a header, then AES-256-GCM chunks. The nonce is the chunk number plus a last-chunk flag, and every
 * chunk authenticates the header, so modified bytes, reordered chunks, truncated files and appended data are all
 * detected. scrypt derives the key from the passphrase with a salt per file, so the same nonce is never used twice with
 * one key (decision 0028).
 */
const MAGIC = Buffer.from('TAMNGANE')
const VERSION = 1
const SALT_BYTES = 16
/** Length of the extra scrypt output that the header contains to distinguish a wrong passphrase from a damaged file. */
const CHECK_BYTES = 16
const HEAD_BYTES = MAGIC.length + 4 + SALT_BYTES + CHECK_BYTES
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16
const SEALED_BYTES = CHUNK_BYTES + TAG_BYTES
const KEY_BYTES = 32

/** Cost of scrypt: 128 MB and half a second per guess. */
const LOG_N = 17
const R = 8
const P = 1
/** The header is parsed before it is authenticated, so cap the memory that it can demand at 1 GB. */
const MAX_LOG_N = 20

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

type Cost = { readonly logN: number; readonly r: number; readonly p: number }

async function deriveKey(
  passphrase: string,
  salt: Buffer,
  { logN, r, p }: Cost,
): Promise<{ key: Buffer; check: Buffer }> {
  const derived = await derive(passphrase.normalize('NFC'), salt, KEY_BYTES + CHECK_BYTES, {
    N: 2 ** logN,
    r,
    p,
    maxmem: 2 ** logN * r * 128 + 2 ** 20,
  })
  return { key: derived.subarray(0, KEY_BYTES), check: derived.subarray(KEY_BYTES) }
}

/** Returns the nonce of a chunk: eleven bytes of chunk number, then the last-chunk flag. */
function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(chunk, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

async function* rechunk(
  bytes: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ readonly chunk: Buffer; readonly isLast: boolean }> {
  let pending: Buffer = Buffer.alloc(0)
  for await (const piece of bytes) {
    pending = pending.length === 0 ? piece : Buffer.concat([pending, piece])
    // Hold back a full chunk until more bytes arrive, because it may be the last.
    let from = 0
    for (; pending.length - from > size; from += size)
      yield { chunk: pending.subarray(from, from + size), isLast: false }
    pending = pending.subarray(from)
  }
  yield { chunk: pending, isLast: true }
}

export async function* encryptBackup(
  bytes: AsyncIterable<Buffer>,
  passphrase: string,
  { logN = LOG_N }: { readonly logN?: number } = {},
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const { key, check } = await deriveKey(passphrase, salt, { logN, r: R, p: P })
  const head = Buffer.concat([MAGIC, Buffer.from([VERSION, logN, R, P]), salt, check])
  yield head
  let at = 0
  for await (const { chunk, isLast } of rechunk(bytes, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(at, isLast)).setAAD(head)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    at += 1
  }
}

/**
 * Decrypts a sealed backup; passes bytes through unchanged if they do not start with the magic (unencrypted backups).
 * Rejects with `BackupRejectedError` for a missing or wrong passphrase and for a modified or truncated file; everything
 * yielded before that is authentic.
 */
export async function* decryptBackup(
  bytes: AsyncIterable<Buffer>,
  file: string,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const reader = bytes[Symbol.asyncIterator]()
  let prefix: Buffer = Buffer.alloc(0)
  while (prefix.length < HEAD_BYTES) {
    const { value, done } = await reader.next()
    if (done === true) break
    prefix = Buffer.concat([prefix, value])
  }
  const stream = prepend(prefix, reader)
  if (!prefix.subarray(0, MAGIC.length).equals(MAGIC)) {
    yield* stream
    return
  }
  yield* openSealed(stream, file, passphrase)
}

async function* prepend(prefix: Buffer, reader: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield prefix
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) yield next.value
}

async function* openSealed(
  bytes: AsyncGenerator<Buffer>,
  file: string,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const first = (await bytes.next()).value as Buffer
  const head = first.subarray(0, HEAD_BYTES)
  if (head.length < HEAD_BYTES) throw new BackupRejectedError(`${file} is damaged: it is truncated`)
  if (passphrase === undefined)
    throw new BackupRejectedError(
      `${file} is encrypted: set BACKUP_KEY (or BACKUP_KEY_FILE) to the key that it was encrypted with`,
    )
  const [version, logN, r, p] = head.subarray(MAGIC.length) as unknown as [number, number, number, number]
  if (version !== VERSION)
    throw new BackupRejectedError(`${file} uses encryption format ${version}, this program supports format ${VERSION}`)
  if (logN < 1 || logN > MAX_LOG_N || r !== R || p !== P)
    throw new BackupRejectedError(`${file} is damaged: its header is invalid`)
  const salt = head.subarray(MAGIC.length + 4, MAGIC.length + 4 + SALT_BYTES)
  const { key, check } = await deriveKey(passphrase, salt, { logN, r, p })
  if (!timingSafeEqual(check, head.subarray(-CHECK_BYTES)))
    throw new BackupRejectedError(
      `${file} was encrypted with a key other than BACKUP_KEY (or its first ${HEAD_BYTES} bytes are damaged)`,
    )
  let at = 0
  for await (const { chunk, isLast } of rechunk(prepend(first.subarray(HEAD_BYTES), bytes), SEALED_BYTES)) {
    const plain = unseal(key, head, chunk, nonceOf(at, isLast))
    if (plain === undefined) {
      const isCutOff =
        isLast && (chunk.length < TAG_BYTES || unseal(key, head, chunk, nonceOf(at, false)) !== undefined)
      throw new BackupRejectedError(
        `${file} is damaged: ${isCutOff ? 'it is truncated' : `bytes of chunk ${at + 1} were changed, or the end is missing`}`,
      )
    }
    yield plain
    at += 1
  }
}

function unseal(key: Buffer, head: Buffer, chunk: Buffer, nonce: Buffer): Buffer | undefined {
  if (chunk.length < TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(head).setAuthTag(chunk.subarray(-TAG_BYTES))
  const plain = decipher.update(chunk.subarray(0, -TAG_BYTES))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return undefined
  }
}
