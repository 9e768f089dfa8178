import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { screenKeysOf } from './screen-keys.ts'
import { ShortcutHelp } from './shortcut-help.tsx'
import { setSingleKeys, singleKeys } from './shortcut-setting.ts'

beforeEach(() => setSingleKeys(true))

const SCREENS = screenKeysOf([
  { path: '/report', name: 'รายงานโครงการ' },
  { path: '/settings', name: 'ตั้งค่า' },
])

test('every key is listed with its meaning, screens only where they exist', async () => {
  render(<ShortcutHelp open onClose={vi.fn()} screens={SCREENS} />)
  const dialog = await screen.findByRole('dialog', { name: 'คีย์ลัด' }, { timeout: 10_000 })
  for (const key of ['J', 'K', 'Space', 'Enter', 'Esc', 'B', 'L', 'X', 'C', 'S', '/', 'F', '?', 'G', 'R'])
    expect([...dialog.querySelectorAll('kbd')].map((kbd) => kbd.textContent)).toContain(key)
  expect(dialog).toHaveTextContent('รายงานโครงการ')
  expect(dialog).not.toHaveTextContent('ตั้งค่า')
})

test('the switch turns single keys off and on', async () => {
  render(<ShortcutHelp open onClose={vi.fn()} screens={[]} />)
  const toggle = await screen.findByRole('switch', { name: /กดตัวเดียว/ }, { timeout: 10_000 })
  expect(toggle).toBeChecked()
  await userEvent.click(toggle)
  expect(toggle).not.toBeChecked()
  expect(singleKeys()).toBe(false)
  await userEvent.click(toggle)
  expect(singleKeys()).toBe(true)
})
