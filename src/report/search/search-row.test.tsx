import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findReportParam, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'
import { chooseOption } from '../../../test/choose-option.ts'
import type { SearchParam } from './search-field.ts'
import { ReportSearchRow } from './search-row.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp(first: ReportSearch = {}, firstField: SearchParam = 'project_name__in') {
  const onOpenProject = vi.fn()
  const stack: ReportSearch[] = [first]
  let show: (search: ReportSearch) => void = () => undefined
  function Page() {
    const [search, setSearch] = useState(first)
    const [name, setName] = useState<SearchParam>(firstField)
    show = setSearch
    return (
      <ReportSearchRow
        name={name}
        onFieldChange={setName}
        search={search}
        total={37}
        onOpenProject={onOpenProject}
        change={(patch, how) => {
          const next = Object.fromEntries(
            Object.entries({ ...stack.at(-1), ...patch }).filter(([, value]) => value !== undefined),
          ) as ReportSearch
          if (how === 'replace') stack.pop()
          stack.push(next)
          setSearch(next)
        }}
      />
    )
  }
  render(<Page />)
  return {
    onOpenProject,
    address: () => stack.at(-1),
    steps: () => stack.map((search) => search.project_name__in),
    back: () => {
      stack.pop()
      act(() => show(stack.at(-1) ?? {}))
    },
    box: () => screen.getByLabelText('คำค้นในชื่อโครงการ') as HTMLInputElement,
  }
}

const type = (input: HTMLInputElement, text: string) => fireEvent.change(input, { target: { value: text } })
const hints = () =>
  act(
    async () =>
      void (await Promise.all([
        import('./search-suggestions.tsx'),
        import('./search-word-list.tsx'),
        import('./search-word-list.tsx'),
      ])),
  )
const passDebounce = () => act(() => vi.advanceTimersByTime(300))

test('adds one history entry per word, so that Back removes the whole word', () => {
  const { box, steps, back } = setUp()
  type(box(), 'กล้')
  passDebounce()
  type(box(), 'กล้อง')
  passDebounce()
  expect(steps()).toEqual([undefined, 'กล้อง'])
  back()
  expect(box().value).toBe('')
})

test('updates the address only after typing pauses and the word is long enough', () => {
  const { box, steps } = setUp()
  type(box(), 'ก')
  passDebounce()
  expect(steps()).toEqual([undefined])
  type(box(), 'กล้อง')
  act(() => vi.advanceTimersByTime(299))
  expect(steps()).toEqual([undefined])
})

test('makes a chip on Enter, and the buttons set how the next word joins', async () => {
  const { box, steps } = setUp()
  type(box(), 'กล้อง')
  fireEvent.keyDown(box(), { key: 'Enter' })
  await hints()
  fireEvent.click(screen.getByRole('button', { name: 'หรือ', pressed: false }))
  type(box(), 'CCTV')
  fireEvent.keyDown(box(), { key: 'Enter' })
  fireEvent.click(screen.getByRole('button', { name: 'ไม่เอา', pressed: false }))
  type(box(), 'ซ่อม')
  fireEvent.keyDown(box(), { key: 'Enter' })
  expect(steps()).toEqual([undefined, 'กล้อง', 'กล้อง||CCTV', 'กล้อง||CCTV<<ซ่อม'])
  await hints()
  expect(screen.getByText('ชื่อโครงการ: มี กล้อง หรือ CCTV แต่ไม่มี ซ่อม — 37 โครงการ')).toBeInTheDocument()
})

test('restores the chips of the previous step on Back', async () => {
  const { box, back } = setUp({ project_name__in: 'กล้อง' })
  type(box(), 'ถนน')
  fireEvent.keyDown(box(), { key: 'Enter' })
  await hints()
  expect(screen.getByRole('button', { name: 'เอาคำว่า ถนน ออก' })).toBeInTheDocument()
  back()
  expect(screen.queryByRole('button', { name: 'เอาคำว่า ถนน ออก' })).toBeNull()
  expect(screen.getByRole('button', { name: 'เอาคำว่า กล้อง ออก' })).toBeInTheDocument()
})

test.each([
  ['กล้อง||CCTV', 'กล้อง||CCTV', 'มี กล้อง หรือ CCTV'],
  ['กล้อง##วงจรปิด', 'กล้อง##วงจรปิด', 'มี กล้อง และ วงจรปิด'],
  ['(กล้อง||CCTV)##ติดตั้ง<<ซ่อม', '(กล้อง||CCTV)##ติดตั้ง<<ซ่อม', 'มี (กล้อง หรือ CCTV) และ ติดตั้ง แต่ไม่มี ซ่อม'],
])('applies the operators of %s on Enter', async (typed, expression, words) => {
  const { box, steps } = setUp()
  type(box(), typed)
  fireEvent.keyDown(box(), { key: 'Enter' })
  expect(steps()).toEqual([undefined, expression])
  expect(box().value).toBe('')
  await hints()
  expect(screen.getByText(`ชื่อโครงการ: ${words} — 37 โครงการ`)).toBeInTheDocument()
})

test('applies operators while typing, and sends no request for an incomplete expression', () => {
  const { box, steps } = setUp()
  type(box(), 'กล้อง')
  passDebounce()
  type(box(), 'กล้อง||')
  passDebounce()
  expect(box()).not.toBeInvalid()
  type(box(), 'กล้อง||CCTV')
  passDebounce()
  expect(steps()).toEqual([undefined, 'กล้อง||CCTV'])
})

test('refuses an incomplete expression on Enter, and offers to search its signs literally', async () => {
  const { box, steps } = setUp()
  type(box(), 'กล้อง##')
  fireEvent.keyDown(box(), { key: 'Enter' })
  expect(steps()).toEqual([undefined])
  expect(box()).toBeInvalid()
  await hints()
  expect(screen.getByRole('status')).toHaveTextContent('ขาดคำข้างเครื่องหมายตรงนี้')
  fireEvent.click(screen.getByRole('button', { name: 'ค้นข้อความ “กล้อง##” ตรงตัวอักษร' }))
  expect(steps()).toEqual([undefined, 'กล้อง\\#\\#'])
})

test('still offers a literal search after Enter, combined with the words before', async () => {
  const { box, steps } = setUp({ project_name__in: 'ถนน' })
  type(box(), 'กล้อง||CCTV')
  fireEvent.keyDown(box(), { key: 'Enter' })
  expect(steps().at(-1)).toBe('ถนน##(กล้อง||CCTV)')
  await hints()
  fireEvent.click(screen.getByRole('button', { name: 'ค้นข้อความ “กล้อง||CCTV” ตรงตัวอักษร' }))
  expect(steps().at(-1)).toBe('ถนน##กล้อง\\|\\|CCTV')
  expect(screen.queryByRole('button', { name: /ตรงตัวอักษร/ })).toBeNull()
  expect(box()).toHaveFocus()
})

test('joins an expression as the buttons state', () => {
  const { box, steps } = setUp({ project_name__in: 'ถนน' })
  fireEvent.click(screen.getByRole('button', { name: 'ไม่เอา' }))
  type(box(), 'กล้อง||CCTV')
  fireEvent.keyDown(box(), { key: 'Enter' })
  expect(steps().at(-1)).toBe('ถนน<<กล้อง||CCTV')
})

test('offers operators of other search engines as a search instead of applying them', async () => {
  const { box, steps } = setUp()
  type(box(), 'กล้อง OR CCTV')
  await hints()
  fireEvent.click(screen.getByRole('button', { name: 'ค้นแบบนี้' }))
  expect(steps()).toEqual([undefined, 'กล้อง||CCTV'])
  expect(screen.getByRole('button', { name: 'เอาคำว่า CCTV ออก' })).toBeInTheDocument()
})

test('searches signs in a plain word literally', () => {
  const { box, steps } = setUp()
  type(box(), 'จอ (19 นิ้ว)')
  fireEvent.keyDown(box(), { key: 'Enter' })
  expect(steps().at(-1)).toBe('จอ \\(19 นิ้ว\\)')
})

test('removes the last word on Backspace in an empty box', () => {
  const { box, steps } = setUp({ project_name__in: 'กล้อง||CCTV' })
  fireEvent.keyDown(box(), { key: 'Backspace' })
  expect(steps().at(-1)).toBe('กล้อง')
})

test('refuses a wrong expression with its position, and keeps it out of the address', async () => {
  vi.useRealTimers()
  const { steps } = setUp()
  fireEvent.click(screen.getByRole('button', { name: /พิมพ์เป็นนิพจน์/ }))
  const input = (await screen.findByLabelText('นิพจน์ค้นในชื่อโครงการ')) as HTMLInputElement
  type(input, '(กล้อง||CCTV')
  expect(screen.getByText(/\(ตัวที่ 1\)/)).toBeInTheDocument()
  expect(input).toBeInvalid()
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(steps()).toEqual([undefined])
  type(input, '(กล้อง||CCTV)##ติดตั้ง')
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(steps().at(-1)).toBe('(กล้อง||CCTV)##ติดตั้ง')
})

test('finds exactly one field for the search key', () => {
  const { box } = setUp()
  const field = document.querySelectorAll('[data-shortcut="search"] :is(input, textarea)')
  expect([...field]).toEqual([box()])
})

test('keeps focus in the search when the mode, the field or the words change', async () => {
  vi.useRealTimers()
  const { box } = setUp({ project_name__in: 'กล้อง' })
  const mode = () => screen.getByRole('button', { name: /พิมพ์เป็นนิพจน์/ })
  mode().focus()
  fireEvent.click(mode())
  const input = await screen.findByLabelText('นิพจน์ค้นในชื่อโครงการ')
  expect(input).toHaveFocus()
  fireEvent.click(mode())
  await waitFor(() => expect(box()).toHaveFocus())
  fireEvent.click(screen.getByRole('button', { name: 'ล้างคำค้น' }))
  expect(box()).toHaveFocus()
  await chooseOption('ค้นใน', findReportParam('project_dept_sub__in').th)
  expect(screen.getByLabelText(/^ค้นใน/)).toHaveFocus()
  await chooseOption('ค้นใน', findReportParam('project_id__in').th)
  await screen.findByLabelText('เลขที่โครงการ')
  expect(screen.getByLabelText(/^ค้นใน/)).toHaveFocus()
})

test.each([
  '๖๙๑๑๙๒๘๔๔๑๗',
  '6911-928 4417',
  'เลขที่ 69119284417 ค่ะ',
  'https://process3.gprocurement.go.th/egp?projectId=69119284417',
])('searches and offers the project number in “%s”, and opens it on Enter', async (pasted) => {
  const { address, onOpenProject } = setUp({}, 'project_search__in')
  const box = screen.getByLabelText('คำค้นในทุกช่อง')
  type(box as HTMLInputElement, pasted)
  passDebounce()
  expect(address()).toEqual({ project_search__in: '69119284417' })
  await hints()
  expect(screen.getByRole('button', { name: 'เปิดโครงการ 69119284417' })).toBeInTheDocument()
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(onOpenProject).toHaveBeenCalledExactlyOnceWith('69119284417')
})

test('offers a pasted project number in the expression box, unless it is joined to words', async () => {
  vi.useRealTimers()
  const { onOpenProject } = setUp({}, 'project_search__in')
  fireEvent.click(screen.getByRole('button', { name: /พิมพ์เป็นนิพจน์/ }))
  const box = (await screen.findByLabelText('นิพจน์ค้นในทุกช่อง')) as HTMLInputElement
  type(box, '๖๙๑๑-๙๒๘ ๔๔๑๗')
  fireEvent.click(await screen.findByRole('button', { name: 'เปิดโครงการ 69119284417' }))
  expect(onOpenProject).toHaveBeenCalledExactlyOnceWith('69119284417')
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(onOpenProject).toHaveBeenCalledTimes(2)
  type(box, '69119284417##กล้อง')
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(screen.queryByRole('button', { name: /^เปิดโครงการ/ })).toBeNull()
  expect(onOpenProject).toHaveBeenCalledTimes(2)
})

test('opens nothing for words that are not a number', () => {
  const { address, onOpenProject } = setUp({}, 'project_search__in')
  const box = screen.getByLabelText('คำค้นในทุกช่อง')
  type(box as HTMLInputElement, 'กล้อง 6911928')
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(onOpenProject).not.toHaveBeenCalled()
  expect(address()).toEqual({ project_search__in: 'กล้อง 6911928' })
})

test('moves the words along when narrowing, and leaves them on any other field change', async () => {
  vi.useRealTimers()
  const { address } = setUp({ project_search__in: 'กล้อง' }, 'project_search__in')
  const choose = (name: ReportParamName) => chooseOption('ค้นใน', findReportParam(name).th)
  await choose('project_winner_name__in')
  expect(address()).toEqual({ project_winner_name__in: 'กล้อง' })
  await chooseOption('ค้นใน', 'ทุกช่อง')
  await choose('project_id__in')
  expect(address()).toEqual({ project_winner_name__in: 'กล้อง' })
})

test('searches documents from three letters on, and moves no shorter words there', async () => {
  const { address } = setUp({ project_search__in: 'ยา' }, 'project_search__in')
  vi.useRealTimers()
  await chooseOption('ค้นใน', 'ในเอกสาร')
  expect(address()).toEqual({ project_search__in: 'ยา' })
  vi.useFakeTimers()
  const box = screen.getByLabelText('คำค้นในเอกสาร') as HTMLInputElement
  type(box, 'IS')
  passDebounce()
  expect(address()).toEqual({ project_search__in: 'ยา' })
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(screen.getByRole('status')).toHaveTextContent('คำค้นในเอกสารต้องมีอย่างน้อย 3 ตัวอักษร')
  type(box, 'ISO')
  passDebounce()
  expect(address()).toEqual({ project_search__in: 'ยา', document_text__in: 'ISO' })
  await hints()
  expect(screen.getByText(/ไม่รวมภาพสแกน/)).toBeInTheDocument()
})
