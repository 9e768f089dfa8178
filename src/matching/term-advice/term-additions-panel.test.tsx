import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { KeywordTerm, KeywordTerms } from '#contract/matching/keyword-term.ts'
import type { KeywordTermAddition } from '#contract/matching/term-advice.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { KeywordTermAdditionsPanel } from './term-advice-panel.tsx'

const ADDITION: KeywordTermAddition = {
  keyword_id: 7,
  facet: 0,
  term: 'nvr',
  word: 'กล้องวงจรปิด',
  wanted: 3,
  monthly: 4.4,
  likely_right: 0.78,
  titles: [{ project_id: '67119000001', name: 'ซื้อเครื่องบันทึก NVR อาคาร 1' }],
}
const NEW: KeywordTermAddition = { ...ADDITION, term: 'เครื่องบันทึก', monthly: 0.2 }
const term = (text: string, state: KeywordTerm['state']): KeywordTerm => ({
  term: text,
  source: 'learned',
  state,
  similarity: 0.7,
  facet: 0,
  title_count: 1,
  samples: [],
})
const TERMS: KeywordTerms = {
  engine: 'x',
  keywords: [{ keyword_id: 7, known: true, terms: [term('กล้องวงจรปิด', 'auto'), term('nvr', 'suggested')] }],
}

function setUp(additions: readonly KeywordTermAddition[] = [ADDITION, NEW], isLocked = false) {
  startSession(buildTestSession())
  const network = startFakeNetwork(({ method, path }) => {
    if (method === 'GET' && path === 'organisations/me/term-advice') return { advice: [], additions }
    return path === 'organisations/me/keyword-terms' ? TERMS : undefined
  })
  render(
    <QueryClientProvider client={queryClient}>
      <main ref={nameElement('main')} tabIndex={-1}>
        <KeywordTermAdditionsPanel isLocked={isLocked} />
      </main>
    </QueryClientProvider>,
  )
  return (method: string) => network.asked.filter((request) => request.method === method)
}
const row = (name: string) => screen.findByRole('listitem', { name })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

afterEach(() => {
  stopFakeNetwork()
  endSession('logout')
})

test('lists each term with its evidence and what it would add', async () => {
  setUp()
  const nvrRow = await row('nvr')
  expect(nvrRow).toHaveTextContent('อยู่ในโครงการที่คุณสนใจ 3 โครงการ เพิ่มราว 4 โครงการต่อเดือน คาดว่าตรงราว 78%')
  expect(within(nvrRow).getByText('NVR', { selector: 'mark' })).toBeInTheDocument()
  expect(await row('เครื่องบันทึก')).toHaveTextContent('เพิ่มไม่ถึง 1 โครงการต่อเดือน')
})

test('adds a term with one press, and keeps focus in the section, then in the page', async () => {
  const sent = setUp()
  await row('nvr')
  await waitFor(() => expect(sent('GET').map(({ path }) => path)).toContain('organisations/me/keyword-terms'))
  await press('เพิ่ม nvr ให้ กล้องวงจรปิด')
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'nvr' })).not.toBeInTheDocument())
  await waitFor(() => expect(screen.getByRole('region', { name: 'คำที่น่าเพิ่ม จากโครงการที่คุณสนใจ' })).toHaveFocus())
  await press('เพิ่ม เครื่องบันทึก ให้ กล้องวงจรปิด')
  await waitFor(() => expect(screen.queryByRole('listitem')).not.toBeInTheDocument())
  expect(screen.getByRole('main')).toHaveFocus()
  expect(sent('PATCH')[0]!.path).toBe('organisations/me/keywords/7/terms')
  expect(sent('PATCH')[0]!.body).toEqual({ add: ['nvr'] })
})

test('refuses a term for good, and restores it when that fails', async () => {
  const sent = setUp([ADDITION])
  await press('ไม่ต้องเสนอเรื่อง nvr อีก')
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'nvr' })).not.toBeInTheDocument())
  await waitFor(() => expect(sent('PUT')).toHaveLength(1))
  expect(sent('PUT')[0]!.body).toEqual({ keyword_id: 7, facet: 0, term: 'nvr', refused: true })
  sent('PUT')[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
  expect(await row('nvr')).toBeInTheDocument()
})

test('allows only refusal while the lists are locked, and shows nothing without additions', async () => {
  setUp([ADDITION], true)
  const nvrRow = await row('nvr')
  expect(within(nvrRow).getByRole('button', { name: /^เพิ่ม/ })).toBeDisabled()
  expect(within(nvrRow).getByRole('button', { name: /^ไม่ต้องเสนอ/ })).toBeEnabled()
})
