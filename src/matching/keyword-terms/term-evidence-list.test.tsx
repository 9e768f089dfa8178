import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { KeywordTerm } from '#contract/matching/keyword-term.ts'
import type { KeywordTermEvidenceRequest, KeywordTermEvidenceResponse } from '#contract/matching/term-evidence.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { KeywordTermEvidenceList } from './term-evidence-list.tsx'

const PATH = 'organisations/me/keywords/evidence'
const term = (text: string, change: Partial<KeywordTerm> = {}): KeywordTerm => ({
  term: text,
  source: 'learned',
  state: 'suggested',
  similarity: 0.7,
  facet: 0,
  title_count: 120,
  samples: [],
  ...change,
})
const TERMS = [
  term('รถบรรทุกน้ำ', { source: 'literal', state: 'auto', similarity: 1 }),
  term('รถน้ำ', { state: 'auto', similarity: 0.9 }),
  term('รถดับเพลิง'),
  term('ถังน้ำ', { similarity: 0.6 }),
]
const ADDS: Readonly<Record<string, number>> = { รถน้ำ: 12, รถดับเพลิง: 340 }

const answerTo = ({ terms }: KeywordTermEvidenceRequest): KeywordTermEvidenceResponse => ({
  from: '2025-11-22',
  to: '2026-11-21',
  titles: 20_000,
  share: 0.37,
  terms: terms.map(({ term: text, facet }) => ({
    term: text,
    facet,
    holds: text === 'ถังน้ำ' ? 0 : 400,
    adds: ADDS[text] ?? 0,
    samples: ADDS[text] === undefined ? [] : [{ project_id: '67119000001', name: `ซื้อ${text} 1 คัน` }],
  })),
})

/** Stores the terms and applies answers, as the terms card does. */
function Harness({ onHide }: { onHide: ((term: KeywordTerm) => void) | undefined }) {
  const [terms, setTerms] = useState(TERMS)
  return (
    <KeywordTermEvidenceList
      id="evidence"
      word="รถบรรทุกน้ำ"
      list="ai_include"
      terms={terms}
      locked={false}
      onTurn={({ term: text }, on) =>
        setTerms(
          terms.map((keywordTerm) =>
            keywordTerm.term === text ? { ...keywordTerm, state: on ? 'approved' : 'rejected' } : keywordTerm,
          ),
        )
      }
      onHide={onHide}
    />
  )
}

function setUp(onHide: ((term: KeywordTerm) => void) | undefined = vi.fn(), refuses = false) {
  const network = startFakeNetwork(({ path, body }) =>
    path === PATH && !refuses ? answerTo(body as KeywordTermEvidenceRequest) : undefined,
  )
  render(
    <QueryClientProvider client={queryClient}>
      <Harness onHide={onHide} />
    </QueryClientProvider>,
  )
  return {
    network,
    onHide,
    asked: () => network.to(PATH).map(({ body }) => (body as KeywordTermEvidenceRequest).terms),
  }
}
const rows = async () => {
  const list = await screen.findByRole('list', { name: 'ตรวจคำของ รถบรรทุกน้ำ ด้วยชื่อโครงการ' })
  return [...list.children] as HTMLElement[]
}
const names = async () => (await rows()).map((row) => row.getAttribute('aria-label'))

afterEach(stopFakeNetwork)

describe('term evidence', () => {
  test('lists terms by added titles, with counts, sample titles and the sample size', async () => {
    const { asked: requestedTerms } = setUp()
    expect(await names()).toEqual(['รถดับเพลิง', 'รถน้ำ', 'ถังน้ำ'])
    const [offered, acting, unseen] = await rows()
    expect(offered).toHaveTextContent('จะพบเพิ่ม 340 ชื่อ')
    expect(within(offered!).getByText('รถดับเพลิง', { selector: 'mark' })).toBeInTheDocument()
    expect(acting).toHaveTextContent('พบเพราะคำนี้คำเดียว 12 ชื่อ')
    expect(unseen).toHaveTextContent('ไม่พบในปีที่ผ่านมา')
    expect(screen.getByText(/^จากชื่อโครงการ 20,000 ชื่อ/)).toHaveTextContent('ประมาณจาก 37% ของชื่อทั้งปี')
    expect(requestedTerms()).toEqual([
      [
        { term: 'รถบรรทุกน้ำ', facet: 0, acts: true },
        { term: 'รถน้ำ', facet: 0, acts: true },
        { term: 'รถดับเพลิง', facet: 0, acts: false },
        { term: 'ถังน้ำ', facet: 0, acts: false },
      ],
    ])
  })

  test('accepts or rejects with one press, keeps the order and refetches the figures', async () => {
    const { asked: requestedTerms } = setUp()
    const [offered, acting] = await rows()
    await userEvent.click(within(offered!).getByRole('button', { name: 'ใช่' }))
    await userEvent.click(within(acting!).getByRole('button', { name: 'ไม่' }))
    expect(within(offered!).getByRole('button', { name: 'ใช่' })).toHaveAttribute('aria-pressed', 'true')
    expect(within(acting!).getByRole('button', { name: 'ไม่' })).toHaveAttribute('aria-pressed', 'true')
    expect(await names()).toEqual(['รถดับเพลิง', 'รถน้ำ', 'ถังน้ำ'])
    await waitFor(() =>
      expect(
        requestedTerms()
          .at(-1)
          ?.map(({ acts }) => acts),
      ).toEqual([true, false, true, false]),
    )
  })

  test('hides all titles with a term, where that is offered', async () => {
    const { onHide } = setUp()
    await userEvent.click(await screen.findByRole('button', { name: 'ซ่อนทุกชื่อที่มี รถดับเพลิง' }))
    expect(onHide).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ term: 'รถดับเพลิง' }))
  })

  test('navigates, accepts, rejects and hides by keyboard', async () => {
    const { onHide } = setUp()
    const [first, second, third] = await rows()
    first!.focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(second).toHaveFocus()
    await userEvent.keyboard('kn')
    expect(within(first!).getByRole('button', { name: 'ไม่' })).toHaveAttribute('aria-pressed', 'true')
    expect(second).toHaveFocus()
    await userEvent.keyboard('y')
    expect(third).toHaveFocus()
    await userEvent.keyboard('x')
    expect(onHide).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ term: 'ถังน้ำ' }))
  })

  test('reports that the titles could not be loaded', async () => {
    const { network } = setUp(undefined, true)
    await vi.waitFor(() => expect(network.to(PATH)).toHaveLength(1))
    network.to(PATH)[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    expect(await screen.findByRole('alert')).toHaveTextContent('ดูชื่อโครงการไม่สำเร็จ')
    expect(screen.getByRole('button', { name: 'ลองใหม่' })).toBeInTheDocument()
  })
})
