import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmedAction } from './action-button.tsx'

test('a confirmation stays open after a failure for a retry, and closes after a success', async () => {
  const run = vi.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValueOnce(undefined)
  render(
    <QueryClientProvider client={queryClient}>
      <ConfirmedAction label="ยืนยัน" question="ลบรายการนี้" no="ไม่ลบ" yes="ลบ" run={run} failed="ลบไม่สำเร็จ">
        {(ask) => <Button onClick={ask}>ลบ…</Button>}
      </ConfirmedAction>
    </QueryClientProvider>,
  )
  const confirm = () => userEvent.click(screen.getByRole('button', { name: 'ลบ' }))
  await userEvent.click(screen.getByRole('button', { name: 'ลบ…' }))
  await confirm()
  expect(screen.getByRole('group', { name: 'ยืนยัน' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'ลบ' })).not.toHaveAttribute('aria-busy')
  await confirm()
  expect(run).toHaveBeenCalledTimes(2)
  expect(screen.queryByRole('group', { name: 'ยืนยัน' })).toBeNull()
})
