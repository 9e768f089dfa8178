import { ReadableStream } from 'node:stream/web'
import { beforeAll, expect, test, vi } from 'vitest'
import { foldText } from '#contract/document/fold-text.ts'
import { makePdf } from '../../../test/make-pdf.ts'
import { openPdf, placesOf } from './pdf-file.ts'

// jsdom has none; browsers have it since long.
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
  // From the end of one line into the next.
  const [over] = placesOf(text, [fold('กาศหลัก')])
  expect(new Set(over!.map(({ y }) => y))).toEqual(new Set([62, 86]))
  file.close()
}, 30_000)
