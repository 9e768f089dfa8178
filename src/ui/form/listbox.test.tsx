import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Popover } from '../overlay/popover.tsx'
import { Listbox } from './listbox.tsx'

// jsdom lacks `innerText`, which Headless UI uses to match typed letters to options.
Object.defineProperty(HTMLElement.prototype, 'innerText', {
  configurable: true,
  get(this: HTMLElement) {
    return this.textContent
  },
})

const ARRIVES = { timeout: 10_000 }
const MONTHS = [
  { value: 1, th: 'มกราคม' },
  { value: 2, th: 'กุมภาพันธ์' },
  { value: 3, th: 'มีนาคม' },
  { value: 4, th: 'เมษายน', disabled: true },
] as const

function setUp() {
  const chosen = vi.fn()
  function Example() {
    const [month, setMonth] = useState(1)
    return (
      <Listbox<number>
        label="เดือน"
        value={month}
        options={MONTHS}
        onChange={(value) => {
          chosen(value)
          setMonth(value)
        }}
      />
    )
  }
  render(<Example />)
  return { chosen, user: userEvent.setup(), button: () => screen.getByRole('button', { name: /^เดือน / }) }
}

test('opens at the selected option, and returns focus to the button with the new choice', async () => {
  const { chosen, user, button } = setUp()
  expect(button()).toHaveAccessibleName('เดือน มกราคม')
  await user.click(button())
  const list = await screen.findByRole('listbox', { name: 'เดือน มกราคม' }, ARRIVES)
  expect(screen.getByRole('option', { name: 'มกราคม' })).toHaveAttribute('aria-selected', 'true')
  await user.click(screen.getByRole('option', { name: 'มีนาคม' }))
  expect(chosen.mock.calls).toEqual([[3]])
  expect(list).not.toBeInTheDocument()
  expect(button()).toHaveAccessibleName('เดือน มีนาคม')
  expect(button()).toHaveFocus()
})

test('opens by arrow, finds by Thai letters, selects by Enter, and cancels by Esc', async () => {
  const { chosen, user, button } = setUp()
  button().focus()
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(screen.getByRole('listbox')).toHaveFocus(), ARRIVES)
  await user.keyboard('มี{Enter}')
  expect(chosen.mock.calls).toEqual([[3]])
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(screen.getByRole('listbox')).toHaveFocus())
  await user.keyboard('{Home}{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(button()).toHaveFocus()
  expect(chosen).toHaveBeenCalledTimes(1)
})

test('skips disabled options', async () => {
  const { chosen, user, button } = setUp()
  await user.click(button())
  await user.click(await screen.findByRole('option', { name: 'เมษายน' }, ARRIVES))
  expect(chosen).not.toHaveBeenCalled()
})

test('works inside a popover without closing it, also on Esc', async () => {
  const user = userEvent.setup()
  function Example() {
    const [isOpen, setOpen] = useState(true)
    const [anchor] = useState({ current: document.createElement('button') })
    return (
      <Popover open={isOpen} onClose={() => setOpen(false)} anchor={anchor} label="ปฏิทิน">
        <Listbox<number> label="เดือน" value={1} options={MONTHS} onChange={() => undefined} />
      </Popover>
    )
  }
  const outside = document.createElement('main')
  document.body.append(outside)
  render(<Example />, { container: outside })
  await user.click(await screen.findByRole('button', { name: 'เดือน มกราคม' }, ARRIVES))
  await user.click(await screen.findByRole('option', { name: 'มีนาคม' }, ARRIVES))
  expect(screen.getByRole('dialog', { name: 'ปฏิทิน' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'เดือน มกราคม' }))
  await waitFor(() => expect(screen.getByRole('listbox')).toHaveFocus())
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull())
  expect(screen.getByRole('dialog', { name: 'ปฏิทิน' })).toBeInTheDocument()
})
