import { Buffer } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { THAI_AND_ASCII_PATTERN } from '#contract/thai/thai-text.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'

export class UnknownEncodingError extends FeedFormatError {}

export type FeedEncoding = 'utf-8' | 'windows-874' | 'windows-1252'

/** Number of bytes that decide whether a file is text: they should contain a header line or an opening bracket. */
const TEXT_CHECK_BYTES = 64
/** Thai letters appear in runs, while accented Latin letters are isolated among ASCII letters. */
const MIN_THAI_RUN = 3

/**
 * Detects the encoding from the first bytes: UTF-8 when most non-ASCII lines are valid UTF-8, else windows-874 when its
 * Thai letters come in runs. `allowsLatin` accepts ISO-8859-1 (as windows-1252), which some JSON publishers use.
 * @throws FeedFormatError for binary content or any other encoding.
 */
export function detectEncoding(
  head: Buffer,
  { allowsLatin = false }: { readonly allowsLatin?: boolean } = {},
): FeedEncoding {
  // Control characters further down belong to damaged rows, which are quarantined individually.
  const controlAt = head
    .subarray(0, TEXT_CHECK_BYTES)
    .findIndex((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)
  if (controlAt >= 0) throw new FeedFormatError(`ไบต์ที่ ${controlAt}: ไม่ใช่ไฟล์ข้อความ`)
  // Single rows in another encoding are quarantined individually, so the encoding of most lines decides.
  if (isUtf8(head) || isMostlyUtf8(head)) return 'utf-8'
  const { thai, inRuns, undefined: unknown } = countHighBytes(withoutUtf8Lines(head))
  if (unknown * 50 <= thai && inRuns * 2 >= thai) return 'windows-874'
  if (inRuns * 2 >= thai)
    throw new UnknownEncodingError(
      'อ่านตัวอักษรไม่ได้: ไม่ใช่ทั้ง UTF-8 และ windows-874 (TIS-620) บันทึกใหม่เป็น UTF-8 แล้วนำเข้าอีกครั้ง',
    )
  if (allowsLatin) return 'windows-1252'
  throw new UnknownEncodingError(
    'ไฟล์เข้ารหัสแบบ ISO-8859-1 หรืออักษรยุโรปอื่น ซึ่งเก็บอักษรไทยไม่ได้ บันทึกใหม่เป็น UTF-8 แล้วนำเข้าอีกครั้ง',
  )
}

/** Returns true for valid UTF-8. Uses `stream`, because the head may end in the middle of a character. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const LINE_FEED = 10
/** `<` separates the texts of a feed without line breaks. */
const ANGLE_BRACKET = 0x3c

/** Counts the parts with non-ASCII bytes, and those of them that are valid UTF-8. */
function countUtf8Parts(head: Buffer, separator: number): { parts: number; valid: number } {
  const counts = { parts: 0, valid: 0 }
  for (let from = 0; from < head.length; ) {
    const end = head.indexOf(separator, from)
    const part = head.subarray(from, end < 0 ? head.length : end)
    from = end < 0 ? head.length : end + 1
    if (!part.some((byte) => byte >= 0x80)) continue
    counts.parts += 1
    if (isUtf8(part)) counts.valid += 1
  }
  return counts
}

/** Decides by non-ASCII lines, else by elements of XML, else by characters. */
function isMostlyUtf8(head: Buffer): boolean {
  for (const separator of [LINE_FEED, ANGLE_BRACKET]) {
    const { parts, valid } = countUtf8Parts(head, separator)
    if (parts > 1) return valid * 2 > parts
  }
  const text = new TextDecoder('utf-8').decode(head)
  const broken = text.split('\ufffd').length - 1
  return text.length > 0 && 1 - broken / text.length > 0.9 && /[\u0e00-\u0e7f]/.test(text)
}

/** Omits lines that are valid UTF-8, because these rows differ in encoding from the rest. */
function withoutUtf8Lines(head: Buffer): Buffer {
  const lines: Buffer[] = []
  for (let from = 0; from < head.length; ) {
    const end = head.indexOf(10, from)
    const line = head.subarray(from, end < 0 ? head.length : end + 1)
    from += line.length
    if (!isUtf8(line)) lines.push(line)
  }
  return lines.length === 0 ? head : Buffer.concat(lines)
}

function countHighBytes(head: Buffer): { thai: number; inRuns: number; undefined: number } {
  const counts = { thai: 0, inRuns: 0, undefined: 0 }
  let run = 0
  const endRun = () => {
    if (run >= MIN_THAI_RUN) counts.inRuns += run
    run = 0
  }
  for (const byte of head) {
    if ((byte >= 0xa1 && byte <= 0xda) || (byte >= 0xdf && byte <= 0xfb)) {
      counts.thai += 1
      run += 1
      continue
    }
    endRun()
    // Skip punctuation: non-breaking spaces, curly quotes, dashes, ellipses and euro signs.
    if (byte >= 0x80 && !isPunctuation(byte)) counts.undefined += 1
  }
  endRun()
  return counts
}

const isPunctuation = (byte: number) =>
  byte === 0x80 || byte === 0x85 || (byte >= 0x91 && byte <= 0x97) || byte === 0xa0

export function detectUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const beginning = head.subarray(0, TEXT_CHECK_BYTES)
  if (beginning.length < 8) return undefined
  // UTF-16 without a byte order mark: one byte of each pair is 0 (ASCII) or 0x0E (Thai), as in no other encoding.
  const highBytes = [0, 0]
  beginning.forEach((byte, at) => {
    if (byte === 0 || byte === 0x0e) highBytes[at % 2]! += 1
  })
  const threshold = (beginning.length / 2) * 0.9
  if (highBytes[1]! >= threshold && highBytes[0]! < threshold / 2) return 'utf-16le'
  if (highBytes[0]! >= threshold && highBytes[1]! < threshold / 2) return 'utf-16be'
  return undefined
}

/** Thai in UTF-8 misread as Latin-1 or as windows-874. */
const UTF8_MISREAD = /(?:à[¸¹].){2}|(?:เ[ธน][\s\S]){5}/u
/** TIS-620 misread as Latin-1. At least two characters of a run must be letters, which excludes dot leaders. */
const TIS_MISREAD = /[\u00a1-\u00da\u00df-\u00fb]{5,}/gu
const LATIN_LETTER = /[\u00c0-\u00d6\u00d8-\u00fb]/gu

export const MOJIBAKE_MESSAGE = 'ตัวอักษรไทยเพี้ยน ไฟล์ถูกอ่านด้วยรหัสอักษรผิดมาก่อน ส่งออกใหม่เป็น UTF-8'

/** Returns true for text decoded wrongly upstream: "à¸‹à¸·à¹‰à¸­", "เธเธทเนเธญ" or "«×éÍ" for ซื้อ. */
export function isMojibake(text: string): boolean {
  // Text of Thai and ASCII alone is never the result of a wrong decoding.
  if (THAI_AND_ASCII_PATTERN.test(text)) return false
  if (UTF8_MISREAD.test(text)) return true
  return (text.match(TIS_MISREAD) ?? []).some((run) => (run.match(LATIN_LETTER)?.length ?? 0) >= 2)
}
