import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ClauseChange } from '#contract/documents/document-comparison.ts'
import { readDocument } from '#server/documents/read-document.ts'
import { compareDocumentTexts } from './compare-texts.ts'
import { diffClauseWords, getClauseChangeDirection, splitClauseIntoWords } from './diff-clause-words.ts'
import { diffLists } from './diff-lists.ts'
import {
  DRAFT_TERMS_OF_REFERENCE_PAGES,
  FINAL_TERMS_OF_REFERENCE_PAGES,
  UNCHANGED_TERMS_OF_REFERENCE_PAGES,
} from './tor-for-tests.ts'

/** Renders a diff as text: `ไม่น้อยกว่า [-3-]{+6+} เดือน`. */
const render = ({ pieces }: Pick<ClauseChange, 'pieces'>) =>
  pieces.map(({ kind, text }) => (kind === 'same' ? text : kind === 'gone' ? `[-${text}-]` : `{+${text}+}`)).join('')

test('finds exactly the twelve differences between a draft and its final version', async () => {
  const { outcome, differences } = await compareDocumentTexts(
    DRAFT_TERMS_OF_REFERENCE_PAGES,
    FINAL_TERMS_OF_REFERENCE_PAGES,
  )
  expect(outcome).toBe('compared')
  expect(differences.map(({ kind }) => kind)).toEqual([...Array(9).fill('changed'), 'moved', 'new', 'gone'])
  expect(differences.map(render)).toEqual([
    expect.stringContaining('[-๕,๐๐๐,๐๐๐-]{+๖,๒๐๐,๐๐๐+} บาท'),
    expect.stringContaining('{+และ ISO 27001+}'),
    expect.stringContaining('[-1920-]{+2560+} x [-1080-]{+1440+} จุด'),
    expect.stringContaining('[-30-]{+60+} วัน'),
    expect.stringContaining('[-60-]{+30+} นาที'),
    expect.stringContaining('[-90-]{+120+} วัน'),
    expect.stringContaining('[-0.10-]{+0.20+}'),
    expect.stringContaining('[-1-]{+2+} ปี'),
    expect.stringContaining('[-5-]{+10+} คน'),
    expect.stringContaining('CAT6'),
    expect.stringContaining('สำนักงานบริการซ่อมบำรุง'),
    expect.stringContaining('ไม่อยู่ระหว่างเลิกกิจการ'),
  ])
  const fine = differences.find(({ number }) => number === '4.4')!
  expect(fine).toMatchObject({ section: 'การส่งมอบและการชำระเงิน', topic: 'cost', direction: 'more' })
  expect(DRAFT_TERMS_OF_REFERENCE_PAGES[fine.before!.page - 1]).toContain(fine.before!.sentence)
  expect(FINAL_TERMS_OF_REFERENCE_PAGES[fine.after!.page - 1]).toContain(fine.after!.sentence)
  expect(fine.after!.sentence.replaceAll('\n', '')).toContain('0.20')
  expect(differences.find(({ number }) => number === '3.5' || number === '3.4')).toMatchObject({ direction: 'less' })
})

test('ignores other lines, pages, digits, headers and page numbers', async () => {
  expect(
    (await compareDocumentTexts(DRAFT_TERMS_OF_REFERENCE_PAGES, UNCHANGED_TERMS_OF_REFERENCE_PAGES)).differences,
  ).toEqual([])
  expect(
    (await compareDocumentTexts(DRAFT_TERMS_OF_REFERENCE_PAGES, DRAFT_TERMS_OF_REFERENCE_PAGES)).differences,
  ).toEqual([])
})

test('reports unrelated documents as different as a whole, in bounded time', async () => {
  const random = (seed: number) =>
    Array.from({ length: 2_000 }, (_, at) => `${at % 90}) ${((at * seed) % 9973).toString(36).repeat(9)}`).join('\n')
  const begun = performance.now()
  expect((await compareDocumentTexts([random(7)], [random(11)])).outcome).toBe('different')
  expect((await compareDocumentTexts(['ก'.repeat(900_000)], ['ข'])).outcome).toBe('different')
  expect((await compareDocumentTexts(['กข '.repeat(30_000)], ['กข '.repeat(30_001)])).differences.length).toBeLessThan(
    3,
  )
  expect(performance.now() - begun).toBeLessThan(10_000)
})

test('compares empty pages', async () => {
  expect(await compareDocumentTexts([], [''])).toEqual({ outcome: 'compared', clauses: 0, differences: [] })
  expect((await compareDocumentTexts([''], ['๑. ขอบเขตของงาน'])).differences).toMatchObject([
    { kind: 'new', number: '1' },
  ])
})

test('splits figures into their own words, in either digits', () => {
  expect(splitClauseIntoWords('ร้อยละ๗0และ').map(({ key }) => key)).toContain('70')
  expect(diffClauseWords('จำนวน ๑,๐๐๐ ชุด', 'จำนวน 1000 ชุด').every(({ kind }) => kind === 'same')).toBe(true)
  expect(getClauseChangeDirection(diffClauseWords('ภายใน ๙๐ วัน', 'ภายใน 120 วัน'))).toBe('more')
})

test('diffLists is minimal and reproduces both lists', () => {
  const runs = diffLists([...'abcabba'], [...'cbabac'])!
  const sameLength = runs
    .filter(({ kind }) => kind === 'same')
    .reduce((sum, { before: [from, to] }) => sum + to - from, 0)
  expect(sameLength).toBe(4)
  expect(diffLists([], [])).toEqual([])
  expect(
    diffLists(['a'], ['b'])!
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['gone', 'new'])
  let position = [0, 0]
  for (const { before, after } of runs) {
    expect([before[0], after[0]]).toEqual(position)
    position = [before[1], after[1]]
  }
  expect(position).toEqual([7, 6])
})

const REAL = path.join(import.meta.dirname, '../../../../shared/documents/pdf/real/tor-nsm-vr-exhibition-30p.pdf')

test.skipIf(!existsSync(REAL))('compares 30 pages of a real document within 100 ms', { timeout: 60_000 }, async () => {
  const pages = (await readDocument(REAL)).pages.map(({ text }) => text)
  expect(pages).toHaveLength(30)
  const edited = pages.map((page) =>
    page
      .replace('ระยะเวลาการดำเนินงาน 270 วัน', 'ระยะเวลาการดำเนินงาน 240 วัน')
      .replace('อย่างน้อย 3 เดือน', 'อย่างน้อย 6 เดือน'),
  )
  // Measure CPU time, because wall clock time includes other work on the machine.
  const times: number[] = []
  for (let at = 0; at < 5; at += 1) {
    const begun = process.threadCpuUsage()
    const { differences } = await compareDocumentTexts(pages, edited)
    const { user, system } = process.threadCpuUsage(begun)
    times.push((user + system) / 1_000)
    expect(differences.map(render)).toEqual([
      expect.stringContaining('[-3-]{+6+} เดือน'),
      expect.stringContaining('[-270-]{+240+} วัน'),
    ])
  }
  expect(Math.min(...times)).toBeLessThan(100)
})
