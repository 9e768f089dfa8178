import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { queriesPausedStore } from '#src/lib/queries-paused-store.ts'
import { SkeletonGroup } from './skeleton.tsx'

afterEach(() => act(() => queriesPausedStore.set(false)))

test('states that no data is stored while reads are paused, and shows loading afterwards', () => {
  render(
    <SkeletonGroup label="กำลังโหลดบริษัท">
      <b>shape</b>
    </SkeletonGroup>,
  )
  expect(screen.getByRole('status')).toHaveTextContent('กำลังโหลดบริษัท')
  act(() => queriesPausedStore.set(true))
  expect(screen.getByRole('status')).toHaveTextContent(/^ส่วนนี้ยังไม่มีข้อมูลเดิมเก็บไว้ในเครื่อง/)
  expect(screen.queryByText('shape')).toBeNull()
  act(() => queriesPausedStore.set(false))
  expect(screen.getByText('shape')).toBeInTheDocument()
})
