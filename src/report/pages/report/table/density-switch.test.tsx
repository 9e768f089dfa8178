import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { setDisplayDensity } from '#src/lib/density.ts'
import { DisplayDensitySwitch } from './density-switch.tsx'

afterEach(() => act(() => setDisplayDensity('comfortable')))

test('applies to every switch on screen and is stored on the device, except the default', async () => {
  const user = userEvent.setup()
  render(
    <>
      <DisplayDensitySwitch />
      <DisplayDensitySwitch />
    </>,
  )
  const compact = () => screen.getAllByRole('radio', { name: 'กะทัดรัด' })
  expect(screen.getAllByRole('radio', { name: 'สบายตา' })[1]).toBeChecked()
  await user.click(compact()[0]!)
  for (const radio of compact()) expect(radio).toBeChecked()
  expect(localStorage.getItem('tamngan.density')).toBe('compact')
  await user.click(screen.getAllByRole('radio', { name: 'สบายตา' })[0]!)
  expect(localStorage.getItem('tamngan.density')).toBeNull()
})
