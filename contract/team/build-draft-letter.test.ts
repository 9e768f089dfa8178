import { expect, test } from 'vitest'
import { reportRow } from '../../test/report-row.ts'
import type { DraftObservation } from '../documents/draft-observation.ts'
import { buildDraftLetter, MAX_LETTER_OBSERVATIONS } from './build-draft-letter.ts'

const FACTS = {
  ...reportRow({
    project_id: '69119000001',
    name: 'ซื้อกล้องวงจรปิด',
    dept_name: 'กรมตัวอย่าง',
    dept_sub_name: 'สำนักงานหนึ่ง',
    draft_published_date: '2026-11-20',
    draft_discussion_end_date: '2026-11-25',
  }),
  organisation: 'บริษัท ท่าเรือเมฆ จำกัด',
  today: '2026-11-21',
}
const observation = (change: Partial<DraftObservation> = {}): DraftObservation => ({
  kind: 'brand',
  text: 'ขอให้พิจารณารับของที่เทียบเท่าด้วย',
  sentence: 'กล้องต้องเป็นยี่ห้อ\nCanon',
  page: 4,
  document: { id: 'd1', name: 'TOR.pdf' },
  ...change,
})

test('names sender, agency, project and dates, and quotes each clause with document and page', () => {
  const letter = buildDraftLetter(FACTS, [observation(), observation({ page: 9, sentence: 'ส่งมอบภายใน 7 วัน' })])
  for (const part of [
    'วันที่ 21 พฤศจิกายน พ.ศ. 2569',
    'เรียน\tหัวหน้าหน่วยงาน สำนักงานหนึ่ง',
    '“ซื้อกล้องวงจรปิด” เลขที่โครงการ 69119000001',
    'รับฟังความเห็นถึงวันที่ 25 พฤศจิกายน พ.ศ. 2569',
    'โดยเปิดเผยตัว',
    '1. TOR.pdf หน้า 4: “กล้องต้องเป็นยี่ห้อ Canon” ขอให้พิจารณารับของที่เทียบเท่าด้วย',
    '2. TOR.pdf หน้า 9: “ส่งมอบภายใน 7 วัน”',
    'บริษัท ท่าเรือเมฆ จำกัด',
  ])
    expect(letter).toContain(part)
  expect(letter).toContain('ข้อสังเกต')
})

test('without observations it says so', () => {
  expect(buildDraftLetter(FACTS, [])).toContain('ยังไม่มีข้อสังเกต')
})

test('an unknown last day is left out', () => {
  expect(buildDraftLetter({ ...FACTS, draft_discussion_end_date: null }, [])).not.toContain('รับฟังความเห็นถึง')
})

test('fits on one page of 45 lines of 90 characters with the most observations and long quotes', () => {
  const document = { id: 'd1', name: 'ก'.repeat(200) }
  const long = observation({ sentence: 'กขคง '.repeat(200), text: 'ข'.repeat(150), document })
  const letter = buildDraftLetter({ ...FACTS, name: 'ซ'.repeat(600) }, Array(MAX_LETTER_OBSERVATIONS).fill(long))
  const widthOf = (line: string) => [...line.replaceAll('\t', ' '.repeat(8))].filter((c) => !/\p{Mn}/u.test(c)).length
  const lines = letter.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / 90)), 0)
  expect(lines).toBeLessThanOrEqual(45)
})
