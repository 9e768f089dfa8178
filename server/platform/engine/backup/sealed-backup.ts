import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupRefused } from './backup-format.ts'

/**
 * An encrypted backup: a head, then chunks of AES-256-GCM. Each chunk's nonce is its number and whether it is the last, and the head is authenticated with each: a byte that was
 * changed, chunks in another order, and a file that was cut off or went on are all found. The key comes from the passphrase by scrypt with the file's own salt, so a nonce never meets
 * a key twice (decision 0028).
 */
const MAGIC = Buffer.from('TAMNGANE')
const VERSION = 1
const SALT_BYTES = 16
/** Of what scrypt made beside the key: tells another key from a damaged file. */
const CHECK_BYTES = 16
/** Magic, version, log2 of N, r, p, salt, check. */
const HEAD_BYTES = MAGIC.length + 4 + SALT_BYTES + CHECK_BYTES
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16
const SEALED_BYTES = CHUNK_BYTES + TAG_BYTES
const KEY_BYTES = 32

/** 128 MB and half a second for each guess. */
const LOG_N = 17
const R = 8
const P = 1
/** A head is read before it is believed: what it may ask of this machine, 1 GB. */
const MOST_LOG_N = 20

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

type Cost = { readonly logN: number; readonly r: number; readonly p: number }

/** Throws a sentence for a head that asks for more than this machine should give. */
async function keyOf(passphrase: string, salt: Buffer, { logN, r, p }: Cost): Promise<{ key: Buffer; check: Buffer }> {
  const made = await derive(passphrase.normalize('NFC'), salt, KEY_BYTES + CHECK_BYTES, {
    N: 2 ** logN,
    r,
    p,
    maxmem: 2 ** logN * r * 128 + 2 ** 20,
  })
  return { key: made.subarray(0, KEY_BYTES), check: made.subarray(KEY_BYTES) }
}

/** The number of the chunk in eleven bytes, then whether it is the last. */
function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(chunk, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Bytes in chunks of `size`, the last one with what is left, which may be nothing. */
async function* inChunks(
  bytes: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ readonly chunk: Buffer; readonly isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0)
  for await (const piece of bytes) {
    held = held.length === 0 ? piece : Buffer.concat([held, piece])
    // A full chunk is held until something follows it: it may be the last.
    let from = 0
    for (; held.length - from > size; from += size) yield { chunk: held.subarray(from, from + size), isLast: false }
    held = held.subarray(from)
  }
  yield { chunk: held, isLast: true }
}

/** `bytes` encrypted with a key of its own, made from `passphrase`. `logN`: log2 of the cost of scrypt. */
export async function* sealBackup(
  bytes: AsyncIterable<Buffer>,
  passphrase: string,
  { logN = LOG_N }: { readonly logN?: number } = {},
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const { key, check } = await keyOf(passphrase, salt, { logN, r: R, p: P })
  const head = Buffer.concat([MAGIC, Buffer.from([VERSION, logN, R, P]), salt, check])
  yield head
  let at = 0
  for await (const { chunk, isLast } of inChunks(bytes, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(at, isLast)).setAAD(head)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    at += 1
  }
}

/**
 * What was sealed, or the bytes as they are when they begin in another way, as backups without a key do. Rejects with `BackupRefused` without a passphrase, for another one, and for a file that
 * was changed or cut off; what was yielded before is authentic.
 */
export async function* openBackup(
  bytes: AsyncIterable<Buffer>,
  file: string,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const reader = bytes[Symbol.asyncIterator]()
  let begun: Buffer = Buffer.alloc(0)
  while (begun.length < HEAD_BYTES) {
    const { value, done } = await reader.next()
    if (done === true) break
    begun = Buffer.concat([begun, value])
  }
  const rest = following(begun, reader)
  if (!begun.subarray(0, MAGIC.length).equals(MAGIC)) {
    yield* rest
    return
  }
  yield* openSealed(rest, file, passphrase)
}

async function* following(begun: Buffer, reader: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield begun
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) yield next.value
}

async function* openSealed(
  bytes: AsyncGenerator<Buffer>,
  file: string,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const first = (await bytes.next()).value as Buffer
  const head = first.subarray(0, HEAD_BYTES)
  if (head.length < HEAD_BYTES) throw new BackupRefused(`${file} is damaged: it is cut off`)
  if (passphrase === undefined)
    throw new BackupRefused(
      `${file} is encrypted: set BACKUP_KEY (or BACKUP_KEY_FILE) to the key that it was made with`,
    )
  const [version, logN, r, p] = head.subarray(MAGIC.length) as unknown as [number, number, number, number]
  if (version !== VERSION)
    throw new BackupRefused(`${file} is encrypted in form ${version}, this program opens form ${VERSION}`)
  if (logN < 1 || logN > MOST_LOG_N || r !== R || p !== P) throw new BackupRefused(`${file} is damaged: its head`)
  const salt = head.subarray(MAGIC.length + 4, MAGIC.length + 4 + SALT_BYTES)
  const { key, check } = await keyOf(passphrase, salt, { logN, r, p })
  if (!timingSafeEqual(check, head.subarray(-CHECK_BYTES)))
    throw new BackupRefused(
      `${file} was encrypted with another key than BACKUP_KEY (or its first ${HEAD_BYTES} bytes are damaged)`,
    )
  let at = 0
  for await (const { chunk, isLast } of inChunks(following(first.subarray(HEAD_BYTES), bytes), SEALED_BYTES)) {
    const plain = unseal(key, head, chunk, nonceOf(at, isLast))
    if (plain === undefined) {
      const isCutOff =
        isLast && (chunk.length < TAG_BYTES || unseal(key, head, chunk, nonceOf(at, false)) !== undefined)
      throw new BackupRefused(
        `${file} is damaged: ${isCutOff ? 'it is cut off' : `bytes of chunk ${at + 1} were changed, or the end is missing`}`,
      )
    }
    yield plain
    at += 1
  }
}

/** Undefined: not what was written under this key, at this place. */
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
