import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ProgressBar } from './progress-bar.tsx'

test('announces a known progress, and none while it is unknown', () => {
  const { rerender } = render(<ProgressBar label="จับคู่" value={0} max={100} />)
  expect(screen.getByRole('progressbar', { name: 'จับคู่' })).toHaveAttribute('value', '0')
  rerender(<ProgressBar label="จับคู่" value={undefined} max={100} />)
  expect(screen.getByRole('progressbar', { name: 'จับคู่' })).not.toHaveAttribute('value')
})
