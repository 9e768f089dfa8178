import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Menu, MenuItem } from './menu.tsx'

function setUp() {
  const chosen = vi.fn()
  render(
    <>
      <Menu label="เมนู" trigger={(props) => <button {...props}>เปิด</button>}>
        {(close) => (
          <>
            <MenuItem onSelect={() => chosen('copy')}>คัดลอก</MenuItem>
            <MenuItem onSelect={() => chosen('never')} disabled>
              ปิดอยู่
            </MenuItem>
            <MenuItem
              onSelect={() => {
                chosen('open')
                close()
              }}
            >
              Open
            </MenuItem>
          </>
        )}
      </Menu>
      <button type="button">ข้างนอก</button>
    </>,
  )
  return { chosen, user: userEvent.setup(), button: screen.getByRole('button', { name: 'เปิด' }) }
}

test('moves over enabled items by arrow keys, Home, End and a first letter', async () => {
  const { user, button } = setUp()
  await user.click(button)
  expect(button).toHaveAttribute('aria-expanded', 'true')
  const [copy, open] = [screen.getByRole('menuitem', { name: 'คัดลอก' }), screen.getByRole('menuitem', { name: 'Open' })]
  expect(copy).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  expect(open).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  expect(copy).toHaveFocus()
  await user.keyboard('{End}')
  expect(open).toHaveFocus()
  await user.keyboard('{Home}o')
  expect(open).toHaveFocus()
})

test('Enter chooses, a disabled item does nothing', async () => {
  const { chosen, user, button } = setUp()
  await user.click(button)
  await user.click(screen.getByRole('menuitem', { name: 'ปิดอยู่' }))
  expect(chosen).not.toHaveBeenCalled()
  screen.getByRole('menuitem', { name: 'Open' }).focus()
  await user.keyboard('{Enter}')
  expect(chosen).toHaveBeenCalledWith('open')
  expect(screen.queryByRole('menu')).toBeNull()
})

test('closes on Esc and returns focus, and opens on ArrowDown', async () => {
  const { user, button } = setUp()
  button.focus()
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('menu', { name: 'เมนู' })).toBeInTheDocument()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(button).toHaveFocus()
})

test('a press outside closes it', async () => {
  const { user, button } = setUp()
  await user.click(button)
  await user.click(screen.getByRole('button', { name: 'ข้างนอก' }))
  expect(screen.queryByRole('menu')).toBeNull()
})
