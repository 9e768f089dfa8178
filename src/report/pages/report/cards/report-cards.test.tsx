import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ProjectRowDisplayContext } from '#src/report/project-row/project-row-display-data.ts'
import { reportRow } from '../../../../../test/report-row.ts'
import { ReportCards } from './report-cards.tsx'

const ROW = reportRow()

const MARKS = {
  nameWords: [],
  deptWords: [],
  winnerWords: [],
  today: '2026-11-21',
  showsHidden: false,
  labelsOf: () => [{ id: 'a', name: 'เตรียมยื่น', color: 'sky' }],
  hrefOf: (id: string) => `/report/${id}?from=page`,
}

function setUp(props: Partial<Parameters<typeof ReportCards>[0]> = {}, row = ROW) {
  const onPeek = vi.fn()
  render(
    <ProjectRowDisplayContext value={MARKS}>
      <ReportCards rows={[row]} isBusy={false} hidden={new Set()} onPeek={onPeek} {...props} />
    </ProjectRowDisplayContext>,
  )
  return { onPeek, card: screen.getByRole('article'), user: userEvent.setup() }
}

test('shows the six facts, the matched words and the labels', () => {
  const { card } = setUp()
  expect(within(card).getByText('อัปเดต')).toBeInTheDocument()
  // A watched word is a `u` element, a search term a `mark`.
  expect(within(card).getByText('กล้อง').tagName).toBe('U')
  for (const text of ['กองช่าง · นนทบุรี', '10,000,000', /^ราคากลาง 9,500,000/, 'เหลือ 7 วัน', 'ประกาศเชิญชวน', 'เตรียมยื่น'])
    expect(within(card).getByText(text)).toBeInTheDocument()
  expect(within(card).getByText('ต่ำกว่างบประมาณ').parentElement).toHaveTextContent('5')
})

test('shows an unknown budget as missing and omits an unknown reference price', () => {
  const { card } = setUp({}, { ...ROW, budget: null, estimate_budget: null })
  expect(within(card).getByText('ไม่มีข้อมูล')).toBeInTheDocument()
  expect(within(card).queryByText(/ราคากลาง/)).toBeNull()
})

test('links the name to the project page with the list context', () => {
  const { card } = setUp()
  const link = within(card).getByRole('link', { name: ROW.name })
  expect(link).toHaveAttribute('href', `/report/${ROW.project_id}?from=page`)
})

test('offers every action in a menu, and returns focus to its button before running one', async () => {
  const { card, onPeek, user } = setUp()
  const more = within(card).getByRole('button', { name: `เพิ่มเติม ${ROW.project_id}` })
  await user.click(more)
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
    'ดูข้อมูลย่อ',
    'ป้ายกำกับ',
    'คัดลอกไปวางใน LINE',
    'เปิดในระบบ e-GP',
    'ซ่อนโครงการนี้',
  ])
  expect(await screen.findByRole('menuitem', { name: 'เปิดในระบบ e-GP' })).toHaveAttribute(
    'href',
    expect.stringContaining(`projectId=${ROW.project_id}`),
  )
  await user.click(screen.getByRole('menuitem', { name: 'ดูข้อมูลย่อ' }))
  expect(onPeek).toHaveBeenCalledOnce()
  expect(screen.queryByRole('menu')).toBeNull()
  expect(more).toHaveFocus()
})

test('ticks instead of opening while selecting, and hides the menu', async () => {
  const select = vi.fn()
  const { card, onPeek, user } = setUp({ selection: { ids: new Set(), select } })
  await user.click(within(card).getByRole('checkbox', { name: `เลือก ${ROW.name}` }))
  expect(select).toHaveBeenCalledExactlyOnceWith(ROW, true)
  expect(onPeek).not.toHaveBeenCalled()
  expect(within(card).queryByRole('link')).toBeNull()
  expect(within(card).queryByRole('button', { name: /^เพิ่มเติม/ })).toBeNull()
})

test('offers to unhide a project in the hidden list', async () => {
  const { card, user } = setUp({ hidden: new Set([ROW.project_id]) })
  await user.click(within(card).getByRole('button', { name: /^เพิ่มเติม/ }))
  expect(await screen.findByRole('menuitem', { name: 'เลิกซ่อน' })).toBeInTheDocument()
})

test('keeps stale cards and marks the list as busy', () => {
  setUp({ isBusy: true })
  expect(screen.getByRole('list', { name: 'โครงการ' })).toHaveAttribute('aria-busy', 'true')
})

test('renders three cards at first, others as they come near the view, and all before printing', () => {
  const observed = new Map<Element, IntersectionObserverCallback>()
  class FakeObserver {
    readonly callback: IntersectionObserverCallback
    constructor(callback: IntersectionObserverCallback) {
      this.callback = callback
    }
    observe(element: Element) {
      observed.set(element, this.callback)
    }
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', FakeObserver)
  onTestFinished(() => void vi.unstubAllGlobals())
  const rows = Array.from({ length: 6 }, (_, index) => reportRow({ project_id: `6911900000${index}` }))
  render(
    <ProjectRowDisplayContext value={MARKS}>
      <ReportCards rows={rows} isBusy={false} hidden={new Set()} />
    </ProjectRowDisplayContext>,
  )
  const listIds = () => screen.getAllByRole('article').map((card) => card.closest('li')!.dataset.projectId)
  expect(listIds()).toEqual(rows.slice(0, 3).map((row) => row.project_id))

  const [fifth, approach] = [...observed][4]!
  act(() => approach([{ isIntersecting: true } as IntersectionObserverEntry], {} as IntersectionObserver))
  expect(listIds()).toEqual([0, 1, 2, 4].map((index) => rows[index]!.project_id))
  expect(fifth).toHaveAttribute('data-project-id', rows[4]!.project_id)

  fireEvent(window, new Event('beforeprint'))
  expect(listIds()).toEqual(rows.map((row) => row.project_id))
})
