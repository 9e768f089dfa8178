import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { hasUnread, NotificationBell } from './bell.tsx'

test.each([
  [true, 1, true],
  [true, 0, false],
  [false, 1, false],
  [false, 0, false],
])('clickRead %s with %d notifications shows the dot: %s', (clickRead, count, dot) => {
  expect(hasUnread({ clickRead, notifications: Array.from({ length: count }, () => ({})) })).toBe(dot)
})

test('without notifications the bell opens and says so', async () => {
  const user = userEvent.setup()
  render(<NotificationBell status={{ clickRead: true, notifications: [] }} />)
  await user.click(screen.getByRole('button', { name: 'การแจ้งเตือน' }))
  expect(screen.getByRole('dialog', { name: 'การแจ้งเตือน' })).toHaveTextContent('ยังไม่มีการแจ้งเตือน')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
})
