import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldDocumentText } from '#contract/thai/fold-document-text.ts'
import { buildPdfFromObjects, buildPdfStream } from '#server/documents/pdf-for-tests.ts'
import { drawPageImages } from './draw-page-images.ts'
import { findOcrFacts } from './find-ocr-facts.ts'
import { decodePng, parseJpegHeader, toGreyscaleRaster, wrapJpegInPdf } from './photo.ts'
import type { GreyscaleRaster } from './raster.ts'
import { readPageImages } from './read-page-images.ts'
import { findTesseract } from './tesseract.ts'

/** A photo of six lines in a loopless typeface, which OCR finds hard: 1,400 × 640, drawn for this test. */
const PHOTO = readFileSync(path.join(import.meta.dirname, '../../../test/pictures/paper.jpg'))
const WIDTH = 1400
const HEIGHT = 640

const tesseract = await findTesseract({ path: process.env.TESSERACT_PATH, searched: process.env.PATH ?? '' })
if (!tesseract) console.warn('*** tesseract with Thai data is not installed: no test reads a picture')

function difference(left: GreyscaleRaster, right: GreyscaleRaster): number {
  expect([right.width, right.height]).toEqual([left.width, left.height])
  return left.grey.filter((grey, at) => Math.abs(grey - right.grey[at]!) > 100).length / left.grey.length
}
const raster = async (pdf: Uint8Array): Promise<GreyscaleRaster> => {
  const drawn = await drawPageImages(new Uint8Array(pdf), 1)
  if (!drawn || 'reason' in drawn) throw new Error(`not drawn: ${drawn?.reason}`)
  return drawn
}
/** Returns the picture rotation to the right by a quarter, as a scanner delivers a sheet fed sideways. */
function turnedRight({ width, height, grey }: GreyscaleRaster): GreyscaleRaster {
  const rotation = new Uint8Array(grey.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rotation[x * height + (height - 1 - y)] = grey[y * width + x]!
  return { width: height, height: width, grey: rotation }
}
function pdfOfPictures(
  pictures: readonly { content: Buffer; entries: string }[],
  drawn: string,
  page = '',
  { width, height } = { width: WIDTH, height: HEIGHT },
): Buffer {
  const side = (dots: number) => (dots * 72) / 300
  const names = pictures.map((_, at) => `/P${at} ${at + 5} 0 R`).join(' ')
  return buildPdfFromObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${side(width)} ${side(height)}] ${page} /Resources << /XObject << ${names} >> >> /Contents 4 0 R >>`,
    buildPdfStream(`q ${side(width)} 0 0 ${side(height)} 0 0 cm ${drawn} Q`),
    ...pictures.map(({ content, entries }) =>
      buildPdfStream(deflateSync(content), `/Type /XObject /Subtype /Image /Filter /FlateDecode ${entries}`),
    ),
  ])
}
const GREY = '/ColorSpace /DeviceGray /BitsPerComponent 8'
const size = (width: number, height: number) => `/Width ${width} /Height ${height}`
/** One bit per pixel, 1 is light. */
function bitsOf({ width, height, grey }: GreyscaleRaster): Buffer {
  const stride = (width + 7) >> 3
  const bits = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (grey[y * width + x]! > 128) bits[y * stride + (x >> 3)]! |= 0x80 >> (x & 7)
  return bits
}
function pngOf(kind: number, dots: Buffer, palette?: Buffer): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.from([...[0, 0, 0, 0], ...[0, 0, 0, 0], 8, kind, 0, 0, 0])
  head.writeUInt32BE(WIDTH, 0)
  head.writeUInt32BE(HEIGHT, 4)
  const stride = dots.length / HEIGHT
  const step = stride / WIDTH
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const filter = y % 5
    const row = dots.subarray(y * stride, (y + 1) * stride)
    const stored = row.map((value, x) => {
      const left = x >= step ? row[x - step]! : 0
      const above = y > 0 ? dots[(y - 1) * stride + x]! : 0
      const corner = x >= step && y > 0 ? dots[(y - 1) * stride + x - step]! : 0
      const by = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)] as const
      const nearest = by[0] <= by[1] && by[0] <= by[2] ? left : by[1] <= by[2] ? above : corner
      return value - [0, left, above, (left + above) >> 1, nearest][filter]!
    })
    return Buffer.concat([Buffer.from([filter]), stored])
  })
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

let paper: GreyscaleRaster
beforeAll(async () => {
  paper = await raster(wrapJpegInPdf(PHOTO)!)
})

describe('page pictures', () => {
  test('renders a photo at its size and a rotated photo upright', async () => {
    expect(parseJpegHeader(PHOTO)).toEqual({ width: WIDTH, height: HEIGHT, colours: 3, rotation: 0 })
    expect([paper.width, paper.height]).toEqual([WIDTH, HEIGHT])
    expect(paper.grey.filter((grey) => grey < 100).length / paper.grey.length).toBeGreaterThan(0.01)
    const exif = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010006000000000000', 'hex')
    const rotation = Buffer.concat([PHOTO.subarray(0, 2), exif, PHOTO.subarray(2)])
    expect(parseJpegHeader(rotation)?.rotation).toBe(90)
    const upright = await raster(wrapJpegInPdf(rotation)!)
    expect([upright.width, upright.height]).toEqual([HEIGHT, WIDTH])
    // After the rotation the left end of the first line is the right end of the first column.
    expect(upright.grey[60 * HEIGHT + HEIGHT - 1 - 100]).toBeCloseTo(paper.grey[100 * WIDTH + 60]!, -1)
  })

  test('renders 1-bit pixels, a mask, strips and a rotated page to the same picture', async () => {
    const bits = bitsOf(paper)
    const sizeEntries = size(WIDTH, HEIGHT)
    const white = { content: bits, entries: `${sizeEntries} /ColorSpace /DeviceGray /BitsPerComponent 1` }
    expect(difference(paper, await raster(pdfOfPictures([white], '/P0 Do')))).toBeLessThan(0.01)
    const mask = { content: bits, entries: `${sizeEntries} /ImageMask true /BitsPerComponent 1` }
    expect(difference(paper, await raster(pdfOfPictures([mask], '0 g /P0 Do')))).toBeLessThan(0.01)
    const half = HEIGHT / 2
    const strips = [0, 1].map((at) => ({
      content: Buffer.from(paper.grey.subarray(at * half * WIDTH, (at + 1) * half * WIDTH)),
      entries: `${size(WIDTH, half)} ${GREY}`,
    }))
    const both = 'q 1 0 0 0.5 0 0.5 cm /P0 Do Q q 1 0 0 0.5 0 0 cm /P1 Do Q'
    expect(difference(paper, await raster(pdfOfPictures(strips, both)))).toBeLessThan(0.01)
    const side = await raster(pdfOfPictures([white], '/P0 Do', '/Rotate 270'))
    expect([side.width, side.height]).toEqual([HEIGHT, WIDTH])
  })

  test('decodes a PNG of every colour type with every filter', () => {
    const dots = Buffer.from(paper.grey)
    const palette = Buffer.from(Array.from({ length: 768 }, (_, at) => Math.floor(at / 3)))
    const spread = (channels: number, alpha: boolean) =>
      Buffer.from(
        Array.from({ length: dots.length * channels }, (_, at) =>
          alpha && at % channels === channels - 1 ? 255 : dots[Math.floor(at / channels)]!,
        ),
      )
    for (const png of [
      pngOf(0, dots),
      pngOf(2, spread(3, false)),
      pngOf(3, dots, palette),
      pngOf(4, spread(2, true)),
      pngOf(6, spread(4, true)),
    ])
      expect(difference(paper, toGreyscaleRaster(decodePng(png)!))).toBeLessThan(0.01)
  })

  test('distinguishes a page without a picture from a broken one', async () => {
    expect(await drawPageImages(new Uint8Array(pdfOfPictures([], 'n')), 1)).toBeUndefined()
    expect(await drawPageImages(new Uint8Array(Buffer.from('%PDF-1.4 nothing')), 1)).toEqual({ reason: 'broken' })
    expect(await drawPageImages(new Uint8Array(pdfOfPictures([], 'n')), 2)).toEqual({ reason: 'broken' })
    expect(wrapJpegInPdf(PHOTO.subarray(0, 30))).toBeUndefined()
  })
})

describe('facts from picture text', () => {
  const page = (words: string) =>
    [
      'ประกาศเทศบาลตำบลทดสอบ',
      'เรื่อง ประกวดราคาจ้างก่อสร้างถนน ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
      `ราคากลางของงานก่อสร้างในการประกวดราคาครั้งนี้ เป็นเงินทั้งสิ้น ${words}`,
      'ประกาศ ณ วันที่ 23 พฤศจิกายน พ.ศ. 2569',
    ].join('\n')

  test('accepts an amount that its words confirm; never a date, a name or a contradicted amount', () => {
    const { kind, facts } = findOcrFacts([page('1,250,000.00 บาท (หนึ่งล้านสองแสนห้าหมื่นบาทถ้วน)')])
    expect(kind).toBe('invitation')
    expect(facts.find(({ fact }) => fact === 'reference_price')?.value).toEqual({ kind: 'amount', baht: 1_250_000 })
    expect(facts.map(({ fact }) => fact)).toContain('announced')
    expect(facts.filter(({ value }) => value !== undefined)).toHaveLength(1)
    const misread = findOcrFacts([page('1,260,000.00 บาท (หนึ่งล้านสองแสนห้าหมื่นบาทถ้วน)')]).facts
    expect(misread.map(({ fact }) => fact)).toContain('reference_price')
    expect(misread.filter(({ value }) => value !== undefined)).toEqual([])
  })

  test('accepts another number only when two places agree', () => {
    const tor = (...days: string[]) =>
      ['ขอบเขตของงาน (TOR)', ...days.map((count) => `กำหนดเวลาส่งมอบพัสดุ ภายใน ${count} วัน นับถัดจากวันลงนามในสัญญา`)].join(
        '\n',
      )
    const delivery = (text: string) => findOcrFacts([text]).facts.find(({ fact }) => fact === 'delivery')
    expect(delivery(tor('90'))).toMatchObject({ state: 'unsure' })
    expect(delivery(tor('90'))?.value).toBeUndefined()
    expect(delivery(tor('90', '90'))?.value).toEqual({ kind: 'duration', count: 90, unit: 'day' })
    expect(delivery(tor('90', '60'))?.value).toBeUndefined()
  })
})

describe.skipIf(!tesseract)('with tesseract', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-pictures-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const read = async (name: string, content: Uint8Array, page = 1) => {
    const file = path.join(folder, name)
    writeFileSync(file, content)
    return await readPageImages(tesseract!, { file, page })
  }

  test('reads the words of a photo and drops an amount whose digits were misread', async () => {
    const seen = await read('photo.jpg', PHOTO)
    const text = 'text' in seen ? seen.text : ''
    for (const words of ['ตำบลทดสอบ', 'ประกวดราคาจ้างก่อสร้างถนน', 'ผลงาน'])
      expect(foldDocumentText(text).folded).toContain(foldDocumentText(words).folded)
    for (const { value } of findOcrFacts([text]).facts)
      if (value) expect(value).toEqual({ kind: 'amount', baht: 1_250_000 })
  })

  test.each([1, 2])('reads a page scanned lying on its side or upside down (%i quarter turns)', async (turns) => {
    let lying = paper
    for (let turn = 0; turn < turns; turn += 1) lying = turnedRight(lying)
    const bits = { content: Buffer.from(lying.grey), entries: `${size(lying.width, lying.height)} ${GREY}` }
    const seen = await read(`lying-${turns}.pdf`, pdfOfPictures([bits], '/P0 Do', '', lying))
    const text = 'text' in seen ? seen.text : ''
    expect(foldDocumentText(text).folded).toContain(foldDocumentText('ตำบลทดสอบ').folded)
  })

  test('returns no text for an empty page and a reason for a broken picture', async () => {
    const blank = { content: Buffer.alloc(100 * 100, 255), entries: `${size(100, 100)} ${GREY}` }
    expect(await read('blank.pdf', pdfOfPictures([blank], '/P0 Do'))).toEqual({ text: '' })
    expect(await read('none.pdf', pdfOfPictures([], 'n'))).toEqual({ text: '' })
    expect(await read('half.jpg', PHOTO.subarray(0, 40))).toEqual({ reason: 'broken' })
  })

  test('is found only by its path and only with Thai data', async () => {
    expect(await findTesseract({ path: tesseract!.file, searched: '' })).toEqual(tesseract)
    expect(await findTesseract({ path: '/bin/true', searched: '' })).toBeUndefined()
    expect(await findTesseract({ path: undefined, searched: 'bin:/nowhere' })).toBeUndefined()
  })
})
