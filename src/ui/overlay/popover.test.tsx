import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { Popover, usePopover } from './popover.tsx'

beforeAll(() => import('./anchored-panels.tsx'), 60_000)

function Example({ autofocus }: { autofocus?: boolean }) {
  const { buttonProps, popoverProps } = usePopover()
  return (
    <>
      <button type="button" {...buttonProps}>
        เปิด
      </button>
      <input aria-label="ข้างนอก" />
      <Popover {...popoverProps} label="รายละเอียด">
        <input aria-label="ช่องแรก" />
        <input aria-label="ช่องสอง" data-autofocus={autofocus} />
      </Popover>
    </>
  )
}
async function open(autofocus?: boolean) {
  const user = userEvent.setup()
  render(<Example {...(autofocus !== undefined && { autofocus })} />)
  const button = screen.getByRole('button', { name: 'เปิด' })
  await user.click(button)
  expect(await screen.findByRole('dialog', { name: 'รายละเอียด' })).toBeInTheDocument()
  return { user, button }
}
const closes = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('focuses its first control, closes on Esc and returns the focus', async () => {
  const { user, button } = await open()
  await waitFor(() => expect(screen.getByLabelText('ช่องแรก')).toHaveFocus())
  await user.keyboard('{Escape}')
  await closes()
  await waitFor(() => expect(button).toHaveFocus())
})

test('focuses the marked control', async () => {
  await open(true)
  await waitFor(() => expect(screen.getByLabelText('ช่องสอง')).toHaveFocus())
})

test('closes when the focus leaves, and does not take it back', async () => {
  const { user } = await open()
  await waitFor(() => expect(screen.getByLabelText('ช่องแรก')).toHaveFocus())
  await user.click(screen.getByLabelText('ข้างนอก'))
  await closes()
  expect(screen.getByLabelText('ข้างนอก')).toHaveFocus()
})

test('closes when its button is pressed again', async () => {
  const { user, button } = await open()
  await user.click(button)
  await closes()
  expect(button).toHaveAttribute('aria-expanded', 'false')
})
