import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissFirstSteps, recordSeenProject, startFirstSteps } from './first-steps-store.ts'
import { FirstStepsStrip } from './first-steps-strip.tsx'

const USER = { id: '5', project_bookmark: [], is_send_report_email: false }

beforeEach(() => dismissFirstSteps())
afterEach(cleanup)

test('shows nothing before a set-up and to other users of the device', () => {
  const { container, rerender } = render(<FirstStepsStrip user={USER} onQueue={vi.fn()} />)
  expect(container).toBeEmptyDOMElement()
  startFirstSteps('6')
  rerender(<FirstStepsStrip user={USER} onQueue={vi.fn()} />)
  expect(container).toBeEmptyDOMElement()
})

test('counts seen projects, and remembers that it was dismissed', async () => {
  startFirstSteps('5')
  const onQueue = vi.fn()
  const { rerender, container } = render(<FirstStepsStrip user={USER} onQueue={onQueue} />)
  await userEvent.click(screen.getByRole('button', { name: 'ไล่ดู 3 งาน (0/3)' }))
  expect(onQueue).toHaveBeenCalledOnce()
  for (const id of ['1', '1', '2']) recordSeenProject(id)
  expect(await screen.findByRole('button', { name: 'ไล่ดู 3 งาน (2/3)' })).toBeInTheDocument()
  recordSeenProject('3')
  rerender(<FirstStepsStrip user={{ ...USER, project_bookmark: ['1'] }} onQueue={onQueue} />)
  expect(screen.getAllByText('ทำแล้ว')).toHaveLength(2)
  expect(JSON.parse(localStorage.getItem('tamngan.first-steps')!)).toEqual({ user: '5', seen: ['1', '2', '3'] })
  await userEvent.click(screen.getByRole('button', { name: 'ปิดแถบเริ่มต้นใช้งาน' }))
  expect(container).toBeEmptyDOMElement()
  expect(localStorage.getItem('tamngan.first-steps')).toBeNull()
})

test('a new account already receives the morning mail', () => {
  startFirstSteps('5')
  render(<FirstStepsStrip user={{ ...USER, is_send_report_email: true }} onQueue={vi.fn()} />)
  expect(screen.queryByRole('button', { name: 'รับสรุปทุกเช้าทางอีเมล' })).toBeNull()
  expect(screen.getAllByText('ทำแล้ว')).toHaveLength(1)
})
