import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { collectAsyncItems } from '#server/catalogue/feed/feed-for-tests.ts'
import { detectEncoding } from './encoding.ts'
import { readTextLines } from './text-lines.ts'

async function* pieces(all: Buffer, size: number) {
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
}
const linesOf = (all: Buffer, size = 7) => collectAsyncItems(readTextLines(pieces(all, size)))

describe('file lines', () => {
  test('joins a Thai letter split across chunks, without the byte order mark', async () => {
    expect(await linesOf(Buffer.from('\ufeffก้าวหน้า,1\r\nสุดท้าย'))).toEqual([
      { number: 1, text: 'ก้าวหน้า,1' },
      { number: 2, text: 'สุดท้าย' },
    ])
  })

  test('reads windows-874 as Thai', async () => {
    const text = 'รหัสโครงการ,ชื่อโครงการ\n1,กล้องวงจรปิด'
    expect((await linesOf(iconv.encode(text, 'win874'))).map((line) => line.text)).toEqual(text.split('\n'))
  })

  test('R36: rejects an endless line with its number before it fills memory', async () => {
    const huge = Buffer.from(`a\n${'x'.repeat(1_200_000)}`)
    await expect(linesOf(huge, 100_000)).rejects.toThrow(/บรรทัดที่ 2 ยาวเกิน/)
  })
})

describe('encoding', () => {
  test('R36: rejects binary and other alphabets by name', () => {
    expect(() => detectEncoding(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]))).toThrow(/ไม่ใช่ไฟล์ข้อความ/)
    const latin = Buffer.from('é è à ü ö ä ñ ç ß'.repeat(9), 'latin1')
    expect(() => detectEncoding(latin)).toThrow(/ISO-8859-1/)
    expect(detectEncoding(latin, { allowsLatin: true })).toBe('windows-1252')
  })

  test('keeps UTF-8 despite a few damaged bytes', () => {
    const text = Buffer.concat([
      Buffer.from('ข้อความยาว'.repeat(40)),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('ต่อ'.repeat(40)),
    ])
    expect(detectEncoding(text)).toBe('utf-8')
  })
})
