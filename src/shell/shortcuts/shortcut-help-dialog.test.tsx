import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildScreenShortcuts } from './screen-shortcuts.ts'
import { ShortcutHelpDialog } from './shortcut-help-dialog.tsx'
import { areSingleKeyShortcutsEnabled, setSingleKeyShortcutsEnabled } from './shortcut-setting.ts'

beforeEach(() => setSingleKeyShortcutsEnabled(true))

const SCREENS = buildScreenShortcuts([
  { path: '/report', name: 'รายงานโครงการ' },
  { path: '/settings', name: 'ตั้งค่า' },
])

test('lists every key with its meaning, and screens only where they exist', async () => {
  render(<ShortcutHelpDialog onClose={vi.fn()} screens={SCREENS} />)
  const dialog = await screen.findByRole('dialog', { name: 'คีย์ลัด' }, { timeout: 10_000 })
  for (const key of ['J', 'K', 'Space', 'Enter', 'Esc', 'B', 'L', 'X', 'C', 'S', '/', 'F', '?', 'G', 'R'])
    expect([...dialog.querySelectorAll('kbd')].map((kbd) => kbd.textContent)).toContain(key)
  expect(dialog).toHaveTextContent('รายงานโครงการ')
  expect(dialog).not.toHaveTextContent('ตั้งค่า')
})

test('switches single keys off and on', async () => {
  render(<ShortcutHelpDialog onClose={vi.fn()} screens={[]} />)
  const toggle = await screen.findByRole('switch', { name: /กดตัวเดียว/ }, { timeout: 10_000 })
  expect(toggle).toBeChecked()
  await userEvent.click(toggle)
  expect(toggle).not.toBeChecked()
  expect(areSingleKeyShortcutsEnabled()).toBe(false)
  await userEvent.click(toggle)
  expect(areSingleKeyShortcutsEnabled()).toBe(true)
})
