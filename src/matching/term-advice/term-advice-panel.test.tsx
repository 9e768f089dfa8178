import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { KeywordTerm, KeywordTerms } from '#contract/matching/keyword-term.ts'
import type { KeywordTermAdvice as Advice } from '#contract/matching/term-advice.ts'
import { keywordTermKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { KeywordTermAdvicePanel } from './term-advice-panel.tsx'

const ADVICE: Advice = {
  keyword_id: 7,
  facet: 0,
  term: 'cctv',
  word: 'กล้องวงจรปิด',
  shown: 9,
  hidden: 6,
  excluded: 3,
  titles: [{ project_id: '67119000001', name: 'ซื้อระบบ CCTV อาคาร 1' }],
}
const term = (text: string, change: Partial<KeywordTerm> = {}): KeywordTerm => ({
  term: text,
  source: 'learned',
  state: 'auto',
  similarity: 0.9,
  facet: 0,
  title_count: 1,
  samples: [],
  ...change,
})
const OTHER: Advice = { ...ADVICE, term: 'ไฟเบอร์', excluded: 0, shown: 6 }
const TERMS: KeywordTerms = {
  engine: 'x',
  keywords: [
    { keyword_id: 7, known: true, terms: [term('กล้องวงจรปิด', { source: 'literal' }), term('cctv'), term('ไฟเบอร์')] },
  ],
}

const ADVICE_PATH = 'organisations/me/term-advice'
const exclude = vi.fn(async () => true)

function setUp(advice: readonly Advice[] = [ADVICE, OTHER], isLocked = false) {
  startSession(buildTestSession())
  const network = startFakeNetwork(({ method, path }) => {
    if (method === 'GET' && path === ADVICE_PATH) return { advice, additions: [] }
    return path === 'organisations/me/keyword-terms' ? TERMS : undefined
  })
  render(
    <QueryClientProvider client={queryClient}>
      <KeywordTermAdvicePanel isLocked={isLocked} exclude={exclude} />
    </QueryClientProvider>,
  )
  const sent = (method: string) => network.asked.filter((request) => request.method === method)
  return { network, sent }
}
const row = (name: string) => screen.findByRole('listitem', { name })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

afterEach(() => {
  stopFakeNetwork()
  endSession('logout')
  exclude.mockClear()
})

test('lists each term with its evidence, and nothing without advice', async () => {
  setUp()
  const cctvRow = await row('cctv')
  expect(cctvRow).toHaveTextContent('คุณซ่อน 6 จาก 6 ชื่อที่คำนี้คำเดียวนำมา อีก 3 ชื่อถูกคำไม่รวมตัดอยู่แล้ว')
  expect(within(cctvRow).getByText('CCTV', { selector: 'mark' })).toBeInTheDocument()
  expect(await row('ไฟเบอร์')).toHaveTextContent('คุณซ่อน 6 จาก 6 ชื่อ')
})

test('unticks a term with one press, removes its row and keeps focus in the section', async () => {
  const { sent } = setUp()
  await press('เลิกใช้ cctv')
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'cctv' })).not.toBeInTheDocument())
  expect(sent('PATCH').map(({ path, body }) => [path, body])).toEqual([
    ['organisations/me/keywords/7/terms', { reject: ['cctv'] }],
  ])
  await waitFor(() => expect(screen.getByRole('region', { name: 'คำเหล่านี้นำมาแต่สิ่งที่คุณซ่อน' })).toHaveFocus())
})

test('leaves the focus alone when a row leaves after a click between its buttons', async () => {
  const advice = [ADVICE, OTHER]
  setUp(advice)
  await userEvent.click((await screen.findByRole('button', { name: 'เลิกใช้ cctv' })).parentElement!)
  ;(document.activeElement as HTMLElement).blur()
  advice.shift()
  await queryClient.refetchQueries({ queryKey: keywordTermKeys.advice })
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'cctv' })).not.toBeInTheDocument())
  expect(document.body).toHaveFocus()
})

test('makes a term an exclusion with one press, and unticks it once that succeeded', async () => {
  const { sent } = setUp()
  exclude.mockResolvedValueOnce(false)
  await press('ทำ cctv เป็นคำไม่รวม')
  expect(exclude).toHaveBeenCalledExactlyOnceWith('cctv')
  expect(sent('PATCH')).toEqual([])
  await press('ทำ cctv เป็นคำไม่รวม')
  await waitFor(() => expect(sent('PATCH')).toHaveLength(1))
})

test('dismisses a term for good with one press, and restores it when refused', async () => {
  const { sent } = setUp()
  await press('ไม่ต้องเสนอเรื่อง cctv อีก')
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'cctv' })).not.toBeInTheDocument())
  await waitFor(() => expect(sent('PUT')).toHaveLength(1))
  expect(sent('PUT')[0]!.body).toEqual({ keyword_id: 7, facet: 0, term: 'cctv', refused: true })
  sent('PUT')[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
  expect(await row('cctv')).toBeInTheDocument()
})

test('allows only dismissal while the lists are locked', async () => {
  setUp([ADVICE], true)
  const cctvRow = await row('cctv')
  const isOpen = (name: RegExp) => !within(cctvRow).getByRole('button', { name }).hasAttribute('disabled')
  expect([/^เลิกใช้/, /^ทำ /, /^ไม่ต้องเสนอ/].map(isOpen)).toEqual([false, false, true])
})
