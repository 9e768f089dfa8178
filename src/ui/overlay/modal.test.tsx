import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Menu, MenuItem } from './menu.tsx'
import { Modal } from './modal.tsx'

const ARRIVES = { timeout: 10_000 }

function Example() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        เปิด
      </button>
      <Modal open={open} onClose={() => setOpen(false)} title="ตัวกรอง" footer={<button type="button">ใช้</button>}>
        <Menu label="เมนูใน" trigger={(props) => <button {...props}>เมนู</button>}>
          <MenuItem onSelect={() => undefined}>รายการ</MenuItem>
        </Menu>
      </Modal>
    </>
  )
}

test('opens on demand, keeps focus inside, and returns it on Esc', async () => {
  const user = userEvent.setup()
  render(<Example />)
  await user.click(screen.getByRole('button', { name: 'เปิด' }))
  const dialog = await screen.findByRole('dialog', { name: 'ตัวกรอง' }, ARRIVES)
  await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(screen.getByRole('button', { name: 'เปิด' })).toHaveFocus())
})

test('stays open while a menu inside it is used', async () => {
  const user = userEvent.setup()
  render(<Example />)
  await user.click(screen.getByRole('button', { name: 'เปิด' }))
  const button = await screen.findByRole('button', { name: 'เมนู' }, ARRIVES)
  await user.click(button)
  await screen.findByRole('menu', {}, ARRIVES)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await user.click(button)
  await user.click(await screen.findByRole('menuitem', { name: 'รายการ' }))
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(screen.getByRole('dialog', { name: 'ตัวกรอง' })).toBeInTheDocument()
})
