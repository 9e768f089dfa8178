import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { collect } from '#server/catalogue/feed/feed-for-tests.ts'
import { detectEncoding } from './encoding.ts'
import { textLines } from './text-lines.ts'

async function* pieces(all: Buffer, size: number) {
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
}
const linesOf = (all: Buffer, size = 7) => collect(textLines(pieces(all, size)))

describe('lines of a file', () => {
  test('a Thai letter cut by a piece of the stream comes out whole, without the byte order mark', async () => {
    expect(await linesOf(Buffer.from('\ufeffก้าวหน้า,1\r\nสุดท้าย'))).toEqual([
      { number: 1, text: 'ก้าวหน้า,1' },
      { number: 2, text: 'สุดท้าย' },
    ])
  })

  test('windows-874 is read as Thai', async () => {
    const text = 'รหัสโครงการ,ชื่อโครงการ\n1,กล้องวงจรปิด'
    expect((await linesOf(iconv.encode(text, 'win874'))).map((line) => line.text)).toEqual(text.split('\n'))
  })

  test('R36: a line without end is refused with its number before it fills the memory', async () => {
    const huge = Buffer.from(`a\n${'x'.repeat(1_200_000)}`)
    await expect(linesOf(huge, 100_000)).rejects.toThrow(/บรรทัดที่ 2 ยาวเกิน/)
  })
})

describe('encoding', () => {
  test('R36: binary and other alphabets are refused by name', () => {
    expect(() => detectEncoding(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]))).toThrow(/ไม่ใช่ไฟล์ข้อความ/)
    const latin = Buffer.from('é è à ü ö ä ñ ç ß'.repeat(9), 'latin1')
    expect(() => detectEncoding(latin)).toThrow(/ISO-8859-1/)
    expect(detectEncoding(latin, { allowsLatin: true })).toBe('windows-1252')
  })

  test('a few damaged bytes do not make UTF-8 something else', () => {
    const text = Buffer.concat([
      Buffer.from('ข้อความยาว'.repeat(40)),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('ต่อ'.repeat(40)),
    ])
    expect(detectEncoding(text)).toBe('utf-8')
  })
})
