import { render } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useVirtualRows } from './use-virtual-rows.ts'

const ROW_HEIGHT = 74

beforeEach(() => {
  // jsdom has no layout: a region of 370 px fits five rows of 74.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(370)
})

afterEach(() => {
  vi.restoreAllMocks()
})

const IDS = Array.from({ length: 50 }, (_, index) => `id-${index}`)

function Rows({ ids, stop }: { ids: readonly string[]; stop: number }) {
  const region = useRef<HTMLDivElement>(null)
  const { virtualItems, totalHeight, measureElement } = useVirtualRows({ region, ids, stop, estimate: ROW_HEIGHT })
  return (
    <div ref={region} data-testid="region" data-height={totalHeight}>
      <table>
        <tbody>
          {virtualItems.map(({ index, key }) => (
            <tr key={key} ref={measureElement} data-index={index} tabIndex={-1}>
              <td>{ids[index]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function setUp(stop = 0) {
  const view = render(<Rows ids={IDS} stop={stop} />)
  return {
    show: (ids: readonly string[], at: number) => view.rerender(<Rows ids={ids} stop={at} />),
    region: view.getByTestId('region'),
  }
}
const drawn = () => [...document.querySelectorAll<HTMLElement>('tr')]
const renderedIndexes = () => drawn().map((row) => Number(row.dataset.index))

test('renders the rows in view, three of overscan and the tab stop', () => {
  const { region } = setUp(30)
  expect(renderedIndexes()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 30])
  expect(region.dataset.height).toBe(String(50 * ROW_HEIGHT))
})

test('keeps the element of a focused row that moves up by a refresh, far out of view', () => {
  const { show } = setUp(30)
  const row = drawn().at(-1)!
  expect(row).toHaveTextContent('id-30')
  row.focus()
  show(IDS.slice(1), 29)
  expect(drawn().at(-1)).toBe(row)
  expect(row).toHaveFocus()
  expect(row.dataset.index).toBe('29')
})
