import { fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BusinessType } from '#contract/account/registration.ts'
import { BusinessTypeGroups } from './business-type-setup-step.tsx'

const kind = (id: number, name: string) => ({ id, name, description: null, is_active: true })
const TYPES: BusinessType[] = [
  { ...kind(1, 'งานก่อสร้างโยธา'), description: 'ถนน สะพาน', subtypes: [kind(11, 'ถนน'), kind(12, 'สะพาน')] },
  { ...kind(2, 'เทคโนโลยีสารสนเทศ'), subtypes: [kind(21, 'กล้องวงจรปิด'), kind(22, 'ซอฟต์แวร์')] },
  { ...kind(3, 'งานระบบและไฟฟ้า'), subtypes: [kind(31, 'ไฟฟ้า'), kind(32, 'แสงอาทิตย์')] },
]

let isDesk = false
beforeEach(() => {
  isDesk = false
  vi.stubGlobal('matchMedia', () => ({ matches: isDesk, addEventListener() {}, removeEventListener() {} }))
})
afterEach(() => vi.unstubAllGlobals())

function SetUp({ first }: { first: readonly number[] }) {
  const [chosen, setChosen] = useState(first)
  return <BusinessTypeGroups types={TYPES} chosen={chosen} onChange={setChosen} />
}
const names = () => screen.getAllByRole('group').map((group) => group.querySelector('legend')!.textContent)
const pills = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .queryAllByRole('checkbox')
    .map((box) => box.closest('label')!.textContent)
const heading = (group: string) => within(screen.getByRole('group', { name: group })).getByRole('button')

test('shows earlier choices first and expanded on a phone, the rest collapsed', () => {
  render(<SetUp first={[21, 31]} />)
  expect(names()).toEqual(['เทคโนโลยีสารสนเทศ', 'งานระบบและไฟฟ้า', 'งานก่อสร้างโยธา'])
  expect(screen.getByText('เลือกไว้ 2')).toBeInTheDocument()
  expect(screen.getByText(/กลุ่มอื่น/)).toHaveTextContent('กลุ่มอื่น 1')
  expect(pills('เทคโนโลยีสารสนเทศ')).toEqual(['กล้องวงจรปิด', 'ซอฟต์แวร์'])
  expect(pills('งานระบบและไฟฟ้า')).toEqual(['ไฟฟ้า'])
  expect(heading('งานระบบและไฟฟ้า')).toHaveTextContent('1/2 · อีก 1')
  expect(pills('งานก่อสร้างโยธา')).toEqual([])
})

test('keeps the order while the user taps and reorders on return', () => {
  const { unmount } = render(<SetUp first={[]} />)
  const before = names()
  fireEvent.click(heading('งานระบบและไฟฟ้า'))
  fireEvent.click(screen.getByRole('checkbox', { name: 'แสงอาทิตย์' }))
  expect(names()).toEqual(before)
  expect(screen.getByText('เลือกไว้ 1')).toBeInTheDocument()
  fireEvent.click(heading('งานระบบและไฟฟ้า'))
  expect(pills('งานระบบและไฟฟ้า')).toEqual(['แสงอาทิตย์'])
  unmount()
  render(<SetUp first={[32]} />)
  expect(names()[0]).toBe('งานระบบและไฟฟ้า')
})

test('clears all choices, and expands the groups that match a search', () => {
  render(<SetUp first={[21]} />)
  fireEvent.click(screen.getByRole('button', { name: 'ล้าง' }))
  expect(screen.queryByText(/เลือกไว้/)).toBeNull()
  const box = screen.getByRole('searchbox', { name: 'ค้นประเภทงาน' })
  fireEvent.change(box, { target: { value: 'สะพาน' } })
  expect(names()).toEqual(['งานก่อสร้างโยธา'])
  expect(pills('งานก่อสร้างโยธา')).toContain('สะพาน')
  fireEvent.change(box, { target: { value: 'ไม่มีแน่' } })
  expect(screen.getByText('ไม่มีประเภทงานที่ตรงกับ “ไม่มีแน่”')).toBeInTheDocument()
})

test('expands all groups on a desktop', () => {
  isDesk = true
  render(<SetUp first={[]} />)
  expect(screen.getAllByRole('checkbox')).toHaveLength(6)
})
