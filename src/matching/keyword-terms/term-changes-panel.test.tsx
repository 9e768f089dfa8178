import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { KeywordTerm, KeywordTermSelection } from '#contract/matching/keyword-term.ts'
import type { ChangedKeywordTerm, KeywordTermChangesResponse as News } from '#contract/matching/term-changes.ts'
import type { KeywordTermEvidenceRequest } from '#contract/matching/term-evidence.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { keywordTermsQuery } from '#src/matching/api/keyword-terms.ts'
import { clearToasts, toastStore } from '#src/ui/overlay/toast.ts'
import { KeywordTermChangesPanel } from './term-changes-panel.tsx'

const news = (term: string): ChangedKeywordTerm => ({
  term,
  source: 'dictionary',
  state: 'auto',
  similarity: 0.8,
  facet: 0,
  title_count: 120,
})
const stored = (term: string, change: Partial<KeywordTerm> = {}): KeywordTerm => ({
  ...news(term),
  samples: [],
  ...change,
})
const TERMS = [stored('ถนนลูกรัง', { source: 'literal' }), stored('ทาง'), stored('ผิวจราจร', { state: 'suggested' })]
const GAINED = [news('ถนนดิน'), { ...news('ผิวจราจร'), state: 'suggested' as const }]
const PATH = 'organisations/me/keywords/7/terms'
const EVIDENCE = 'organisations/me/keywords/evidence'
const ADDS: Readonly<Record<string, number>> = { ถนนดิน: 12, ผิวจราจร: 340, ทาง: 90 }

function Stored({ locked }: { locked: boolean }) {
  const { data } = useQuery(useOptimisticQueryOptions(keywordTermsQuery))
  const terms = data?.keywords[0]?.terms ?? []
  return (
    <>
      <KeywordTermChangesPanel keyword={{ id: 7, word: 'ถนนลูกรัง' }} terms={terms} locked={locked} />
      <p>มีผล {terms.filter(({ state }) => state === 'auto' || state === 'approved').length} คำ</p>
    </>
  )
}

let termChanges: News
let terms: KeywordTerm[]
beforeAll(() => import('./term-changes-panel.tsx').then(() => undefined), 60_000)
beforeEach(() => {
  clearToasts()
  termChanges = { keywords: [{ keyword_id: 7, gained: GAINED, lost: [news('ทาง')] }] }
  terms = TERMS
})
afterEach(stopFakeNetwork)

function setUp({ locked = false, fails = false } = {}) {
  const network = startFakeNetwork(({ method, path, body }) => {
    if (path === 'organisations/me/matching') return { state: 'idle', done: 0, total: 0, finished_at: null }
    if (path === 'organisations/me/keyword-terms')
      return { engine: '', keywords: [{ keyword_id: 7, known: true, terms }] }
    if (path === 'organisations/me/keyword-terms/news') return termChanges
    if (path !== EVIDENCE || fails || method !== 'POST') return undefined
    return {
      from: '2025-11-22',
      to: '2026-11-21',
      titles: 900,
      share: 1,
      terms: (body as KeywordTermEvidenceRequest).terms.map(({ term, facet }) => ({
        term,
        facet,
        holds: 400,
        adds: ADDS[term] ?? 0,
        samples: [{ project_id: '67119000001', name: `งาน${term}บ้านหนองแวง` }],
      })),
    }
  })
  render(
    <QueryClientProvider client={queryClient}>
      <Stored locked={locked} />
    </QueryClientProvider>,
  )
  return { network, changes: () => network.to(PATH) }
}
const line = () => screen.findByRole('button', { name: 'มีคำใกล้เคียงใหม่ 2 คำ และ 1 คำที่ไม่แนะนำแล้ว' })
const open = async () => {
  await userEvent.click(await line())
  return within(await screen.findByRole('list', { name: 'คำใหม่ของ ถนนลูกรัง' }))
}
const sided = (...names: string[]) => names.map((term) => ({ term, facet: 0 }))
const waitForRenewals = (
  changes: () => readonly { body: unknown }[],
  ...renewals: NonNullable<KeywordTermSelection['renew']>[]
) => vi.waitFor(() => expect(changes().map(({ body }) => body)).toEqual(renewals.map((renew) => ({ renew }))))

test('shows one line; expanded, lists terms with affected titles, largest change first', async () => {
  const { network } = setUp()
  const list = await open()
  await list.findByText(/จะพบเพิ่ม 340 ชื่อ/)
  expect(list.getAllByRole('listitem', { name: /./ }).map((row) => row.getAttribute('aria-label'))).toEqual([
    'ผิวจราจร',
    'ถนนดิน',
    'ทาง',
  ])
  expect(await list.findByText(/ระบบไม่แนะนำแล้ว · จะไม่พบอีก 90 ชื่อ/)).toBeVisible()
  expect(list.getByText('ถนนดิน', { selector: 'mark' })).toBeVisible()
  // Gained terms are counted against the retained ones, lost terms against the gained ones.
  const bodies = network.to(EVIDENCE).map(({ body }) => (body as KeywordTermEvidenceRequest).terms)
  const acting = bodies.map((body) => body.filter(({ acts }) => acts).map(({ term }) => term))
  expect(acting).toEqual([['ถนนลูกรัง'], ['ถนนลูกรัง', 'ผิวจราจร', 'ถนนดิน']])
})

test('accepts a term at once, focuses the next one, and undo restores it', async () => {
  const { changes } = setUp()
  const list = await open()
  const row = within(await list.findByRole('listitem', { name: 'ถนนดิน' }))
  await userEvent.click(row.getByRole('button', { name: 'ใช้คำนี้' }))
  expect(screen.getByText('มีผล 3 คำ')).toBeVisible()
  expect(list.queryByRole('listitem', { name: 'ถนนดิน' })).toBeNull()
  expect(list.getByRole('listitem', { name: 'ทาง' })).toHaveFocus()
  await waitForRenewals(changes, { take: sided('ถนนดิน') })
  terms = [...TERMS, stored('ถนนดิน')]
  changes()[0]!.answer({ keyword_id: 7, known: true, terms })
  termChanges = { keywords: [{ keyword_id: 7, gained: GAINED.slice(1), lost: [news('ทาง')] }] }
  await waitFor(() => expect(toastStore.get().at(-1)?.text).toBe('ใช้ “ถนนดิน” ของ ถนนลูกรัง แล้ว'))
  act(() => toastStore.get().at(-1)!.action!.run())
  await waitForRenewals(changes, { take: sided('ถนนดิน') }, { back: sided('ถนนดิน') })
  termChanges = { keywords: [{ keyword_id: 7, gained: GAINED, lost: [news('ทาง')] }] }
  changes()[1]!.answer({ keyword_id: 7, known: true, terms: TERMS })
  expect(await list.findByRole('listitem', { name: 'ถนนดิน' })).toBeVisible()
})

test('keeps all terms unchanged with one press and leaves the focus on the word', async () => {
  const { changes } = setUp()
  await open()
  await userEvent.click(screen.getByRole('button', { name: 'คงเดิมทั้งหมด' }))
  expect(screen.queryByRole('list', { name: 'คำใหม่ของ ถนนลูกรัง' })).toBeNull()
  expect(screen.getByRole('group', { name: 'คำใหม่ของ ถนนลูกรัง' })).toHaveFocus()
  await waitForRenewals(changes, { leave: sided('ถนนดิน', 'ผิวจราจร', 'ทาง') })
})

test('navigates and answers by physical key position', async () => {
  const { changes } = setUp()
  const list = await open()
  const first = await list.findByRole('listitem', { name: 'ผิวจราจร' })
  first.focus()
  await userEvent.keyboard('[KeyJ]')
  expect(list.getByRole('listitem', { name: 'ถนนดิน' })).toHaveFocus()
  await userEvent.keyboard('[KeyK][KeyY]')
  await waitForRenewals(changes, { take: sided('ผิวจราจร') })
  changes()[0]!.answer({ keyword_id: 7, known: true, terms: TERMS })
  list.getByRole('listitem', { name: 'ทาง' }).focus()
  await userEvent.keyboard('[KeyN]')
  await waitForRenewals(changes, { take: sided('ผิวจราจร') }, { take: sided('ทาง') })
})

test('restores a refused term and offers a retry', async () => {
  const { changes } = setUp()
  const list = await open()
  await userEvent.click(
    within(await list.findByRole('listitem', { name: 'ทาง' })).getByRole('button', { name: 'ใช้ต่อ' }),
  )
  await waitForRenewals(changes, { leave: sided('ทาง') })
  changes()[0]!.answer({ non_field_errors: ['ยังแก้ไขไม่ได้'] }, 403)
  expect(await list.findByRole('listitem', { name: 'ทาง' })).toBeVisible()
  expect(toastStore.get().at(-1)).toMatchObject({
    tone: 'error',
    text: 'บันทึกคำใกล้เคียงของ ถนนลูกรัง ไม่สำเร็จ ยังแก้ไขไม่ได้',
    action: { label: 'ลองใหม่' },
  })
})

test('is read-only while lists are locked, and reports titles that failed to load', async () => {
  const { network, changes } = setUp({ locked: true, fails: true })
  const list = await open()
  await vi.waitFor(() => expect(network.to(EVIDENCE)).toHaveLength(2))
  for (const call of network.to(EVIDENCE)) call.answer({ non_field_errors: ['รอสักครู่'] }, 400)
  expect(await screen.findByText(/^ดูชื่อโครงการไม่สำเร็จ รอสักครู่/)).toBeVisible()
  for (const button of list.getAllByRole('button')) expect(button).toBeDisabled()
  list.getByRole('listitem', { name: 'ทาง' }).focus()
  await userEvent.keyboard('[KeyY]')
  expect(changes()).toEqual([])
})

test('shows no line without changes', async () => {
  termChanges = { keywords: [] }
  const { network } = setUp()
  await waitFor(() => expect(network.to('organisations/me/keyword-terms/news')).toHaveLength(1))
  expect(await screen.findByText('มีผล 2 คำ')).toBeVisible()
  expect(screen.queryByRole('group')).toBeNull()
})
