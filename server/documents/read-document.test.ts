import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPdfFromLines, buildPdfFromPages } from './pdf-for-tests.ts'
import { readDocument } from './read-document.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'documents-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(bytes: Buffer | string): Promise<string> {
  const file = path.join(folder, 'file.pdf')
  await writeFile(file, bytes)
  return file
}

test('reads an invitation: kind, lines by position, facts with their sentences', async () => {
  const lines = ['ประกาศเทศบาลตัวอย่าง', 'เรื่อง ประกวดราคาซื้อรถ จำนวน 2 คัน ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์']
  // Pieces are in e-GP's order: printed words first, then filled-in values.
  const page = [
    ...lines.map((text, index) => ({ text, x: 60, y: 780 - index * 22 })),
    { text: '๒. ต้องเสนอราคาทางระบบในวันที่', x: 60, y: 700 },
    { text: 'ระหว่างเวลา', x: 360, y: 700 },
    { text: 'น. ถึง', x: 60, y: 678 },
    { text: 'น.', x: 160, y: 678 },
    { text: '๘ มิถุนายน ๒๕๖๙', x: 250, y: 700 },
    { text: '๑๓.๐๐', x: 440, y: 700 },
    { text: '๑๖.๐๐', x: 100, y: 678 },
  ]
  const reading = await readDocument(await fileOf(buildPdfFromPages([page, [{ text: 'หน้าที่สอง', x: 60, y: 700 }]])))
  expect(reading).toMatchObject({ outcome: 'read', kind: 'invitation' })
  expect(reading.pages.map(({ text }) => text)).toEqual([
    `${lines.join('\n')}\n๒. ต้องเสนอราคาทางระบบในวันที่ ๘ มิถุนายน ๒๕๖๙ ระหว่างเวลา ๑๓.๐๐\nน. ถึง ๑๖.๐๐ น.`,
    'หน้าที่สอง',
  ])
  const window = reading.facts.find(({ fact }) => fact === 'bid_window')
  expect(window).toMatchObject({
    state: 'clear',
    value: { kind: 'window', from: '2026-06-08T13:00:00+07:00', to: '2026-06-08T16:00:00+07:00' },
    page: 1,
  })
  expect(reading.facts.find(({ fact }) => fact === 'title')?.value).toEqual({
    kind: 'text',
    text: 'ประกวดราคาซื้อรถ จำนวน 2 คัน',
  })
})

test('masks ids of natural persons in text and facts but keeps ids of companies', async () => {
  const lines = [
    'ประกาศเทศบาลตัวอย่าง เลขประจำตัวผู้เสียภาษี 0105543041542',
    'เรื่อง จ้างเหมานายทดสอบ บัตรประชาชน 3960100154251',
    'ผู้ชนะ ร้านทดสอบ ๓-๙๖๐๑-๐๐๑๕๔-๒๕-๑ และ 3 9601 00154 25 1',
  ]
  const text = JSON.stringify(await readDocument(await fileOf(buildPdfFromLines(lines))))
  expect(text).toContain('0105543041542')
  expect(text).toContain('xxxxxxxxxxxxx')
  expect(text).not.toMatch(/39601|๓-๙๖๐๑|3 9601/)
})

test('treats pages with next to no Thai text as scans', async () => {
  expect(await readDocument(await fileOf(buildPdfFromLines(['scan', 'หน้า 1'])))).toMatchObject({
    outcome: 'scan',
    facts: [],
  })
})

test('aborting the work kills the process', async () => {
  const file = await fileOf(buildPdfFromLines(['ประกาศ']))
  await expect(readDocument(file, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over')
  const ending = new AbortController()
  const reading = readDocument(file, { signal: ending.signal })
  setTimeout(() => ending.abort(new Error('later')), 20)
  await expect(reading).rejects.toThrow('later')
})
