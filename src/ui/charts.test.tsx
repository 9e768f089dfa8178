import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { BarChart } from './chart/bar-chart.tsx'
import { ChartFigure } from './chart/chart-figure.tsx'
import { ColumnChart } from './chart/column-chart.tsx'
import { DotPlot } from './chart/dot-plot.tsx'
import { StackedBarChart } from './chart/stacked-bar-chart.tsx'
import { TreeMapChart } from './chart/tree-map-chart.tsx'

const years = [
  { key: '2567', label: '2567', value: 10, text: '10 งาน' },
  { key: '2568', label: '2568', value: null, text: 'ไม่ทราบ' },
  { key: '2569', label: '2569', value: 30, text: '30 งาน', isOpen: true },
]

test('switches every chart to its table and back, and remembers it for the visit', async () => {
  const user = userEvent.setup()
  const figure = (
    <ChartFigure
      title="รายปี"
      table={{ caption: 'รายปี', columns: ['ปี', 'งาน'], rows: [{ key: '1', cells: ['2567', '10'] }], numeric: [1] }}
    >
      <p>กราฟรายปี</p>
    </ChartFigure>
  )
  const first = render(figure)
  await user.click(screen.getByRole('button', { name: 'แสดงรายปีเป็นตาราง' }))
  expect(screen.queryByText('กราฟรายปี')).toBeNull()
  expect(within(screen.getByRole('table')).getByRole('rowheader')).toHaveTextContent('2567')
  first.unmount()
  render(figure)
  expect(screen.getByRole('table')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'แสดงรายปีเป็น กราฟ' }))
  expect(screen.getByText('กราฟรายปี')).toBeVisible()
})

test('explains a figure without rows, and offers no table', () => {
  render(
    <ChartFigure title="ส่วนลด" empty="ไม่มีราคากลาง" table={{ caption: '', columns: [], rows: [] }}>
      <p>กราฟ</p>
    </ChartFigure>,
  )
  expect(screen.getByText('ไม่มีราคากลาง')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test('moves through columns by arrows, and opens one with Enter', async () => {
  const user = userEvent.setup()
  const open = vi.fn()
  render(
    <ColumnChart
      label="รายปี"
      columns={years.map((year) => ({ ...year, onOpen: () => open(year.key) }))}
      formatValue={String}
    />,
  )
  await user.tab()
  expect(screen.getByRole('button', { name: '2569 · 30 งาน' })).toHaveFocus()
  await user.keyboard('{ArrowLeft}')
  expect(screen.getByRole('button', { name: '2568 · ไม่ทราบ' })).toHaveFocus()
  expect(screen.getByText(/· ไม่ทราบ/)).toBeVisible()
  await user.keyboard('{Home}{Enter}')
  expect(open.mock.calls).toEqual([['2567']])
  await user.tab()
  expect(screen.getByRole('group', { name: /รายปี/ }).contains(document.activeElement)).toBe(false)
})

test('labels bins at their left edges, every other one from the given bin, and reads their texts alone', async () => {
  const columns = Array.from({ length: 20 }, (_, at) => ({
    key: String(at),
    label: `${at - 3}%`,
    value: at,
    text: `${at} งาน`,
  }))
  const { container } = render(
    <ColumnChart label="ส่วนลด" columns={columns} formatValue={String} start={4} labelledBin={3} />,
  )
  const labels = [...container.querySelectorAll<HTMLElement>('[aria-hidden] > [style*=left]')]
  expect(labels.slice(0, 2).map(({ textContent, style }) => [textContent, style.left])).toEqual([
    ['-2%', '5%'],
    ['0%', '15%'],
  ])
  await userEvent.setup().tab()
  expect(document.activeElement).toHaveAccessibleName('4 งาน')
})

test('names each value of the axis of small counts once', () => {
  const columns = [1, 0, null].map((value, index) => ({
    key: `${index}`,
    label: `ปี ${index}`,
    value,
    text: String(value),
  }))
  const { container } = render(
    <ColumnChart label="งานที่จบ" columns={columns} formatValue={(value) => value.toFixed(0)} />,
  )
  const axis = [...container.querySelectorAll('[aria-hidden] > .tabular-nums')].map(({ textContent }) => textContent)
  expect(axis).toEqual(['0', '1'])
})

test('scales bars by the largest, draws none for unknown values, and links rows', () => {
  render(
    <BarChart
      label="หน่วยงาน"
      rows={[
        { key: 'a', label: 'กรมทางหลวง', value: 50, text: '50', href: '/a' },
        { key: 'b', label: 'กรมชลประทาน', value: 100, text: '100' },
        { key: 'c', label: 'ไม่ทราบ', value: null, text: '–' },
      ]}
    />,
  )
  const widths = screen.getAllByRole('listitem').map((item) => {
    const bar = item.querySelector<HTMLElement>('[style]')!
    return bar.style.width
  })
  expect(widths).toEqual(['50%', '100%', '0%'])
  expect(screen.getByRole('link', { name: /กรมทางหลวง/ })).toHaveAttribute('href', '/a')
})

test('names the parts of stacked bars once in the legend and, with their amounts, in each row', () => {
  const parts = [
    { key: 'a', label: 'งบลงทุน', tone: 1 },
    { key: 'b', label: 'งบบุคลากร', tone: 2 },
  ] as const
  const rows = [{ key: '2569', label: 'ปี 2569', values: { a: 30, b: 0 }, text: '30', onOpen: vi.fn() }]
  const { container } = render(<StackedBarChart label="รายปี" parts={parts} rows={rows} formatValue={String} />)
  for (const { label } of parts) {
    const entry = screen.getByText(label)
    expect(entry.closest('[aria-hidden]')).toBeNull()
    expect(entry.firstElementChild).toHaveAttribute('aria-hidden', 'true')
  }
  const row = screen.getByRole('button', { name: /^ปี 2569/ })
  expect(row).toHaveAccessibleName(expect.stringMatching(/งบลงทุน 30$/))
  expect(row).not.toHaveTextContent('งบบุคลากร')
  const widths = [...container.querySelectorAll<HTMLElement>('[style]')].map(({ style }) => style.width)
  expect(widths).toEqual(['100%', '0%'])
})

test('moves through dots in time order, whatever their source order', async () => {
  const user = userEvent.setup()
  const dot = { series: 1 as const, isFilled: true, y: 0.9 }
  render(
    <DotPlot
      label="ราคา"
      yDomain={[0.7, 1]}
      formatY={String}
      points={[
        { ...dot, key: 'late', at: '2026-03-01', text: 'หลัง' },
        { ...dot, key: 'early', at: '2025-03-01', text: 'ก่อน' },
      ]}
    />,
  )
  await user.tab()
  expect(screen.getByRole('img', { name: 'หลัง' })).toHaveFocus()
  await user.keyboard('{ArrowLeft}')
  expect(screen.getByRole('img', { name: 'ก่อน' })).toHaveFocus()
  expect(screen.getByText('ก่อน')).toBeVisible()
})

test('sizes tiles by value, the largest first, and omits zero values', () => {
  render(
    <TreeMapChart
      label="กระทรวง"
      nodes={[
        { key: 's', label: 'เล็ก', value: 25, text: '25' },
        { key: 'l', label: 'ใหญ่', value: 75, text: '75' },
        { key: 'n', label: 'ไม่มี', value: 0, text: '0' },
      ]}
    />,
  )
  const tiles = screen.getAllByRole('listitem')
  expect(tiles.map((tile) => tile.textContent)).toEqual(['ใหญ่75', 'เล็ก25'])
  const area = ({ style }: HTMLElement) => Number.parseFloat(style.width) * Number.parseFloat(style.height)
  expect(area(tiles[0]!) / area(tiles[1]!)).toBeCloseTo(3, 0)
})
