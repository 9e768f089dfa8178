import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { DocumentFactCheck, DocumentFactStatus } from '#contract/documents/fact-statuses.ts'
import { CODE_LOAD_WAIT_OPTIONS, renderTestOperationScreens } from '#src/app/operation-for-tests.tsx'

const PRICE: DocumentFactStatus = {
  ...{ fact: 'reference_price', label: 'ราคากลาง', is_on: false, switched_by: null, switched_at: null },
  ...{ right: 12, wrong: 1, waiting: 30, unsure_share: 0.1 },
}
const CHECK: DocumentFactCheck = {
  ...{ hash: 'ab'.repeat(32), project_id: '69119000001', name: 'ประกาศเชิญชวน.pdf' },
  told: {
    ...{ fact: 'reference_price', state: 'clear', value: { kind: 'amount', baht: 1_234_000 } },
    ...{ sentence: 'ราคากลาง ๑,๒๓๔,๐๐๐ บาท', page: 2, offset: 0 },
  },
}
let facts: DocumentFactStatus[]
const pictures = { is_on: true, read_today: 40, a_day: 1500, waiting_documents: 2, waiting_pages: 31 }
let check: DocumentFactCheck | null
const { open, sent } = renderTestOperationScreens(() => ({
  'operation/documents': { facts, pictures },
  'operation/documents/reference_price/next': { check },
}))
beforeEach(() => {
  facts = [PRICE]
  check = CHECK
})

test('shows a reading beside its sentence, and a key marks it right or wrong', async () => {
  await open('/operation/documents')
  const panel = await screen.findByRole('region', { name: 'ตรวจ ราคากลาง' }, CODE_LOAD_WAIT_OPTIONS)
  expect(panel).toHaveTextContent('1,234,000.00 บาท')
  expect(panel).toHaveTextContent('หน้า 2')
  expect(screen.getByText(/ตรวจแล้ว 13\/50 · ถูก 92% · รอตรวจ 30 · อ่านไม่ชัด 10%/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'เปิด ราคากลาง' })).toBeDisabled()
  check = null
  await userEvent.keyboard('1')
  await waitFor(
    () => expect(sent('operation/documents/reference_price/checks')).toHaveLength(1),
    CODE_LOAD_WAIT_OPTIONS,
  )
  expect(sent('operation/documents/reference_price/checks')[0]!.body).toEqual({ hash: CHECK.hash, is_right: true })
  sent('operation/documents/reference_price/checks')[0]!.answer({})
  expect(await screen.findByText('ไม่มี “ราคากลาง” ที่รอตรวจ', {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
})

test('enables the switch after enough checks, and shows when it was switched off again', async () => {
  facts = [{ ...PRICE, right: 48, wrong: 2, switched_by: 'unsure', switched_at: '2026-11-23T02:00:00Z' }]
  await open('/operation/documents')
  const list = await screen.findByRole('list', { name: 'ชนิดข้อเท็จจริง' }, CODE_LOAD_WAIT_OPTIONS)
  expect(within(list).getByText(/ปิดเอง 23 พ\.ย\. 2569/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'เปิด ราคากลาง' }))
  await waitFor(() => expect(sent('operation/documents/reference_price/on')).toHaveLength(1), CODE_LOAD_WAIT_OPTIONS)
})
