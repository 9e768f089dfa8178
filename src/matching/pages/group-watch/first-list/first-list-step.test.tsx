import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { CompanyList } from '#contract/market/company.ts'
import type { FirstListProof, FirstListProofRequest, FirstListResponse } from '#contract/market/first-list.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import type { FirstListSelection } from './first-list-selection.ts'
import { FirstListStep } from './first-list-step.tsx'

const word = (text: string, wins: number, is_ticked = true) => ({ word: text, wins, per_day: 1, is_ticked })
const PROPOSAL: FirstListResponse = {
  company: { id: 7, name: 'บริษัท กล้องดี จำกัด', tax_id: '0105550000015', is_shared_name: false, is_sme: true },
  similar: [],
  proposal: {
    wins: 14,
    value: 62_400_000,
    from_date: '2025-01-10',
    to_date: '2026-06-10',
    retrospect: { learned: 10, later: 4, found: 3 },
    words: [word('กล้องวงจรปิด', 9), word('ระบบเครือข่าย', 4), word('คอมพิวเตอร์', 3, false)],
    agencies: [word('เทศบาลเมืองหัวหิน', 3)],
    provinces: [
      { name: 'นนทบุรี', wins: 10, is_ticked: true },
      { name: 'นครราชสีมา', wins: 4, is_ticked: false },
    ],
    is_nationwide: false,
    band: { min: 300_000, max: null },
    won_band: { min: 320_000, max: 18_200_000 },
    rivals: [{ name: 'บริษัท คู่แข่ง จำกัด', tax_id: '0103550000021', met: 5 }],
  },
}
const proven = (id: string, name: string) => ({
  project_id: id,
  name,
  dept_name: 'โรงพยาบาลปากเกร็ด',
  province: 'นนทบุรี',
  budget: 2_100_000,
  date: '2026-05-01',
  found_by: [],
})
/** The list misses two wins until the word and the province that they need are in it. */
function prove({ words, provinces }: FirstListProofRequest): FirstListProof {
  const missed = [
    ...(words.includes('ระบบรักษาความปลอดภัย')
      ? []
      : [{ ...proven('1', 'ซื้อระบบรักษาความปลอดภัย'), fixes: [{ kind: 'word' as const, value: 'ระบบรักษาความปลอดภัย' }] }]),
    ...(provinces === null || provinces.includes('นครราชสีมา')
      ? []
      : [{ ...proven('2', 'ซื้อกล้อง'), fixes: [{ kind: 'province' as const, value: 'นครราชสีมา' }] }]),
  ]
  const foundWins = Array.from({ length: 14 - missed.length }, (_, index) =>
    proven(`f${index}`, `ซื้อกล้องวงจรปิด ${index}`),
  )
  return { found: foundWins, missed, open: { total: 1, results: [proven('o', 'ซื้อกล้องเปิดรับ')] }, per_working_day: 3.4 }
}

const SAMPLE_COMPANIES = {
  links: { next: null, previous: null },
  ...{
    total: 1,
    page: 1,
    page_size: 50,
    totals: { wins: 14, value: null },
    similar: [],
    years: [],
    ignored_parameters: [],
  },
  scope: {
    ...{ universe: 'all', year_from: null, year_to: null, n: 14, computed_at: null },
    coverage: { full: 14, names: 0, winner: 0 },
  },
  results: [
    {
      ...PROPOSAL.company!,
      ...{ wins: 14, value: null, bids: null, departments: 1, top_method: null, last_win_date: null },
      discount: { n: 0, weighted: null, median: null, against_budget: { n: 0, weighted: null, median: null } },
      coverage: { full: 14, names: 0, winner: 0 },
    },
  ],
} satisfies CompanyList

let network: ReturnType<typeof startFakeNetwork>
afterEach(() => {
  cleanup()
  document.querySelector('meta[name="sample-login"]')?.remove()
  stopFakeNetwork()
})

function start(onWithoutWins = vi.fn(), answers: FirstListResponse | null = PROPOSAL) {
  network = startFakeNetwork(({ path, body }) => {
    if (path === 'organisations/me/first-list') return answers ?? undefined
    if (path === 'companies') return SAMPLE_COMPANIES
    return path === 'organisations/me/first-list/proof' ? prove(body as FirstListProofRequest) : undefined
  })
  const latest: { selection?: FirstListSelection | undefined } = {}
  function Host() {
    const [company, setCompany] = useState('')
    const [selection, setSelection] = useState<FirstListSelection>()
    latest.selection = selection
    return (
      <FirstListStep
        company={company}
        selection={selection}
        remaining={{ include: 50, deptsub_include: 20 }}
        onCompany={setCompany}
        onSelect={setSelection}
        onWithoutWins={onWithoutWins}
      />
    )
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Host />
    </QueryClientProvider>,
  )
  return latest
}
const box = () => screen.getByRole('textbox', { name: /เลขประจำตัวผู้เสียภาษี/ })
const submit = () => userEvent.click(screen.getByRole('button', { name: 'เตรียมรายการ' }))
async function propose() {
  await userEvent.type(box(), '0-1055-50000-01-5')
  await submit()
  return screen.findByRole('region', { name: 'รายการที่เสนอ' })
}

test('begins with one question and leads without wins to the kinds of business', async () => {
  const onWithoutWins = vi.fn()
  start(onWithoutWins)
  await submit()
  expect(box()).toHaveAccessibleDescription(/ใส่เลข 13 หลัก หรือชื่อบริษัท/)
  expect(network.asked).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: /ยังไม่เคยได้งานรัฐ/ }))
  expect(onWithoutWins).toHaveBeenCalledOnce()
})

test('names a company to try where the projects are invented, and nowhere else', async () => {
  start()
  expect(screen.queryByRole('button', { name: /^ลองด้วย/ })).toBeNull()
  expect(network.asked).toEqual([])
  cleanup()
  stopFakeNetwork()
  document.head.append(Object.assign(document.createElement('meta'), { name: 'sample-login' }))
  start()
  await userEvent.click(await screen.findByRole('button', { name: 'ลองด้วย 0105550000015 บริษัท กล้องดี จำกัด' }))
  expect(box()).toHaveValue('0105550000015')
  expect(await screen.findByRole('region', { name: 'รายการที่เสนอ' })).toBeVisible()
})

test('proposes entries with reasons and ticks, and stores the ticked ones', async () => {
  const latest = start()
  const form = await propose()
  expect(within(form).getByRole('checkbox', { name: /กล้องวงจรปิด อยู่ในชื่องาน 9 จาก 14 งานที่ชนะ/ })).toBeChecked()
  expect(within(form).getByRole('checkbox', { name: /คอมพิวเตอร์ อยู่/ })).not.toBeChecked()
  expect(form).toHaveTextContent('เรียนจาก 10 งานแรก รายการแบบนี้เห็น 3 จาก 4 งานที่ชนะหลังจากนั้น')
  expect(latest.selection).toMatchObject({
    company_id: 7,
    tax_id: '0105550000015',
    words: ['กล้องวงจรปิด', 'ระบบเครือข่าย'],
    agencies: ['เทศบาลเมืองหัวหิน'],
    provinces: ['นนทบุรี'],
    rivals: [],
  })
  await userEvent.click(within(form).getByRole('checkbox', { name: /ระบบเครือข่าย/ }))
  await userEvent.click(within(form).getByRole('checkbox', { name: /คู่แข่ง/ }))
  expect(latest.selection).toMatchObject({
    words: ['กล้องวงจรปิด'],
    rivals: [{ key: 't:0103550000021', name: 'บริษัท คู่แข่ง จำกัด' }],
  })
})

test('proves the list and adds what finds the rest in one press', async () => {
  const latest = start()
  await propose()
  const proof = await screen.findByRole('region', { name: 'ทดสอบกับงานที่ชนะ' })
  await waitFor(() =>
    expect(within(proof).getByRole('status')).toHaveTextContent(
      'จากงานที่คุณชนะ 14 งาน รายการนี้จะเห็น 12 · ไม่เห็น 2 · ตอนนี้เปิดรับ 1 งาน',
    ),
  )
  expect(proof).toHaveTextContent('ชื่องานไม่มีคำที่เลือก')
  expect(proof).toHaveTextContent('ซื้อกล้องเปิดรับ')
  await userEvent.click(within(proof).getByRole('button', { name: 'เพิ่มทั้งหมดที่ขาด' }))
  await waitFor(() => expect(within(proof).getByRole('status')).toHaveTextContent('เห็น 14 · ตอนนี้เปิดรับ'))
  expect(latest.selection).toMatchObject({
    words: ['กล้องวงจรปิด', 'ระบบเครือข่าย', 'ระบบรักษาความปลอดภัย'],
    provinces: ['นนทบุรี', 'นครราชสีมา'],
  })
  await userEvent.click(within(proof).getByRole('button', { name: /เห็น 14 งานที่เคยชนะ/ }))
  expect(proof).toHaveTextContent('ซื้อกล้องวงจรปิด 0')
})

test('shows the reason of a refused id at the field', async () => {
  start(vi.fn(), null)
  await userEvent.type(box(), '3101200345678')
  await submit()
  await waitFor(() => expect(network.to('organisations/me/first-list')).toHaveLength(1))
  network.to('organisations/me/first-list')[0]!.answer({ company: ['เลขนี้เป็นเลขประจำตัวของบุคคล'] }, 400)
  expect(await screen.findByText('เลขนี้เป็นเลขประจำตัวของบุคคล')).toBeInTheDocument()
  expect(box()).toHaveAttribute('aria-invalid', 'true')
})

test('offers similar names for an unknown company', async () => {
  start(vi.fn(), { company: null, similar: [PROPOSAL.company!], proposal: null })
  await userEvent.type(box(), 'กล้องดีดี')
  await submit()
  expect(await screen.findByText('ไม่พบบริษัทนี้ในข้อมูล')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'บริษัท กล้องดี จำกัด' }))
  expect(box()).toHaveValue('0105550000015')
})
