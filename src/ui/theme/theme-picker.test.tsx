import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ThemePicker } from './theme-picker.tsx'

afterEach(() => {
  localStorage.clear()
  delete document.documentElement.dataset.theme
})

test('applies a choice at once and stores it; following the device stores nothing', async () => {
  const user = userEvent.setup()
  render(<ThemePicker />)
  expect(screen.getByRole('radio', { name: 'ตามเครื่อง' })).toBeChecked()
  await user.click(screen.getByRole('radio', { name: 'มืด' }))
  expect(document.documentElement.dataset.theme).toBe('dark')
  expect(localStorage.getItem('tamngan.theme')).toBe('dark')
  await user.click(screen.getByRole('radio', { name: 'ตามเครื่อง' }))
  expect(document.documentElement.dataset.theme).toBeUndefined()
  expect(localStorage.getItem('tamngan.theme')).toBeNull()
})

test('shows the choice of the last visit', () => {
  document.documentElement.dataset.theme = 'light'
  render(<ThemePicker />)
  expect(screen.getByRole('radio', { name: 'สว่าง' })).toBeChecked()
})
