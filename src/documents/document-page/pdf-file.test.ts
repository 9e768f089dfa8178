import { ReadableStream } from 'node:stream/web'
import { beforeAll, expect, test, vi } from 'vitest'
import { foldDocumentText } from '#contract/thai/fold-document-text.ts'
import { buildPdfFromObjects, buildPdfStream } from '#server/documents/pdf-for-tests.ts'
import { makePdf } from '../../../test/make-pdf.ts'
import { findPhraseHighlightBoxes, openPdf } from './pdf-file.ts'

// jsdom lacks ReadableStream.
beforeAll(() => void vi.stubGlobal('ReadableStream', ReadableStream))

const PDF = makePdf([['ประกาศ', 'หลักประกัน การเสนอราคา'], ['หน้าสอง']])
const open = () => openPdf(new Uint8Array(PDF).buffer)
const fold = (text: string) => foldDocumentText(text).folded

test('returns the text of a page line by line from the top, in points from its corner', async () => {
  const file = await open()
  expect(file.pageCount).toBe(2)
  const { width, height, pieces } = await file.text(1)
  expect([width, height]).toEqual([595, 842])
  expect(pieces.map(({ text }) => text).join('')).toBe('ประกาศหลักประกันการเสนอราคา')
  expect(pieces[0]).toMatchObject({ x: 60, y: 62 })
  file.close()
}, 30_000)

test('returns a box per line for each match, also across line breaks', async () => {
  const file = await open()
  const text = await file.text(1)
  const [marks] = findPhraseHighlightBoxes(text, [fold('หลักประกันการเสนอ')])
  expect(marks!.length).toBeGreaterThan(0)
  expect(new Set(marks!.map(({ y }) => y))).toEqual(new Set([86]))
  expect(marks![0]!.x).toBeCloseTo(60, 0)
  expect(findPhraseHighlightBoxes(text, [fold('หน้าสอง')])).toEqual([])
  const [over] = findPhraseHighlightBoxes(text, [fold('กาศหลัก')])
  expect(new Set(over!.map(({ y }) => y))).toEqual(new Set([62, 86]))
  file.close()
}, 30_000)

/** Mocks range requests for a PDF of four pages of 300 kB each, like a scan. */
function inPieces(lose: (from: number) => boolean = () => false) {
  const filler = `%${'x'.repeat(98)}\n`.repeat(3_000)
  const kids = [0, 1, 2, 3].map((at) => `${4 + at} 0 R`).join(' ')
  const page = (at: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${8 + at} 0 R /Resources << /Font << /F 3 0 R >> >> >>`
  const content = (at: number) => buildPdfStream(`BT /F 12 Tf 60 780 Td (page ${at + 1}) Tj ET\n${filler}`)
  const all = new Uint8Array(
    buildPdfFromObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count 4 >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      ...[0, 1, 2, 3].map(page),
      ...[0, 1, 2, 3].map(content),
    ]),
  )
  const readSizes: number[] = []
  const read = async (from: number, to: number) => {
    readSizes.push(to - from)
    if (lose(from)) throw new Error('no answer')
    return all.slice(from, to).buffer
  }
  return { bytes: all.length, first: all.slice(0, 131_072).buffer, read, asked: readSizes }
}

const textOf = async (file: Awaited<ReturnType<typeof open>>, page: number) => {
  const { pieces } = await file.text(page)
  return pieces.map(({ text }) => text).join('')
}

test('reads only the ranges of the first page of a large file, and more for another page', async () => {
  const { asked: readSizes, ...pieces } = inPieces()
  const file = await openPdf(pieces)
  const sum = () => readSizes.reduce((bytes, size) => bytes + size, 131_072)
  expect(file.pageCount).toBe(4)
  expect(file.ratio).toBe(595 / 842)
  expect(await textOf(file, 1)).toBe('page 1')
  const first = sum()
  expect(first).toBeLessThan(pieces.bytes / 2)
  expect(await textOf(file, 3)).toBe('page 3')
  expect(sum()).toBeGreaterThan(first)
  // Opening the PDF does not detach the cached first bytes, so the file can be opened again.
  expect(pieces.first.byteLength).toBe(131_072)
  file.close()
}, 30_000)

test('retries a failed range', async () => {
  let losses = 1
  const { asked: _, ...pieces } = inPieces(() => losses-- > 0)
  const file = await openPdf(pieces)
  expect(await textOf(file, 4)).toBe('page 4')
  file.close()
}, 30_000)

test('rejects when a range keeps failing', async () => {
  const { asked: _, ...pieces } = inPieces(() => true)
  await expect(openPdf(pieces)).rejects.toThrow('no answer')
}, 30_000)

test('reads the remainder of a small file at once, and no ranges', async () => {
  const first = new Uint8Array(PDF.subarray(0, 1_000)).buffer
  const loadRemainder = vi.fn(async () => new Uint8Array(PDF.subarray(1_000)).buffer)
  const read = vi.fn()
  const file = await openPdf({ bytes: PDF.length, first, read, loadRemainder })
  expect(file.pageCount).toBe(2)
  expect(loadRemainder).toHaveBeenCalledOnce()
  expect(read).not.toHaveBeenCalled()
  expect(first.byteLength).toBe(1_000)
  file.close()
}, 30_000)
