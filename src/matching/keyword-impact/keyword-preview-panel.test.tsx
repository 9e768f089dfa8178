import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { KeywordPreview } from '#contract/matching/keyword-impact.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { TEXT_DEBOUNCE_MS } from '#src/lib/use-debounced-text.ts'
import type { KeywordPreviewDraft } from './keyword-preview-draft.ts'
import { KeywordPreviewPanel } from './keyword-preview-panel.tsx'

const PREVIEW: KeywordPreview = {
  days: 30,
  looked_at: 20_000,
  before: 400,
  after: 1604,
  added: 1204,
  removed: 0,
  per_working_day: 73,
  level: 'many',
  added_samples: [],
  removed_samples: [],
  after_samples: [],
  traps: [],
  overlaps: [],
  conflicts: [],
}
const TRAPS: KeywordPreview['traps'] = [
  { of: 'ยา', word: 'ยาง', count: 702, samples: ['ซื้อยางรถยนต์ จำนวน 4 เส้น'] },
  { of: 'ยา', word: 'พยาบาล', count: 311, samples: [] },
]
const sample = (name: string, words: string[]) => ({
  project_id: '67119000001',
  name,
  dept_name: 'กรมการแพทย์',
  dept_sub_name: 'โรงพยาบาลเลิดสิน',
  budget: 1_500_000,
  movement_date: '2026-11-20',
  words,
})
const PREVIEW_PATH = 'organisations/me/keywords/preview'

function Holder({ draft }: { draft: KeywordPreviewDraft }) {
  const [excluded, setExcluded] = useState<string[]>([])
  return <KeywordPreviewPanel draft={draft} excluded={excluded} onExcluded={setExcluded} />
}
const drawn = (draft: KeywordPreviewDraft) => (
  <QueryClientProvider client={queryClient}>
    <Holder draft={draft} />
  </QueryClientProvider>
)
function setUp(draft: KeywordPreviewDraft = { list: 'include', word: 'ยา' }) {
  const network = startFakeNetwork()
  const { rerender } = render(drawn(draft))
  const calls = () => network.to(PREVIEW_PATH)
  return {
    calls,
    bodies: () => calls().map(({ body }) => body),
    type: (word: string) => rerender(drawn({ ...draft, word })),
    asked: (times: number) => vi.waitFor(() => expect(calls()).toHaveLength(times), { timeout: 5000 }),
  }
}
const figures = () => screen.findByText('+1,204')
const spoken = () => screen.getByRole('status').textContent
afterEach(stopFakeNetwork)

describe('the figures', () => {
  test('show the added and total projects and are announced once loaded', async () => {
    const { calls, asked: waitForCalls } = setUp()
    await waitForCalls(1)
    expect(calls()[0]!.body).toEqual({ add: { include: ['ยา'] } })
    calls()[0]!.answer(PREVIEW)
    await figures()
    const facts = [...document.querySelectorAll('dd')].map((fact) => fact.textContent)
    expect(facts).toEqual(['+1,204', 'จาก 400 เป็น 1,604', 'ค่อนข้างมาก', 'พอดีคือ 3–30'])
    expect(spoken()).toBe('30 วันที่ผ่านมา จะเพิ่ม 1,204 โครงการ รวมเป็น 1,604 โครงการ เฉลี่ยวันทำการละ 73 ค่อนข้างมาก')
  })

  test('show what an exclusion removes, with the matched words marked', async () => {
    const { calls, asked: waitForCalls } = setUp({ list: 'exclude', word: 'ซ่อม' })
    await waitForCalls(1)
    expect(calls()[0]!.body).toEqual({ add: { exclude: ['ซ่อม'] } })
    calls()[0]!.answer({
      ...PREVIEW,
      added: 0,
      removed: 61,
      removed_samples: [sample('จ้างซ่อมกล้องวงจรปิด', ['กล้อง'])],
    })
    expect(await screen.findByText('−61')).toBeInTheDocument()
    const marks = [...document.querySelectorAll('mark')].map((mark) => mark.textContent)
    expect(marks).toEqual(['ซ่อม', 'กล้อง'])
  })

  test('load once typing pauses, stay dimmed meanwhile and are not announced', async () => {
    const { calls, asked: waitForCalls, type } = setUp()
    await waitForCalls(1)
    calls()[0]!.answer(PREVIEW)
    await figures()
    for (const word of ['ยาร', 'ยารั', 'ยารักษาโรค']) type(word)
    expect(screen.getByText('+1,204').closest('[aria-busy="true"]')).not.toBeNull()
    expect(spoken()).toBe('')
    await waitForCalls(2)
    expect(calls()[1]!.body).toEqual({ add: { include: ['ยารักษาโรค'] } })
    calls()[1]!.answer({ ...PREVIEW, added: 12, after: 412 })
    expect(await screen.findByText('+12')).toBeInTheDocument()
    expect(document.querySelector('[aria-busy="true"]')).toBeNull()
  })

  test('ignore the response for an earlier word, whatever the response order', async () => {
    const { calls, asked: waitForCalls, type } = setUp()
    await waitForCalls(1)
    type('กล้องวงจรปิด')
    await waitForCalls(2)
    calls()[1]!.answer({ ...PREVIEW, added: 186, after: 586 })
    expect(await screen.findByText('+186')).toBeInTheDocument()
    expect(calls()[0]!.isAborted()).toBe(true)
    calls()[0]!.answer(PREVIEW)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.getByText('+186')).toBeInTheDocument()
  })

  test('reload on a click after a failure', async () => {
    const { calls, asked: waitForCalls } = setUp()
    await waitForCalls(1)
    calls()[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    expect(await screen.findByRole('alert')).toHaveTextContent('ทำรายการถี่เกินไป')
    await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
    await waitForCalls(2)
    calls()[1]!.answer(PREVIEW)
    await figures()
  })
})

describe('a word', () => {
  test('sends no request when it cannot be parsed, and shows why', async () => {
    const { calls } = setUp({ list: 'include', word: 'กล้อง||' })
    expect(screen.getByText('ขาดคำข้างเครื่องหมายตรงนี้')).toBeInTheDocument()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(calls()).toEqual([])
  })

  test('suggests alternatives when it finds nothing', async () => {
    const { calls, asked: waitForCalls } = setUp()
    await waitForCalls(1)
    calls()[0]!.answer({ ...PREVIEW, added: 0, after: 400 })
    expect(await screen.findByText(/ไม่มีชื่อโครงการใดมีคำนี้ ลองคำที่สั้นลง/)).toBeInTheDocument()
  })

  test('names the words that already cover or exclude it', async () => {
    const { calls, asked: waitForCalls } = setUp()
    await waitForCalls(1)
    calls()[0]!.answer({
      ...PREVIEW,
      overlaps: [
        { of: 'ยา', keyword_id: 4, word: 'เวชภัณฑ์', share: 0.94 },
        { of: 'ยา', keyword_id: 5, word: 'น้ำเกลือ', share: 0.02 },
      ],
      conflicts: [
        { of: 'ยา', word: 'ยา', count: 9 },
        { of: 'ยา', word: 'ยางรถ', count: 24 },
      ],
    })
    await figures()
    const notes = screen.getAllByRole('listitem').map((item) => item.textContent)
    expect(notes).toEqual([
      'คุณไม่รวมคำนี้อยู่ จึงไม่เห็น 9 โครงการที่มี ยา',
      'คุณไม่รวมคำ ยางรถ อยู่ จึงไม่เห็น 24 โครงการที่มี ยา',
      'คำ เวชภัณฑ์ ครอบคลุมแล้ว 94 %',
    ])
  })

  test('of the AI lists sends its ticked terms, without debounce when a tick changes', async () => {
    // Typing is debounced but ticking is not: a timer started before the tick must still be running when the request is
    // sent, however slow the machine is.
    let isDebounced = false
    const debouncedAt: boolean[] = []
    const network = startFakeNetwork(() => {
      debouncedAt.push(isDebounced)
      return PREVIEW
    })
    const draft: KeywordPreviewDraft = { list: 'ai_include', word: 'กล้องวงจรปิด' }
    const { rerender } = render(drawn(draft))
    await figures()
    setTimeout(() => {
      isDebounced = true
    }, TEXT_DEBOUNCE_MS)
    rerender(drawn({ ...draft, terms: ['กล้องวงจรปิด', 'cctv'] }))
    await vi.waitFor(() => expect(network.to(PREVIEW_PATH)).toHaveLength(2))
    expect(debouncedAt).toEqual([false, false])
    expect(network.to(PREVIEW_PATH).map(({ body }) => body)).toEqual([
      { add: { ai_include: [{ word: 'กล้องวงจรปิด' }] } },
      { add: { ai_include: [{ word: 'กล้องวงจรปิด', terms: ['กล้องวงจรปิด', 'cctv'] }] } },
    ])
  })
})

describe('traps', () => {
  const box = (name: RegExp) => screen.getByRole('checkbox', { name })

  test('are offered as exclusions; a tick refetches at once and keeps the offer visible', async () => {
    const { calls, asked: waitForCalls, bodies } = setUp()
    await waitForCalls(1)
    calls()[0]!.answer({ ...PREVIEW, traps: TRAPS })
    const offers = within(await screen.findByRole('region', { name: 'คำอื่นที่ติดมาด้วย' }))
    expect(offers.getByText('−702')).toBeInTheDocument()
    await userEvent.click(box(/ไม่รวม ยาง/))
    await waitForCalls(2)
    expect(bodies()[1]).toEqual({ add: { include: ['ยา'], exclude: ['ยาง'] } })
    calls()[1]!.answer({
      ...PREVIEW,
      added: 502,
      after: 902,
      added_samples: [sample('ซื้อยา 12 รายการ', ['ยา'])],
      traps: TRAPS.slice(1),
      conflicts: [{ of: 'ยา', word: 'ยาง', count: 702 }],
    })
    expect(await screen.findByText('+502')).toBeInTheDocument()
    expect(screen.getByText(/ตัวอย่างเมื่อไม่รวมแล้ว เหลือ/)).toHaveTextContent('502 โครงการ')
    expect(screen.queryByText(/คุณไม่รวมคำ/)).toBeNull()
    expect(box(/ไม่รวม ยาง/)).toBeChecked()
    await userEvent.click(box(/ไม่รวม ยาง/))
    await figures()
    expect(calls()).toHaveLength(2)
  })
})
