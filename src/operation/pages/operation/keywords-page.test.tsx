import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type {
  OperatorKeywords,
  UnapprovedKeyword,
  UnapprovedKeywordImpact,
} from '#contract/operation/operator-keywords.ts'
import { CODE_LOAD_WAIT_OPTIONS, renderTestOperationScreens } from '#src/app/operation-for-tests.tsx'

const ROAD: UnapprovedKeyword = {
  ...{ id: 41, organisation: 'siam', organisation_name: 'บริษัท สยามโยธา จำกัด', list: 'include', word: 'ถนน' },
  ...{ added_by: 'anong@siam.example', created_at: '2026-11-22T18:00:00Z' },
}
const IMPACT: UnapprovedKeywordImpact = {
  ...{ days: 30, before: 120, after: 4120, added: 4000, per_working_day: 187.3, level: 'too_many' },
  samples: ['จ้างก่อสร้างถนนคอนกรีตเสริมเหล็ก'],
}
let data: OperatorKeywords
const { open, sent } = renderTestOperationScreens(() => ({
  'operation/keywords': data,
  'operation/keywords/41/impact': IMPACT,
}))
beforeEach(() => {
  data = { waiting: [ROAD], blacklist: [{ word: 'จำนวน', created_at: '2026-11-01T00:00:00Z' }] }
})

test('shows owner and impact of a pending word, and removes it once approved', async () => {
  await open('/operation/keywords')
  const list = await screen.findByRole('list', { name: 'คำที่รออนุมัติ' }, CODE_LOAD_WAIT_OPTIONS)
  const [row] = within(list).getAllByRole('listitem')
  expect(row).toHaveTextContent('บริษัท สยามโยธา จำกัด')
  for (const text of ['120 → 4,120', 'เพิ่ม 4,000 โครงการ', '187.3', 'มากเกินไป'])
    expect(await within(row!).findByText(text, {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'อนุมัติ ถนน' }))
  await waitFor(() => expect(sent('operation/keywords/41/approve')).toHaveLength(1), CODE_LOAD_WAIT_OPTIONS)
  expect(screen.getByText('ไม่มีคำที่รออนุมัติ')).toBeVisible()
  sent('operation/keywords/41/approve')[0]!.answer({ non_field_errors: ['คำนี้ไม่ได้รออนุมัติแล้ว'] }, 400)
  expect(await screen.findByText(/คำนี้ไม่ได้รออนุมัติแล้ว/, {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
  expect(screen.getByRole('button', { name: 'อนุมัติ ถนน' })).toBeVisible()
})

test('asks for confirmation before rejecting a word', async () => {
  await open('/operation/keywords')
  await userEvent.click(await screen.findByRole('button', { name: 'ปฏิเสธ ถนน' }, CODE_LOAD_WAIT_OPTIONS))
  expect(sent('operation/keywords/41/reject')).toEqual([])
  await userEvent.click(await screen.findByRole('button', { name: 'ปฏิเสธและลบ' }, CODE_LOAD_WAIT_OPTIONS))
  await waitFor(() => expect(sent('operation/keywords/41/reject')).toHaveLength(1), CODE_LOAD_WAIT_OPTIONS)
  data = { ...data, waiting: [] }
  sent('operation/keywords/41/reject')[0]!.answer({})
  expect(await screen.findByText('ปฏิเสธและลบ “ถนน” แล้ว', {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
})

test('adds and removes blacklist words; a refusal shows at the field and keeps the input', async () => {
  await open('/operation/keywords')
  const field = await screen.findByLabelText('คำที่จะห้าม', {}, CODE_LOAD_WAIT_OPTIONS)
  await userEvent.click(screen.getByRole('button', { name: 'เพิ่ม' }))
  expect(field).toBeInvalid()
  await userEvent.type(field, ' จำนวน ')
  await userEvent.click(screen.getByRole('button', { name: 'เพิ่ม' }))
  await waitFor(() => expect(sent('operation/blacklist')[0]?.body).toEqual({ word: 'จำนวน' }), CODE_LOAD_WAIT_OPTIONS)
  sent('operation/blacklist')[0]!.answer({ non_field_errors: ['“จำนวน” อยู่ในรายการอยู่แล้ว'] }, 400)
  expect(await screen.findByText(/อยู่ในรายการอยู่แล้ว/, {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
  expect(field).toHaveValue(' จำนวน ')
  await userEvent.click(screen.getByRole('button', { name: 'นำ จำนวน ออก' }))
  await waitFor(
    () => expect(sent('operation/blacklist/remove')[0]?.body).toEqual({ word: 'จำนวน' }),
    CODE_LOAD_WAIT_OPTIONS,
  )
})
