import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ProjectChangeStatusBadge } from './change-status-badge.tsx'

const CHANGE = { field: 'submission_end_date', old: '2026-11-25', new: '2026-12-02', seen_at: '2026-11-21T02:00:00Z' }

test('shows old and new value of an updated row on focus', async () => {
  render(<ProjectChangeStatusBadge row={{ change_status: 'updated', changes: [CHANGE] }} />)
  await userEvent.tab()
  const tip = await screen.findByRole('tooltip')
  expect(tip).toHaveTextContent('วันสิ้นสุดยื่นข้อเสนอเดิม 25 พ.ย. 2569 → เป็น 2 ธ.ค. 2569')
  expect(screen.getByRole('button')).toHaveAttribute('aria-describedby', tip.id)
})

test('shows a word instead of a button for a row without changes', () => {
  render(<ProjectChangeStatusBadge row={{ change_status: 'new', changes: [] }} />)
  expect(screen.getByText('ใหม่')).toBeInTheDocument()
  expect(screen.queryByRole('button')).toBeNull()
})
