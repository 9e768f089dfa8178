import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { OperationMetrics } from '#contract/operation/metrics.ts'
import { CODE_LOAD_WAIT_OPTIONS, renderTestOperationScreens } from '#src/app/operation-for-tests.tsx'

const CALM = {
  ...{ checked_at: '2026-11-23T02:00:00Z', failed_sources: 0, failed_loads: 0, unreadable_rows: 0 },
  ...{ dead_jobs: 0, failed_mails: 0, paused_webhooks: 0, waiting_keywords: 0, undone_facts: 0, missing_stores: 0 },
}
const QUIET: OperationMetrics['points'][number] = {
  ...{ at: '2026-11-23T01:05:00Z', requests: null, errors: null, report_pages: null, report_half_ms: null },
  ...{ report_p99_ms: null, jobs_due: null, jobs_done: 0, jobs_dead: 0, mails_sent: 0, mails_failed: 0 },
  ...{ loop_lag_ms: null, memory_mb: null },
}
const BUSY = {
  ...QUIET,
  ...{
    at: '2026-11-23T01:10:00Z',
    requests: 1250,
    errors: 0,
    report_pages: 80,
    report_half_ms: 18.4,
    report_p99_ms: 121.6,
  },
  ...{ jobs_due: 2, jobs_done: 31, mails_sent: 12, mails_failed: 3, loop_lag_ms: 24, memory_mb: 512 },
}
let points: OperationMetrics['points']
const { open } = renderTestOperationScreens(() => ({ 'operation/overview': CALM, 'operation/metrics': { points } }))
beforeEach(() => {
  points = [QUIET, BUSY]
})

const chart = async (name: string) => within(await screen.findByRole('region', { name }, CODE_LOAD_WAIT_OPTIONS))

test('shows each metric as a chart with readable columns and as a table', async () => {
  await open('/operation')
  const report = await chart('เวลาตอบของรายงาน')
  const names = (await report.findAllByRole('img', {}, CODE_LOAD_WAIT_OPTIONS)).map((mark) =>
    mark.getAttribute('aria-label'),
  )
  expect(names).toEqual([
    '08:05 · 99% ภายใน ไม่มีข้อมูล · ครึ่งหนึ่งภายใน ไม่มีข้อมูล · หน้า ไม่มีข้อมูล',
    '08:10 · 99% ภายใน 122 มิลลิวินาที · ครึ่งหนึ่งภายใน 18 มิลลิวินาที · หน้า 80 หน้า',
  ])
  expect((await chart('อีเมล')).getByText('ส่งไม่สำเร็จ')).toBeVisible()
  expect((await chart('คำขอ')).queryByText('ตอบผิดพลาด (5xx)')).toBeNull()
  await userEvent.click(report.getByRole('button', { name: 'แสดงเวลาตอบของรายงานเป็นตาราง' }))
  const rows = report.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent))
  expect(rows.at(-1)).toEqual(['23 พ.ย. 2569 08:10 น.', '122 มิลลิวินาที', '18 มิลลิวินาที', '80 หน้า'])
})

test('requests another period', async () => {
  await open('/operation')
  await chart('คำขอ')
  points = [{ ...BUSY, requests: 99_000 }]
  await userEvent.click(screen.getByRole('tab', { name: '24 ชั่วโมง' }))
  const requests = await chart('คำขอ')
  await waitFor(
    () => expect(requests.getByRole('img', { name: '08:10 · 99,000 คำขอ' })).toBeInTheDocument(),
    CODE_LOAD_WAIT_OPTIONS,
  )
})

test('shows a message without data, and an error instead of an empty chart', async () => {
  points = [QUIET]
  await open('/operation')
  expect(await screen.findByText('ยังไม่มีตัวเลขในช่วงนี้', {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
  points = 'none' as never
  await userEvent.click(screen.getByRole('tab', { name: '48 ชั่วโมง' }))
  expect(await screen.findByText(/โหลดตัวเลขของระบบ(ใหม่)?ไม่สำเร็จ/, {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
})
