import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Tabs } from './tabs.tsx'

const TAB_WIDTH = 100
const ROW_WIDTH = 250

afterEach(() => vi.restoreAllMocks())

/** Lays out tabs of 100 px, or 140 with a count, in a row of 250 px. */
function layOut(): void {
  const tabsOf = (row: Element) => [...row.querySelectorAll('[role="tab"]')]
  const widthOf = (tab: Element) => TAB_WIDTH + (tab.querySelector('.tabular-nums') ? 40 : 0)
  const sum = (tabs: readonly Element[]) => tabs.reduce((total, tab) => total + widthOf(tab), 0)
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(function (this: Element) {
    return sum(tabsOf(this))
  })
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(ROW_WIDTH)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const row = this.closest('[role="tablist"]')
    if (row === null || row === this) return new DOMRect(0, 0, ROW_WIDTH, 40)
    const tabs = tabsOf(row)
    return new DOMRect(sum(tabs.slice(0, tabs.indexOf(this))) - row.scrollLeft, 0, widthOf(this), 40)
  })
}

const centreOfSelected = () => {
  const { left, width } = screen.getByRole('tab', { selected: true }).getBoundingClientRect()
  return left + width / 2
}

test('scrolls a narrow row to the selected tab, again once counts have widened the tabs before it', () => {
  layOut()
  const element = (count: number | undefined) => (
    <Tabs
      label="ส่วน"
      value="files"
      onChange={() => {}}
      items={[
        { value: 'overview', label: 'ภาพรวม' },
        { value: 'bidders', label: 'ผู้เสนอราคา', count },
        { value: 'files', label: 'เอกสาร', count },
      ]}
    />
  )
  const { rerender } = render(element(undefined))
  expect(centreOfSelected()).toBe(ROW_WIDTH / 2)
  rerender(element(3))
  expect(centreOfSelected()).toBe(ROW_WIDTH / 2)
})

test('leaves a row that fits where it is', () => {
  layOut()
  render(
    <Tabs label="ส่วน" value="b" onChange={() => {}} items={['a', 'b'].map((value) => ({ value, label: value }))} />,
  )
  expect(screen.getByRole('tablist').scrollLeft).toBe(0)
})
