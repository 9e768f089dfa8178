import { act, render } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useRenderedRowWindow } from './use-rendered-row-window.tsx'
import { VirtualRows } from './virtual-rows.tsx'

const ROW_HEIGHT = 74

beforeEach(() => {
  // jsdom has no layout, so mock a region of 370 px, which fits five rows of 74 px, in a window 768 px high.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(370)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW_HEIGHT)
})

afterEach(() => {
  vi.restoreAllMocks()
})

const IDS = Array.from({ length: 50 }, (_, index) => `id-${index}`)

function Rows({ ids, stop, load }: { ids: readonly string[]; stop: number; load: () => Promise<typeof VirtualRows> }) {
  const region = useRef<HTMLDivElement>(null)
  const { placed, height, measure, follower } = useRenderedRowWindow({ region, ids, stop, estimate: 91, load })
  return (
    <div ref={region} data-testid="region" data-height={height}>
      <table>
        <tbody>
          {placed.map(({ index, start }) => (
            <tr key={ids[index]} ref={measure} data-index={index} data-start={start} tabIndex={-1}>
              <td>{ids[index]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {follower}
    </div>
  )
}

function setUp(stop = 0) {
  const part = Promise.withResolvers<typeof VirtualRows>()
  const load = () => part.promise
  const view = render(<Rows ids={IDS} stop={stop} load={load} />)
  const settle = (how: () => void) =>
    act(async () => {
      how()
      await part.promise.catch(() => undefined)
    })
  return {
    show: (ids: readonly string[], at = stop) => view.rerender(<Rows ids={ids} stop={at} load={load} />),
    arrive: () => settle(() => part.resolve(VirtualRows)),
    fail: () => settle(() => part.reject(new Error('offline'))),
    region: view.getByTestId('region'),
  }
}
const drawn = () => [...document.querySelectorAll<HTMLElement>('tr')]
const renderedIndexes = () => drawn().map((row) => Number(row.dataset.index))

test('renders the rows of a window and the tab stop before anything is loaded', () => {
  const { region } = setUp(30)
  expect(renderedIndexes()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 30])
  expect(region.dataset.height).toBe(String(50 * 91))
})

test('keeps rendered rows, their focus and heights when the virtualizer loads', async () => {
  const { arrive, region } = setUp()
  const before = drawn()
  before[3]!.focus()
  await arrive()
  // Five rows in view plus three of overscan.
  expect(renderedIndexes()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(drawn().every((row, index) => row === before[index])).toBe(true)
  expect(before[3]).toHaveFocus()
  expect(before[7]!.dataset.start).toBe(String(7 * ROW_HEIGHT))
  expect(Number(region.dataset.height)).toBeLessThan(50 * 91 - 7 * (91 - ROW_HEIGHT))
})

test('does not move a scrolled table when the virtualizer loads', async () => {
  const { arrive, region } = setUp()
  const scrollTo = vi.fn()
  region.scrollTo = scrollTo
  region.scrollTop = 200
  await arrive()
  expect(region.scrollTop).toBe(200)
  expect(scrollTo.mock.calls.filter(([to]) => to.top !== 200)).toEqual([])
})

test('keeps the element of a focused row that moves up by a refresh, far out of view', async () => {
  const { arrive, show } = setUp(30)
  await arrive()
  const row = drawn().at(-1)!
  expect(row).toHaveTextContent('id-30')
  row.focus()
  show(IDS.slice(1), 29)
  expect(drawn().at(-1)).toBe(row)
  expect(row).toHaveFocus()
  expect(row.dataset.index).toBe('29')
})

test('renders the whole page if the virtualizer fails to load', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { fail, region } = setUp()
  const before = drawn()
  await fail()
  expect(renderedIndexes()).toEqual(IDS.map((_, index) => index))
  expect(drawn()[0]).toBe(before[0])
  expect(region.dataset.height).toBe('0')
  expect(warn).toHaveBeenCalledOnce()
})
