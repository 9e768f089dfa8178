import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { hasUnreadNotifications, NotificationBell } from './notification-bell.tsx'
import { buildTestNotification } from './notification-for-tests.ts'

test.each([
  [true, 1, true],
  [true, 0, false],
  [false, 1, false],
  [false, 0, false],
])('clickRead %s with %d notifications shows the dot: %s', (clickRead, count, dot) => {
  const notifications = Array.from({ length: count }, () => buildTestNotification())
  expect(hasUnreadNotifications({ clickRead, notifications })).toBe(dot)
})

test('preloads its content on hover, opens it on click and regains focus on Esc', async () => {
  const user = userEvent.setup()
  const preload = vi.fn()
  render(
    <NotificationBell status={{ clickRead: true, notifications: [] }} preload={preload}>
      {() => <p>รายการ</p>}
    </NotificationBell>,
  )
  const bell = screen.getByRole('button', { name: 'การแจ้งเตือน' })
  await user.hover(bell)
  expect(preload).toHaveBeenCalled()
  await user.click(bell)
  expect(await screen.findByRole('dialog', { name: 'การแจ้งเตือน' })).toHaveTextContent('รายการ')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(bell).toHaveFocus())
})
