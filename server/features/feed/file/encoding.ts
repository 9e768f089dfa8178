import { Buffer } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { FeedFormatError } from '../feed-source.ts'

export type FeedEncoding = 'utf-8' | 'windows-874'

/** The first bytes decide whether a file is text: a header line or an opening bracket is expected in them. */
const BEGINNING = 64

const startsWith = (head: Buffer, bytes: readonly number[]) => head.subarray(0, bytes.length).equals(Buffer.from(bytes))

/**
 * Encoding of a text by its first bytes: UTF-8 where they are valid UTF-8, else windows-874 where most of what is not
 * ASCII is a Thai letter in it. @throws FeedFormatError for UTF-16, binary content, and anything else.
 */
export function detectEncoding(head: Buffer): FeedEncoding {
  if (startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff]))
    throw new FeedFormatError('ไบต์ที่ 0: ไฟล์เข้ารหัสแบบ UTF-16 บันทึกใหม่เป็น UTF-8 ก่อน')
  // Control characters further down belong to damaged rows, which are quarantined one by one.
  const controlAt = head
    .subarray(0, BEGINNING)
    .findIndex((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)
  if (controlAt >= 0) throw new FeedFormatError(`ไบต์ที่ ${controlAt}: ไม่ใช่ไฟล์ข้อความ`)
  if (isUtf8(head)) return 'utf-8'
  let thai = 0
  let other = 0
  for (const byte of head) {
    if (byte < 0x80) continue
    if ((byte >= 0xa1 && byte <= 0xda) || (byte >= 0xdf && byte <= 0xfb)) thai += 1
    else other += 1
  }
  if (thai > 0 && other * 50 <= thai) return 'windows-874'
  // Mostly UTF-8 with damaged rows: the rows are quarantined one by one.
  if (validShare(head) > 0.9) return 'utf-8'
  throw new FeedFormatError('อ่านตัวอักษรไม่ได้: ไม่ใช่ทั้ง UTF-8 และ windows-874 (TIS-620)')
}

/** The head may end in the middle of a character, which `stream` forgives. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

function validShare(head: Buffer): number {
  const text = new TextDecoder('utf-8').decode(head)
  const broken = text.split('\ufffd').length - 1
  return text.length === 0 ? 0 : 1 - broken / text.length
}
