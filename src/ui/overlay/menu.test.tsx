import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { Menu, MenuItem } from './menu.tsx'

beforeAll(() => import('./anchored-panels.tsx'), 60_000)

function setUp() {
  const chosen = vi.fn()
  render(
    <>
      <Menu label="เมนู" trigger={(props) => <button {...props}>เปิด</button>}>
        <MenuItem onSelect={() => chosen('copy', document.activeElement?.textContent)}>คัดลอก</MenuItem>
        <MenuItem onSelect={() => chosen('never')} disabled>
          ปิดอยู่
        </MenuItem>
        <MenuItem onSelect={() => chosen('open', document.activeElement?.textContent)}>Open</MenuItem>
      </Menu>
      <button type="button">ข้างนอก</button>
    </>,
  )
  return { chosen, user: userEvent.setup(), button: screen.getByRole('button', { name: 'เปิด' }) }
}
const item = (name: string) => screen.getByRole('menuitem', { name })
const focusMovesTo = (element: HTMLElement) => waitFor(() => expect(element).toHaveFocus())

test('moves over items by arrow keys, Home, End and a first letter', async () => {
  const { user, button } = setUp()
  await user.click(button)
  expect(button).toHaveAttribute('aria-expanded', 'true')
  await focusMovesTo(await screen.findByRole('menuitem', { name: 'คัดลอก' }))
  await user.keyboard('{ArrowDown}{ArrowDown}')
  await focusMovesTo(item('Open'))
  await user.keyboard('{ArrowDown}')
  await focusMovesTo(item('คัดลอก'))
  await user.keyboard('{End}')
  await focusMovesTo(item('Open'))
  await user.keyboard('{Home}')
  await focusMovesTo(item('คัดลอก'))
  await user.keyboard('o')
  await focusMovesTo(item('Open'))
})

test('Enter chooses with the focus back on the button, a disabled item does nothing', async () => {
  const { chosen, user, button } = setUp()
  await user.click(button)
  await user.click(await screen.findByRole('menuitem', { name: 'ปิดอยู่' }))
  expect(chosen).not.toHaveBeenCalled()
  await user.keyboard('{End}{Enter}')
  expect(chosen).toHaveBeenCalledExactlyOnceWith('open', 'เปิด')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(button).toHaveFocus()
})

test('closes on Esc and returns focus, and opens on ArrowDown', async () => {
  const { user, button } = setUp()
  button.focus()
  await user.keyboard('{ArrowDown}')
  expect(await screen.findByRole('menu', { name: 'เมนู' })).toBeInTheDocument()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await focusMovesTo(button)
})

test('a press outside or on the button closes it', async () => {
  const { user, button } = setUp()
  for (const name of ['ข้างนอก', 'เปิด']) {
    await user.click(button)
    expect(await screen.findByRole('menu')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  }
})
