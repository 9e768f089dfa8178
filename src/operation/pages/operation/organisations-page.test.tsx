import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { OperatorOrganisation, OperatorOrganisationDetails } from '#contract/operation/operator-organisations.ts'
import { CODE_LOAD_WAIT_OPTIONS, renderTestOperationScreens } from '#src/app/operation-for-tests.tsx'

const SIAM: OperatorOrganisation = {
  ...{
    code: 'siam',
    name: 'บริษัท สยามโยธา จำกัด',
    package: 'มืออาชีพ',
    is_disabled: false,
    users: 2,
    words: 34,
    matches: 1250,
  },
  flags: { 'budget-year': true, 'budget-year-only': false, 'company-compare': true, 'company-comparison': false },
  limits: {
    include: 50,
    exclude: 50,
    'ai-include': 10,
    'ai-exclude': 10,
    'deptsub-include': 20,
    members: 20,
    'picture-pages': 300,
    'document-days': 0,
  },
  last_used_at: '2026-11-22T18:00:00Z',
}
const DETAILS: OperatorOrganisationDetails = {
  ...{
    code: 'siam',
    name: SIAM.name,
    package: SIAM.package,
    is_disabled: false,
    flags: SIAM.flags,
    limits: SIAM.limits,
  },
  ...{
    is_watchlist_completed: true,
    created_at: '2026-01-01T00:00:00Z',
    budget_years: [2568, 2569],
    closed_hours: null,
  },
  users: [
    { email: 'anong@siam.example', name: 'อนงค์ ใจดี', role: 'super_user', is_disabled: false, last_used_at: null },
  ],
}

let organisations: OperatorOrganisation[]
let details: OperatorOrganisationDetails
const { open, sent } = renderTestOperationScreens(() => ({
  'operation/organisations': organisations && { organisations },
  'operation/organisations/siam': details,
}))
beforeEach(() => {
  details = DETAILS
  organisations = [SIAM, { ...SIAM, code: 'isan', name: 'บริษัท อีสานก่อสร้าง จำกัด', is_disabled: true, last_used_at: null }]
})

const openSettings = async () => {
  await open('/operation/organisations')
  await userEvent.click(await screen.findByRole('button', { name: `ตั้งค่า ${SIAM.name}` }, CODE_LOAD_WAIT_OPTIONS))
  return within(await screen.findByRole('dialog', {}, CODE_LOAD_WAIT_OPTIONS))
}

test('lists package, features, words, users and last use, and reports an empty search', async () => {
  await open('/operation/organisations')
  const list = await screen.findByRole('list', { name: 'องค์กร' }, CODE_LOAD_WAIT_OPTIONS)
  const [siam, isan] = within(list).getAllByRole('listitem')
  for (const text of [
    'siam · มืออาชีพ',
    'งบประมาณประจำปี · ข้อมูลบริษัท',
    '2 จาก 20 คน',
    'ไม่เกิน คำที่ต้องมี 50 · คำที่ไม่รวม 50 · AI ค้นหา 10 · AI ไม่รวม 10 · หน่วยงาน 20',
    '23 พ.ย. 2569 01:00 น.',
  ])
    expect(within(siam!).getByText(text)).toBeVisible()
  expect(isan).toHaveTextContent('ปิดแล้ว')
  expect(isan).toHaveTextContent('ยังไม่เคย')
  expect(document.title).toBe('องค์กร · ตามงาน')
  await userEvent.type(screen.getByRole('searchbox', { name: 'ค้นหาองค์กร' }), 'ภูเก็ต')
  expect(screen.getByText('ไม่พบองค์กรที่มี “ภูเก็ต”')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'ดูทั้งหมด' }))
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2)
})

test('sends only changed fields, marks an invalid number and keeps input after a refusal', async () => {
  const panel = await openSettings()
  expect(await panel.findByRole('button', { name: 'บันทึก' }, CODE_LOAD_WAIT_OPTIONS)).toBeDisabled()
  const words = panel.getByLabelText('คำที่ต้องมี')
  await userEvent.clear(words)
  await userEvent.click(panel.getByRole('button', { name: 'บันทึก' }))
  expect(words).toBeInvalid()
  expect(sent('operation/organisations/siam')).toEqual([])
  await userEvent.type(words, '100')
  await userEvent.click(panel.getByRole('switch', { name: /เปรียบเทียบบริษัท/ }))
  await userEvent.click(panel.getByRole('checkbox', { name: 'ปิดการแก้ไขเป็นช่วงเวลา' }))
  await userEvent.click(panel.getByRole('button', { name: 'บันทึก' }))
  await waitFor(() => expect(sent('operation/organisations/siam')).toHaveLength(1), CODE_LOAD_WAIT_OPTIONS)
  const [request] = sent('operation/organisations/siam')
  expect([request!.method, request!.body]).toEqual([
    'PATCH',
    {
      flags: { 'company-comparison': true },
      limits: { include: 100 },
      closed_hours: { start: '01:00', end: '09:00' },
    },
  ])
  request!.answer({ non_field_errors: ['ระบบไม่พร้อม'] }, 503)
  expect(await panel.findByText(/ระบบไม่พร้อม/, {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
  expect(words).toHaveValue(100)
})

test('marks invalid years and times, and removes the closed hours', async () => {
  details = { ...DETAILS, closed_hours: { start: '01:00', end: '09:00' } }
  const panel = await openSettings()
  const years = await panel.findByLabelText('ปีงบประมาณที่เปิดให้ดู', {}, CODE_LOAD_WAIT_OPTIONS)
  const end = panel.getByLabelText('ถึง')
  const save = panel.getByRole('button', { name: 'บันทึก' })
  await userEvent.type(years, ', 257')
  await userEvent.clear(end)
  await userEvent.type(end, '9:00')
  await userEvent.click(save)
  expect(years).toHaveAccessibleDescription(/กรอกเป็นปี พ.ศ./)
  expect(end).toHaveAccessibleDescription('กรอกเวลาเป็น ชั่วโมง:นาที เช่น 01:00')
  expect(sent('operation/organisations/siam')).toEqual([])
  await userEvent.type(years, '0')
  await userEvent.click(panel.getByRole('checkbox', { name: 'ปิดการแก้ไขเป็นช่วงเวลา' }))
  expect(panel.queryByLabelText('ถึง')).toBeNull()
  await userEvent.click(save)
  await waitFor(() => expect(sent('operation/organisations/siam')).toHaveLength(1), CODE_LOAD_WAIT_OPTIONS)
  expect(sent('operation/organisations/siam')[0]!.body).toEqual({
    budget_years: [2568, 2569, 2570],
    closed_hours: null,
    flags: {},
    limits: {},
  })
})

test('closes an account directly, an organisation only after confirmation', async () => {
  const panel = await openSettings()
  await userEvent.click(await panel.findByRole('button', { name: 'ปิดบัญชี anong@siam.example' }, CODE_LOAD_WAIT_OPTIONS))
  await waitFor(() => expect(sent('operation/users')).toHaveLength(1), CODE_LOAD_WAIT_OPTIONS)
  expect(sent('operation/users')[0]!.body).toEqual({ email: 'anong@siam.example', is_disabled: true })
  await userEvent.click(panel.getByRole('button', { name: 'ปิดองค์กร' }))
  expect(sent('operation/organisations/siam')).toEqual([])
  await userEvent.click(await screen.findByRole('button', { name: 'ปิดองค์กรนี้' }, CODE_LOAD_WAIT_OPTIONS))
  sent('operation/users')[0]!.answer({})
  await waitFor(
    () => expect(sent('operation/organisations/siam')[0]?.body).toEqual({ is_disabled: true }),
    CODE_LOAD_WAIT_OPTIONS,
  )
})

test('shows a loading state while the list is missing', async () => {
  organisations = undefined as never
  await open('/operation/organisations')
  expect(await screen.findByRole('button', { name: 'ตรวจใหม่' }, CODE_LOAD_WAIT_OPTIONS)).toHaveAttribute(
    'aria-busy',
    'true',
  )
  expect(screen.getByText('กำลังโหลดรายชื่อองค์กร')).toBeInTheDocument()
})

test('shows an empty state before the first organisation exists', async () => {
  organisations = []
  await open('/operation/organisations')
  expect(await screen.findByText('ยังไม่มีองค์กร', {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
})

test('shows a not-found page for an unknown address', async () => {
  await open('/operation/nowhere')
  expect(await screen.findByRole('heading', { name: 'ไม่พบหน้านี้' }, CODE_LOAD_WAIT_OPTIONS)).toBeInTheDocument()
})
