import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { UserMenu } from './user-menu.tsx'

afterEach(stopFakeNetwork)

test('opens while a sign-out leaves the page, without requesting the user again', async () => {
  const user = buildTestUser()
  const network = startFakeNetwork(() => user)
  queryClient.setQueryData(userKeys.me, user)
  render(
    <QueryClientProvider client={queryClient}>
      <UserMenu user={user}>บัญชี</UserMenu>
    </QueryClientProvider>,
  )
  queryClient.clear()
  await userEvent.click(screen.getByRole('button', { name: /^เมนูผู้ใช้/ }))
  expect(await screen.findByRole('dialog', { name: 'เมนูผู้ใช้' })).toBeVisible()
  expect(network.to('users/me')).toEqual([])
})
