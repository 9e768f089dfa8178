import { ReadableStream } from 'node:stream/web'
import { beforeAll, expect, test, vi } from 'vitest'
import { foldText } from '#contract/thai/fold-text.ts'
import { pdfOfObjects, streamObject } from '#server/documents/pdf-for-tests.ts'
import { makePdf } from '../../../test/make-pdf.ts'
import { openPdf, placesOf } from './pdf-file.ts'

// jsdom lacks ReadableStream.
beforeAll(() => void vi.stubGlobal('ReadableStream', ReadableStream))

const PDF = makePdf([['ประกาศ', 'หลักประกัน การเสนอราคา'], ['หน้าสอง']])
const open = () => openPdf(new Uint8Array(PDF).buffer)
const fold = (text: string) => foldText(text).folded

test('a page gives its text line by line from above, in points from its corner', async () => {
  const file = await open()
  expect(file.pageCount).toBe(2)
  const { width, height, pieces } = await file.text(1)
  expect([width, height]).toEqual([595, 842])
  expect(pieces.map(({ text }) => text).join('')).toBe('ประกาศหลักประกันการเสนอราคา')
  expect(pieces[0]).toMatchObject({ x: 60, y: 62 })
  file.close()
}, 30_000)

test('what is found is a box on its line, several pieces wide where it runs over them', async () => {
  const file = await open()
  const text = await file.text(1)
  const [whole] = placesOf(text, [fold('หลักประกันการเสนอ')])
  expect(whole!.length).toBeGreaterThan(0)
  expect(new Set(whole!.map(({ y }) => y))).toEqual(new Set([86]))
  expect(whole![0]!.x).toBeCloseTo(60, 0)
  expect(placesOf(text, [fold('หน้าสอง')])).toEqual([])
  // A match across a line break.
  const [over] = placesOf(text, [fold('กาศหลัก')])
  expect(new Set(over!.map(({ y }) => y))).toEqual(new Set([62, 86]))
  file.close()
}, 30_000)

/** Mocks range requests for a PDF of four pages with 300 kB each, like a scan. */
function inPieces(lose: (from: number) => boolean = () => false) {
  const filler = `%${'x'.repeat(98)}\n`.repeat(3_000)
  const kids = [0, 1, 2, 3].map((at) => `${4 + at} 0 R`).join(' ')
  const page = (at: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${8 + at} 0 R /Resources << /Font << /F 3 0 R >> >> >>`
  const content = (at: number) => streamObject(`BT /F 12 Tf 60 780 Td (page ${at + 1}) Tj ET\n${filler}`)
  const all = new Uint8Array(
    pdfOfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count 4 >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      ...[0, 1, 2, 3].map(page),
      ...[0, 1, 2, 3].map(content),
    ]),
  )
  const asked: number[] = []
  const read = async (from: number, to: number) => {
    asked.push(to - from)
    if (lose(from)) throw new Error('no answer')
    return all.slice(from, to).buffer
  }
  return { bytes: all.length, first: all.slice(0, 131_072).buffer, read, asked }
}

const textOf = async (file: Awaited<ReturnType<typeof open>>, page: number) => {
  const { pieces } = await file.text(page)
  return pieces.map(({ text }) => text).join('')
}

test('of a large file the first page needs its pieces alone, and another page fetches its own', async () => {
  const { asked, ...pieces } = inPieces()
  const file = await openPdf(pieces)
  const sum = () => asked.reduce((bytes, one) => bytes + one, 131_072)
  expect(file.pageCount).toBe(4)
  expect(await file.size(1)).toEqual({ width: 595, height: 842 })
  expect(await textOf(file, 1)).toBe('page 1')
  const first = sum()
  expect(first).toBeLessThan(pieces.bytes / 2)
  expect(await textOf(file, 3)).toBe('page 3')
  expect(sum()).toBeGreaterThan(first)
  // The cached first bytes are not detached, so the file can be opened again.
  expect(pieces.first.byteLength).toBe(131_072)
  file.close()
}, 30_000)

test('a piece that does not come the first time is asked for again', async () => {
  let losses = 1
  const { asked: _, ...pieces } = inPieces(() => losses-- > 0)
  const file = await openPdf(pieces)
  expect(await textOf(file, 4)).toBe('page 4')
  file.close()
}, 30_000)

test('a piece that never comes ends the waiting', async () => {
  const { asked: _, ...pieces } = inPieces(() => true)
  await expect(openPdf(pieces)).rejects.toThrow('no answer')
}, 30_000)

test('a file that is better had whole is asked for its rest, and for no piece', async () => {
  const first = new Uint8Array(PDF.subarray(0, 1_000)).buffer
  const rest = vi.fn(async () => new Uint8Array(PDF.subarray(1_000)).buffer)
  const read = vi.fn()
  const file = await openPdf({ bytes: PDF.length, first, read, rest })
  expect(file.pageCount).toBe(2)
  expect(rest).toHaveBeenCalledOnce()
  expect(read).not.toHaveBeenCalled()
  // The cached first bytes are not detached, so the file can be opened again.
  expect(first.byteLength).toBe(1_000)
  file.close()
}, 30_000)
