import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Keyword } from '#contract/account/organisation.ts'
import type { KeywordTerm, KeywordTerms } from '#contract/matching/keyword-term.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { keywordTermsQuery } from '#src/matching/api/keyword-terms.ts'
import { clearToasts, toastStore } from '#src/ui/overlay/toast.ts'
import { KeywordTermsCard } from './keyword-terms-card.tsx'
import type { AiTermListCode } from './term-text.ts'

const KEYWORD: Keyword = {
  id: 7,
  word: 'กล้องวงจรปิด',
  group_id: null,
  approved: true,
  added_at: '2026-11-01T00:00:00Z',
  added_by: null,
}
const term = (text: string, change: Partial<KeywordTerm> = {}): KeywordTerm => ({
  term: text,
  source: 'learned',
  state: 'suggested',
  similarity: 0.7,
  facet: 0,
  title_count: 120,
  samples: [`ซื้อ${text} 4 ชุด`],
  ...change,
})
const TERMS: KeywordTerm[] = [
  term('กล้องวงจรปิด', { source: 'literal', state: 'auto', similarity: 1 }),
  term('โทรทัศน์วงจรปิด', { state: 'auto', similarity: 0.97 }),
  term('cctv', { source: 'dictionary', state: 'auto', similarity: 0.95 }),
  ...['สายใยแก้วนำแสง', 'กล้องถ่ายภาพ', 'จอภาพ', 'ลำโพง', 'เครื่องเสียง', 'ไมโครโฟน'].map((text, index) =>
    term(text, { similarity: 0.7 - index / 100 }),
  ),
]
const PATH = 'organisations/me/keywords/7/terms'

function Stored({ list, locked }: { list: AiTermListCode; locked: boolean }) {
  const { data } = useQuery(useOptimisticQueryOptions(keywordTermsQuery))
  const entry = data?.keywords.find(({ keyword_id }) => keyword_id === KEYWORD.id)
  return <KeywordTermsCard keyword={KEYWORD} list={list} entry={entry} locked={locked} onDelete={vi.fn()} />
}

function setUp(terms = TERMS, list: AiTermListCode = 'ai_include', { locked = false, known: isKnown = true } = {}) {
  const stored: KeywordTerms = { engine: 'คำใกล้เคียง', keywords: [{ keyword_id: 7, known: isKnown, terms }] }
  const network = startFakeNetwork(({ method, path }) => {
    if (path === 'organisations/me/matching') return { state: 'idle', done: 0, total: 0, finished_at: null }
    return method === 'GET' && path === 'organisations/me/keyword-terms' ? stored : undefined
  })
  render(
    <QueryClientProvider client={queryClient}>
      <Stored list={list} locked={locked} />
    </QueryClientProvider>,
  )
  return { network, stored, changes: () => network.to(PATH) }
}
const chip = (name: string | RegExp) => screen.findByRole('checkbox', { name })
const waitForBodies = async (changes: () => readonly { body: unknown }[], ...bodies: object[]) =>
  await vi.waitFor(() => expect(changes().map(({ body }) => body)).toEqual(bodies))

beforeEach(clearToasts)
afterEach(stopFakeNetwork)

describe('the card', () => {
  test('shows active terms with their similarity and the first suggestions to tick', async () => {
    setUp()
    expect(await chip('โทรทัศน์วงจรปิด ความคล้าย 0.97')).toBeChecked()
    expect(await chip('สายใยแก้วนำแสง ความคล้าย 0.70')).not.toBeChecked()
    expect(screen.getByText('ขยายเป็น 3 คำ')).toBeInTheDocument()
    expect(screen.queryByRole('checkbox', { name: /ไมโครโฟน/ })).toBeNull()
  })

  test('shows the source and sample titles of a term on focus', async () => {
    setUp()
    ;(await chip(/cctv/)).focus()
    const facts = await screen.findByRole('tooltip')
    expect(facts).toHaveTextContent('จากพจนานุกรมคำพ้องที่ตรวจแล้ว · พบใน 120 ชื่อโครงการ')
    expect(facts).toHaveTextContent('ซื้อcctv 4 ชุด')
  })

  test('states that an unlearned word matches only itself', async () => {
    setUp([TERMS[0]!], 'ai_include', { known: false })
    expect(await screen.findByText(/ระบบไม่เคยพบคำนี้ในชื่อโครงการที่เรียนรู้/)).toBeInTheDocument()
  })

  test('shows both concepts of a compound word side by side', async () => {
    setUp([
      term('ปรับปรุงถนน', { source: 'literal', state: 'auto', similarity: 1 }),
      term('ปรับปรุง', { source: 'literal', state: 'auto', similarity: 1, facet: 1 }),
      term('ซ่อมสร้าง', { source: 'dictionary', state: 'auto', facet: 1 }),
      term('ถนน', { source: 'literal', state: 'auto', similarity: 1, facet: 2 }),
      term('ผิวทาง', { source: 'dictionary', state: 'auto', facet: 2 }),
    ])
    const sides = await screen.findByRole('group', { name: 'หรือมีครบทุกส่วน' })
    expect(sides.textContent?.replaceAll(/\s?ความคล้าย 0\.70/g, '')).toBe('หรือชื่อที่มีครบทุกส่วนปรับปรุง ≈ซ่อมสร้างและ ถนน ≈ผิวทาง')
  })

  test('lets only the ticked terms of an exclusion hide projects, and states so', async () => {
    setUp(TERMS, 'ai_exclude')
    expect(await screen.findByText(/คำแนะนำที่ยังไม่เลือกไม่ซ่อนอะไร/)).toBeInTheDocument()
    expect(await chip(/โทรทัศน์วงจรปิด/)).not.toBeChecked()
    expect(screen.getByText('ขยายเป็น 1 คำ')).toBeInTheDocument()
  })

  test('is read-only while the lists are locked', async () => {
    const { changes } = setUp(TERMS, 'ai_include', { locked: true })
    const locked = await chip(/cctv/)
    expect(locked).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(locked)
    expect(screen.queryByRole('button', { name: 'เพิ่มคำเอง' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'ลบ กล้องวงจรปิด' })).toBeNull()
    expect(changes()).toEqual([])
  })
})

describe('a tick', () => {
  test('is shown at once, keeps its position and focus, and is sent', async () => {
    const { changes } = setUp()
    const names = () => screen.getAllByRole('checkbox').map((box) => box.textContent)
    const suggestion = await chip(/กล้องถ่ายภาพ/)
    const before = names()
    suggestion.focus()
    await userEvent.keyboard(' ')
    expect(suggestion).toBeChecked()
    expect(suggestion).toHaveFocus()
    expect(names()).toEqual(before)
    expect(screen.getByText('ขยายเป็น 4 คำ')).toBeInTheDocument()
    await waitForBodies(changes, { approve: ['กล้องถ่ายภาพ'] })
  })

  test('deactivates an active term', async () => {
    const { changes } = setUp()
    await userEvent.click(await chip(/cctv/))
    expect(await chip(/cctv/)).not.toBeChecked()
    await waitForBodies(changes, { reject: ['cctv'] })
  })

  test('is sent after the previous one, so that the last one wins', async () => {
    const { changes } = setUp()
    await userEvent.click(await chip(/cctv/))
    await userEvent.click(await chip(/cctv/))
    await waitForBodies(changes, { reject: ['cctv'] })
    changes()[0]!.answer({ keyword_id: 7, known: true, terms: TERMS })
    await waitForBodies(changes, { reject: ['cctv'] }, { approve: ['cctv'] })
    expect(await chip(/cctv/)).toBeChecked()
  })

  test('is rolled back alone when refused, with the reason and a retry', async () => {
    const { changes } = setUp()
    await userEvent.click(await chip(/cctv/))
    await userEvent.click(await chip(/โทรทัศน์วงจรปิด/))
    await waitForBodies(changes, { reject: ['cctv'] })
    changes()[0]!.answer({ non_field_errors: ['ยังแก้ไขไม่ได้'] }, 403)
    await vi.waitFor(async () => expect(await chip(/cctv/)).toBeChecked())
    expect(await chip(/โทรทัศน์วงจรปิด/)).not.toBeChecked()
    expect(toastStore.get()).toMatchObject([
      { tone: 'error', text: 'บันทึกคำใกล้เคียงของ กล้องวงจรปิด ไม่สำเร็จ ยังแก้ไขไม่ได้', action: { label: 'ลองใหม่' } },
    ])
  })
})

describe('resetting the terms', () => {
  test('is offered after the first decision and can be undone', async () => {
    const decided = [term('กล้องไอพี', { state: 'approved' }), term('จอภาพ', { state: 'rejected' })]
    const { changes, stored } = setUp([...TERMS.slice(0, 3), ...decided])
    await userEvent.click(await screen.findByRole('button', { name: 'คืนค่าเริ่มต้น' }))
    await waitForBodies(changes, { reset: true })
    stored.keywords[0]!.terms = TERMS
    changes()[0]!.answer({ keyword_id: 7, known: true, terms: TERMS })
    // Wait for the server's response, because only the server knows the terms from before the decisions.
    await vi.waitFor(() => expect(screen.queryByRole('checkbox', { name: /กล้องไอพี/ })).toBeNull())
    toastStore.get().at(-1)!.action!.run()
    await waitForBodies(changes, { reset: true }, { approve: ['กล้องไอพี'], reject: ['จอภาพ'] })
  })

  test('is not offered while all terms have their defaults', async () => {
    setUp()
    await chip(/cctv/)
    expect(screen.queryByRole('button', { name: 'คืนค่าเริ่มต้น' })).toBeNull()
  })
})

describe('a custom term', () => {
  const openBox = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'เพิ่มคำเอง' }))
    return screen.getByRole('textbox', { name: 'คำที่ใช้แทน กล้องวงจรปิด' })
  }

  test('is added with Enter and becomes active', async () => {
    const { changes } = setUp()
    expect(await openBox()).toHaveFocus()
    await userEvent.keyboard(' กล้อง IP {Enter}')
    expect(await chip('กล้อง IP')).toBeChecked()
    await waitForBodies(changes, { add: ['กล้อง IP'] })
  })

  test('ticks an existing suggestion instead, and is refused if already active', async () => {
    const { changes } = setUp()
    await openBox()
    await userEvent.keyboard('กล้อง ถ่ายภาพ{Enter}')
    await waitForBodies(changes, { approve: ['กล้องถ่ายภาพ'] })
    await userEvent.keyboard('CCTV{Enter}')
    expect(screen.getByText('มีคำนี้อยู่แล้ว')).toBeInTheDocument()
    expect(changes()).toHaveLength(1)
  })

  test('is refused with a reason for operators or one letter; Esc restores focus', async () => {
    setUp()
    await openBox()
    await userEvent.keyboard('ก{Enter}')
    expect(screen.getByText('คำต้องมีอย่างน้อย 2 ตัวอักษร')).toBeInTheDocument()
    await userEvent.keyboard('||ข{Enter}')
    expect(screen.getByText(/ใช้เครื่องหมาย/)).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    await vi.waitFor(() => expect(screen.getByRole('button', { name: 'เพิ่มคำเอง' })).toHaveFocus())
  })
})
