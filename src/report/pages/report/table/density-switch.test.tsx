import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { setDensity } from '#src/lib/density.ts'
import { DensitySwitch } from './density-switch.tsx'

afterEach(() => act(() => setDensity('comfortable')))

test('the choice holds for every switch on the screen and is kept on the device; the usual one keeps nothing', async () => {
  const user = userEvent.setup()
  render(
    <>
      <DensitySwitch />
      <DensitySwitch />
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
