import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RowDeadline } from './deadline-text.tsx'
import { buildProjectRowDisplayData, ProjectRowDisplayContext } from './project-row-display-data.ts'

const TODAY = '2026-11-23'
const NO_LABELS = { project_labels: [], project_label_assignments: {} }

const draw = (day: string, time: string | null, isArchived = false) =>
  render(
    <ProjectRowDisplayContext value={buildProjectRowDisplayData({}, NO_LABELS, TODAY)}>
      <RowDeadline row={{ is_archived: isArchived, status: 'in_progress' }} day={day} time={time} />
    </ProjectRowDisplayContext>,
  )

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(`${TODAY}T11:59:00+07:00`) })
})
afterEach(() => {
  vi.useRealTimers()
})

test('shows the closing time on the last day, and from that minute that it has passed', () => {
  draw(TODAY, '09:00-12:00')
  expect(screen.getByText('วันนี้ถึง 12:00 น.')).toHaveClass('text-urgent')
  act(() => vi.advanceTimersByTime(59_000))
  expect(screen.getByText('วันนี้ถึง 12:00 น.')).toBeInTheDocument()
  act(() => vi.advanceTimersByTime(2000))
  expect(screen.getByText('ปิดรับแล้ว 12:00 น.')).not.toHaveClass('text-urgent')
})

test.each([
  ['2026-11-24', '09:00-12:00', 'เหลือ 1 วัน'],
  [TODAY, null, 'วันนี้วันสุดท้าย'],
  [TODAY, 'ตามประกาศ', 'วันนี้วันสุดท้าย'],
  ['2026-11-22', '09:00', 'ปิดรับแล้ว'],
])('%s at %s: %s', (day, time, text) => {
  draw(day, time)
  expect(screen.getByText(text)).toBeInTheDocument()
})

test('shows only the day for a closed project', () => {
  const { container } = draw(TODAY, '12:00', true)
  expect(container).toHaveTextContent(/^23 พ.ย. 2569$/)
})
