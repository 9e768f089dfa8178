import { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { readXlsContent, readZipContent } from './archive.ts'
import type { IsTableHeaderFn } from './csv-rows.ts'
import { detectUtf16 } from './encoding.ts'

/** Maximum unpacked size. A whole year (4.7 million rows) unpacks to about 3 GB. */
const MAX_UNPACKED_BYTES = 16 * 2 ** 30
/** Real files unpack to 4–12 times their size. A higher ratio means a zip bomb; checked only above 64 MB. */
const MAX_RATIO = 200
const RATIO_CHECK_MIN_BYTES = 64 * 2 ** 20
const MAX_ARCHIVE_BYTES = 512 * 2 ** 20

const SIGNATURE_BYTES = 6

/** @throws FeedFormatError when the path cannot be opened, is not a file or is empty. */
async function openedFileSize(path: string): Promise<number> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new FeedFormatError(
      error.code === 'ENOENT' ? `ไม่พบไฟล์ ${path}` : `เปิดไฟล์ ${path} ไม่ได้ (${error.code ?? error.message})`,
      { cause: error },
    )
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new FeedFormatError(`${path} ไม่ใช่ไฟล์`)
    if (stats.size === 0) throw new FeedFormatError(`ไฟล์ ${path} ว่างเปล่า`)
    return stats.size
  } finally {
    await file.close()
  }
}

/**
 * Yields the unpacked bytes in chunks: UTF-16 as UTF-8, workbooks as CSV. `onShare` receives the fraction of the file
 * read so far, 0 to 1; `isHeader` finds the sheet of a workbook.
 * @throws FeedFormatError naming the byte where a packed file is truncated, when `xz` is not installed, or above the
 * size and ratio limits.
 */
export async function* readUnpackedBytes(
  path: string,
  options: UnpackOptions = {},
): AsyncGenerator<Buffer, void, undefined> {
  yield* toUtf8(unpackFile(path, options))
}

export type UnpackOptions = {
  readonly onShare?: ((share: number) => void) | undefined
  readonly isHeader?: IsTableHeaderFn | undefined
}

async function* unpackFile(
  path: string,
  { onShare, isHeader }: UnpackOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const size = await openedFileSize(path)
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  let unpacked = 0
  try {
    for await (const chunk of unpackLayers(file, isHeader)) {
      unpacked += chunk.length
      if (unpacked > MAX_UNPACKED_BYTES)
        throw new FeedFormatError(`ไฟล์คลายแล้วใหญ่เกิน ${MAX_UNPACKED_BYTES / 2 ** 30} GB`)
      if (unpacked > RATIO_CHECK_MIN_BYTES && unpacked > file.bytesRead * MAX_RATIO)
        throw new FeedFormatError(`ไฟล์คลายแล้วใหญ่กว่าเดิมเกิน ${MAX_RATIO} เท่า จึงไม่อ่านต่อ`)
      onShare?.(file.bytesRead / size)
      yield chunk
    }
  } catch (error) {
    if (error instanceof FeedFormatError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new FeedFormatError(`ไฟล์เสียหายหรือขาดตอนหลังไบต์ที่ ${unpacked} ของเนื้อหาที่คลายแล้ว (${message})`, { cause: error })
  } finally {
    file.destroy()
  }
}

/** A workbook inside a zip archive inside gzip has three layers. */
const MAX_LAYERS = 3

const FOREIGN_FORMATS: readonly (readonly [signature: string, reason: string])[] = [
  ['Rar!', 'เป็นไฟล์บีบอัด RAR ซึ่งระบบไม่อ่าน คลายไฟล์ก่อนแล้วนำเข้าไฟล์ข้างใน'],
  ['7z\xbc\xaf', 'เป็นไฟล์บีบอัด 7z ซึ่งระบบไม่อ่าน คลายไฟล์ก่อนแล้วนำเข้าไฟล์ข้างใน'],
  ['BZh', 'เป็นไฟล์บีบอัด bzip2 ซึ่งระบบไม่อ่าน คลายไฟล์ก่อนแล้วนำเข้าไฟล์ข้างใน'],
  ['\x28\xb5\x2f\xfd', 'เป็นไฟล์บีบอัด Zstandard ซึ่งระบบไม่อ่าน คลายไฟล์ก่อนแล้วนำเข้าไฟล์ข้างใน'],
  ['%PDF', 'เป็นเอกสาร PDF ไม่ใช่ตารางข้อมูล ดาวน์โหลดเป็น CSV หรือ Excel แล้วนำเข้าไฟล์นั้น'],
]

type UnpackFn = (file: AsyncIterable<Buffer>, isHeader?: IsTableHeaderFn) => AsyncIterable<Buffer>

/** Packings by signature, not by file name; an .xlsx workbook counts as zip. */
const PACKINGS: readonly (readonly [signature: string, unpack: UnpackFn])[] = [
  ['\x1f\x8b', gunzip],
  ['\xfd7zXZ\0', unxz],
  ['PK\x03\x04', unzip],
  ['PK\x05\x06', unzip],
  ['\xd0\xcf\x11\xe0', readXls],
]

async function* unpackLayers(
  file: AsyncIterable<Buffer>,
  isHeader: IsTableHeaderFn | undefined,
  layers = 0,
): AsyncGenerator<Buffer, void, undefined> {
  const iterator = file[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  async function* whole() {
    if (head.length > 0) yield head
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  try {
    while (head.length < SIGNATURE_BYTES) {
      const next = await iterator.next()
      if (next.done) break
      head = Buffer.concat([head, next.value])
    }
    const signature = head.subarray(0, SIGNATURE_BYTES).toString('latin1')
    const foreign = FOREIGN_FORMATS.find(([start]) => signature.startsWith(start))
    if (foreign) throw new FeedFormatError(foreign[1])
    const unpack = PACKINGS.find(([start]) => signature.startsWith(start))?.[1]
    if (unpack === undefined) yield* whole()
    else if (layers === MAX_LAYERS) throw new FeedFormatError('ไฟล์บีบอัดซ้อนกันหลายชั้น คลายไฟล์ก่อนแล้วนำเข้าไฟล์ข้างใน')
    else yield* unpackLayers(unpack(whole(), isHeader), isHeader, layers + 1)
  } finally {
    // Ends the `xz` that unpacks this layer, even if the layer is refused.
    await iterator.return?.()
  }
}

async function* unzip(
  file: AsyncIterable<Buffer>,
  isHeader?: IsTableHeaderFn,
): AsyncGenerator<Buffer, void, undefined> {
  yield* readZipContent(await concatArchive(file), isHeader)
}

async function* readXls(
  file: AsyncIterable<Buffer>,
  isHeader?: IsTableHeaderFn,
): AsyncGenerator<Buffer, void, undefined> {
  yield* readXlsContent(await concatArchive(file), isHeader)
}

/** The directory of an archive is at its end, so read the whole file first. */
const concatArchive = (file: AsyncIterable<Buffer>) =>
  concatBytes(file, MAX_ARCHIVE_BYTES, 'ไฟล์ zip ใหญ่เกิน 512 MB คลายไฟล์ก่อนแล้วนำเข้าไฟล์ข้างใน')

async function* toUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let decoder: TextDecoder | undefined
  let isFirst = true
  for await (const chunk of chunks) {
    const encoding = isFirst ? detectUtf16(chunk) : undefined
    if (encoding) decoder = new TextDecoder(encoding)
    isFirst = false
    if (decoder === undefined) yield chunk
    else yield Buffer.from(decoder.decode(chunk, { stream: true }))
  }
  if (decoder !== undefined) yield Buffer.from(decoder.decode())
}

async function* gunzip(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const gunzipped = createGunzip({ chunkSize: 256 * 1024 })
  const feeding = pipeline(file, gunzipped)
  // The error also surfaces through the iteration below; left unhandled here it would crash the process.
  feeding.catch(() => undefined)
  yield* gunzipped
  await feeding
}

async function* unxz(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const process = spawn('xz', ['--decompress', '--stdout'], { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve, reject) => {
    let complaint = ''
    process.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-500)
    })
    process.once('error', (error: NodeJS.ErrnoException) => {
      const text = 'ต้องมีโปรแกรม xz ในเครื่องจึงจะอ่านไฟล์ .xz ได้ ติดตั้ง xz-utils หรือคลายไฟล์ก่อน'
      reject(error.code === 'ENOENT' ? new FeedFormatError(text, { cause: error }) : error)
    })
    process.once('close', (code) => (code === 0 ? resolve() : reject(new Error(complaint.trim() || `xz: ${code}`))))
  })
  ended.catch(() => undefined)
  pipeline(file, process.stdin).catch(() => undefined)
  try {
    yield* process.stdout as AsyncIterable<Buffer>
    await ended
  } finally {
    process.kill()
  }
}

export async function fingerprintFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash)
  return hash.digest('hex')
}

export const readWholeFile = (path: string, maxBytes: number): Promise<Buffer> =>
  concatBytes(readUnpackedBytes(path), maxBytes, `ไฟล์ใหญ่เกิน ${maxBytes / 2 ** 20} MB ต้องแบ่งเป็นหลายไฟล์`)

async function concatBytes(chunks: AsyncIterable<Buffer>, maxBytes: number, reason: string): Promise<Buffer> {
  const buffers: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw new FeedFormatError(reason)
    buffers.push(chunk)
  }
  return Buffer.concat(buffers)
}

/** Returns the first `length` bytes of `readUnpackedBytes`; fewer from a shorter file. */
export async function readUnpackedHead(path: string, length: number, options?: UnpackOptions): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of readUnpackedBytes(path, options)) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= length) break
  }
  return Buffer.concat(chunks).subarray(0, length)
}
