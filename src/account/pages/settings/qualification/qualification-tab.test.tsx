import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import type { QualificationCoverage } from '#contract/account/qualification-coverage.ts'
import type { User } from '#contract/account/user.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const NONE = { decided: 0, waiting: 0 }
const COVERAGE: QualificationCoverage = {
  open: 412,
  decided: 38,
  answers: {
    bidder_kind: { decided: 38, waiting: 0 },
    net_worth: NONE,
    paid_capital: NONE,
    credit_line: NONE,
    credit_letter_on: NONE,
    has_anti_corruption_policy: { decided: 0, waiting: 5 },
    suspended_until: NONE,
  },
}

let stored: Qualifications
let user: User
let sent: object[]
let refusal: string | undefined

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  sent = []
  refusal = undefined
  stored = EMPTY_QUALIFICATIONS
  user = { ...buildTestUser(), role: 'super_user' }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const call = new Request(input, init)
    const path = new URL(call.url).pathname
    if (path.includes('users/me')) return Response.json(user)
    if (path.includes('organisations/me')) return Response.json(buildTestOrganisation())
    if (path.includes('coverage')) return Response.json(COVERAGE)
    if (path.includes('report-cards')) return Response.json({ results: [] })
    if (call.method !== 'PATCH') return Response.json(stored)
    const patch = (await call.json()) as Partial<Qualifications>
    sent.push(patch)
    if (refusal) return Response.json({ certificates: [refusal], non_field_errors: [] }, { status: 400 })
    stored = { ...stored, ...patch }
    return Response.json(stored)
  })
  startSession(buildTestSession())
})
afterEach(() => vi.unstubAllGlobals())

async function open() {
  render(
    <App
      router={createAppRouter(createMemoryHistory({ initialEntries: ['/settings?tab=team&part=qualifications'] }))}
    />,
  )
  return userEvent.setup()
}
const opened = () => screen.findByRole('textbox', { name: 'ทุนจดทะเบียน (บาท)' }, { timeout: 10_000 })

test('accepts money as people write it, and saves baht', async () => {
  const doer = await open()
  await doer.type(await opened(), '5 ล้าน')
  await doer.type(screen.getByRole('textbox', { name: 'วงเงินค้ำประกันที่เหลือ (บาท)' }), '1.5 ล้าน')
  await doer.click(screen.getByRole('button', { name: 'บันทึกฐานะ' }))
  await waitFor(() =>
    expect(sent).toEqual([{ tax_id: null, sme: null, has_mit: null, capital: 5_000_000, bond_line: 1_500_000 }]),
  )
  expect(await screen.findByDisplayValue('5,000,000.00')).toBeInTheDocument()
})

test('asks for the figure that the kind of bidder needs, and accepts a negative amount', async () => {
  const doer = await open()
  await opened()
  const netWorth = () => screen.queryByRole('textbox', { name: 'มูลค่าสุทธิของกิจการ (บาท)' })
  const paidCapital = () => screen.queryByRole('textbox', { name: 'ทุนที่เรียกชำระแล้ว (บาท)' })
  expect([netWorth(), paidCapital()]).toEqual([null, null])
  await doer.click(screen.getByRole('button', { name: /ผู้ยื่นข้อเสนอเป็น/ }))
  await doer.click(await screen.findByRole('option', { name: 'นิติบุคคลที่ส่งงบแล้ว' }))
  expect(paidCapital()).toBeNull()
  await doer.type(netWorth()!, '-200,000')
  await doer.click(screen.getByRole('button', { name: 'บันทึกคำตอบ' }))
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ bidder_kind: 'company', net_worth: -200_000 })]))
  expect(sent[0]).not.toHaveProperty('capital')
})

test('states how many open projects each answer decides or waits for', async () => {
  await open()
  await opened()
  const form = await screen.findByRole('region', { name: 'หกข้อที่บอกว่ายื่นได้ไหม' })
  await waitFor(() => expect(form).toHaveTextContent('เปิดรับข้อเสนอ 412 งาน ตัดสินได้แล้ว 38 งาน'))
  expect(form).toHaveTextContent('ตัดสินได้เพิ่ม 38 จาก 412 งาน')
  expect(form).toHaveTextContent('รอคำตอบข้อนี้ 5 จาก 412 งาน')
})

test('stores a Thai date, a choice and a yes or no, and leaves what is empty unset', async () => {
  const doer = await open()
  await opened()
  await doer.click(screen.getByRole('button', { name: /ผู้ยื่นข้อเสนอเป็น/ }))
  await doer.click(await screen.findByRole('option', { name: 'นิติบุคคลใหม่ ยังไม่มีงบ' }))
  await doer.click(screen.getByRole('button', { name: /นโยบายป้องกันการทุจริต/ }))
  await doer.click(await screen.findByRole('option', { name: 'ไม่มี' }))
  await doer.type(screen.getByRole('textbox', { name: 'วันที่ในหนังสือธนาคาร' }), '15 ต.ค. 2569')
  await doer.click(screen.getByRole('button', { name: 'บันทึกคำตอบ' }))
  await waitFor(() =>
    expect(sent).toEqual([
      expect.objectContaining({
        bidder_kind: 'new_company',
        has_anti_corruption_policy: false,
        credit_letter_on: '2026-10-15',
        suspended_until: null,
      }),
    ]),
  )
})

test('a past work shows errors at its fields after the first save, then is stored', async () => {
  const doer = await open()
  await opened()
  await doer.click(screen.getByRole('button', { name: 'เพิ่มผลงาน' }))
  const row = screen.getByRole('group', { name: 'ผลงาน 1' })
  const field = (name: string) => within(row).getByRole('textbox', { name })
  await doer.type(field('งาน'), 'กล้อง 64 จุด')
  await doer.type(field('คำบอกประเภท'), 'กล้องวงจรปิด')
  await doer.type(field('มูลค่า (บาท)'), '6.2 ล้าน')
  expect(within(row).queryByText(/ใส่ปี/)).toBeNull()
  await doer.click(screen.getByRole('button', { name: 'บันทึกผลงาน' }))
  expect(within(row).getByText('ใส่ปี พ.ศ. เช่น 2567')).toBeInTheDocument()
  expect(sent).toEqual([])
  await doer.type(field('ปีที่แล้วเสร็จ'), '2567')
  await doer.click(screen.getByRole('button', { name: 'บันทึกผลงาน' }))
  const work = { name: 'กล้อง 64 จุด', kinds: 'กล้องวงจรปิด', agency: '', baht: 6_200_000, year: 2567 }
  await waitFor(() => expect(sent).toEqual([{ past_works: [work] }]))
})

test('a certificate accepts Thai dates, keeps the input on a refusal, and can be removed', async () => {
  stored = { ...EMPTY_QUALIFICATIONS, certificates: [{ name: 'ISO 9001', number: '1', expires_on: '2027-06-30' }] }
  refusal = 'มีได้ไม่เกิน 50 รายการ'
  const doer = await open()
  await opened()
  const day = screen.getByRole('textbox', { name: 'ใช้ได้ถึง' })
  expect(day).toHaveValue('30 มิ.ย. 2570')
  await doer.clear(day)
  await doer.type(day, '31/12/2570')
  await doer.click(screen.getByRole('button', { name: 'บันทึกใบรับรอง' }))
  expect(await screen.findByText(refusal)).toBeInTheDocument()
  expect(sent).toEqual([{ certificates: [{ name: 'ISO 9001', number: '1', expires_on: '2027-12-31' }] }])
  refusal = undefined
  await doer.click(screen.getByRole('button', { name: 'ลบใบรับรอง 1' }))
  await doer.click(screen.getByRole('button', { name: 'บันทึกใบรับรอง' }))
  await waitFor(() => expect(sent.at(-1)).toEqual({ certificates: [] }))
})

test('staff have position, number, degree and years, but no name', async () => {
  const doer = await open()
  await opened()
  await doer.click(screen.getByRole('button', { name: 'เพิ่มบุคลากร' }))
  const row = screen.getByRole('group', { name: 'บุคลากร 1' })
  const field = (name: string) => within(row).getByRole('textbox', { name })
  await doer.type(field('ตำแหน่ง'), 'วิศวกรโยธา')
  await doer.click(screen.getByRole('button', { name: 'บันทึกบุคลากร' }))
  expect(within(row).getByText('ใส่จำนวนคน 1–10000')).toBeInTheDocument()
  expect(sent).toEqual([])
  await doer.type(field('จำนวน (คน)'), '2')
  await doer.click(screen.getByRole('button', { name: 'บันทึกบุคลากร' }))
  const people = [{ position: 'วิศวกรโยธา', count: 2, degree: 'none', years: 0 }]
  await waitFor(() => expect(sent).toEqual([{ people }]))
})

test('is hidden from members', async () => {
  user = { ...user, role: 'member_user' }
  await open()
  const tabs = await screen.findByRole('tablist', undefined, { timeout: 10_000 })
  expect(within(tabs).queryByRole('tab', { name: 'คุณสมบัติ' })).toBeNull()
})
