import { Buffer } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { detectEncoding } from './encoding.ts'

export type TextLine = { readonly number: number; readonly text: string }

const HEAD_BYTES = 64 * 1024
/** The longest real row has about 3,000 characters. A file without line breaks must not exhaust memory. */
const MAX_LINE_LENGTH = 1_000_000

/**
 * Yields lines numbered from 1 without line breaks (LF, CRLF, or CR in files without LF) and without a byte order mark.
 * The first 64 kB decide the encoding.
 * @throws FeedFormatError like `detectEncoding`, or for a line of more than a million characters; errors of `bytes` get
 * the line number.
 */
export async function* readTextLines(
  bytes: AsyncIterable<Buffer>,
  {
    allowsLatin = false,
    maxLine = MAX_LINE_LENGTH,
  }: { readonly allowsLatin?: boolean; readonly maxLine?: number } = {},
): AsyncGenerator<TextLine, void, undefined> {
  let decoder: TextDecoder | undefined
  let head = Buffer.alloc(0)
  let remainder = ''
  let number = 0

  // Classic Mac files end lines with CR only. In other files a single CR within a line is whitespace.
  let lineEnd = '\n'

  function* take(text: string): Generator<TextLine, void, undefined> {
    const lines = (remainder + text).split(lineEnd)
    remainder = lines.pop()!
    for (const line of lines) {
      number += 1
      yield { number, text: line.endsWith('\r') ? line.slice(0, -1) : line }
    }
    if (remainder.length > maxLine)
      throw new FeedFormatError(`บรรทัดที่ ${number + 1} ยาวเกิน ${maxLine} ตัวอักษร ไฟล์น่าจะไม่ใช่ตารางหรือเสียหาย`)
  }

  try {
    for await (const chunk of bytes) {
      if (decoder === undefined) {
        head = Buffer.concat([head, chunk])
        if (head.length < HEAD_BYTES) continue
        decoder = new TextDecoder(detectEncoding(head.subarray(0, HEAD_BYTES), { allowsLatin }))
        lineEnd = lineEndOf(head)
        yield* take(decoder.decode(head, { stream: true }))
      } else {
        yield* take(decoder.decode(chunk, { stream: true }))
      }
    }
  } catch (error) {
    if (error instanceof FeedFormatError && !error.message.startsWith('บรรทัดที่') && number > 0)
      throw new FeedFormatError(`หลังบรรทัดที่ ${number}: ${error.message}`, { cause: error })
    throw error
  }
  if (decoder === undefined) {
    decoder = new TextDecoder(detectEncoding(head, { allowsLatin }))
    lineEnd = lineEndOf(head)
    yield* take(decoder.decode(head, { stream: true }))
  }
  yield* take(decoder.decode())
  if (remainder !== '') {
    number += 1
    yield { number, text: remainder.endsWith('\r') ? remainder.slice(0, -1) : remainder }
  }
}

const lineEndOf = (head: Buffer) => (head.includes(10) || !head.includes(13) ? '\n' : '\r')
