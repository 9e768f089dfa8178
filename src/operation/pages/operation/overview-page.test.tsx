import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { OperationOverview } from '#contract/operation/overview.ts'
import { CODE_LOAD_WAIT_OPTIONS, renderTestOperationScreens } from '#src/app/operation-for-tests.tsx'

const CALM: OperationOverview = {
  ...{ checked_at: '2026-11-23T02:00:00Z', failed_sources: 0, failed_loads: 0, unreadable_rows: 0 },
  ...{ dead_jobs: 0, failed_mails: 0, paused_webhooks: 0, waiting_keywords: 0, undone_facts: 0, missing_stores: 0 },
}
let counts: OperationOverview | undefined
const { open } = renderTestOperationScreens(() => ({ 'operation/overview': counts }))
beforeEach(() => {
  counts = CALM
})

test('lists pending tasks with counts and links, the most urgent first', async () => {
  counts = { ...CALM, waiting_keywords: 3, dead_jobs: 1, missing_stores: 1, unreadable_rows: 1250 }
  const router = await open('/operation')
  const links = within(await screen.findByRole('list', { name: 'ต้องจัดการ' }, CODE_LOAD_WAIT_OPTIONS)).getAllByRole(
    'link',
  )
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['งานเบื้องหลังที่ทำไม่สำเร็จ1 งาน', '/operation/jobs'],
    ['ที่เก็บเอกสารไม่ตอบ เปิดและเพิ่มเอกสารไม่ได้1 แห่ง', '/operation/documents'],
    ['คำติดตามที่รออนุมัติ3 คำ', '/operation/keywords'],
    ['แถวที่อ่านไม่ได้ใน 24 ชั่วโมง1,250 แถว', '/operation/loads'],
  ])
  expect(document.title).toBe('ภาพรวม · ตามงาน')
  await userEvent.click(links[2]!)
  expect(router.state.location.pathname).toBe('/operation/keywords')
})

test('shows an empty state when no task is pending', async () => {
  await open('/operation')
  expect(await screen.findByText('ไม่มีอะไรต้องจัดการ', {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
})

test('shows an error instead of the empty state when counting fails', async () => {
  counts = { ...CALM, dead_jobs: 'many' as never }
  await open('/operation')
  expect(await screen.findByText('โหลดภาพรวมไม่สำเร็จ', {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
  expect(screen.queryByText('ไม่มีอะไรต้องจัดการ')).toBeNull()
})
