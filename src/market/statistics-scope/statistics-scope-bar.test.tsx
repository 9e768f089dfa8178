import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { DepartmentUnit } from '#contract/catalogue/department.ts'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import type { StatisticsScope } from '#contract/market/statistics-scope.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { chooseOption } from '../../../test/choose-option.ts'
import { StatisticsCoverageBadge } from './statistics-coverage-badge.tsx'
import { StatisticsScopeBar } from './statistics-scope-bar.tsx'
import { StatisticsScopeChips } from './statistics-scope-chips.tsx'
import type { StatisticsScopePatch } from './statistics-scope-filters.ts'
import { StatisticsScopeLine } from './statistics-scope-line.tsx'

const unit = (department: string, name = '', same_name = 1): DepartmentUnit => ({
  word: name || department,
  department,
  unit: name,
  ministry: null,
  province: null,
  units: name === '' ? 2 : 0,
  same_name,
  open: 10,
  recent: 1,
})
const ROADS = unit('กรมทางหลวง')
const WORKS = unit('กรมทางหลวง', 'กองช่าง', 7)

function setUp(first: StatisticsScopeSearch = {}, { isWide = true } = {}) {
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: isWide,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  startFakeNetwork(({ query }) => ({
    total: 2,
    results: query.get('q') === 'ช่าง' ? [WORKS, { ...WORKS, department: 'กรมชลประทาน' }] : [ROADS],
    ministries: [],
  }))
  const onChange = vi.fn<(change: StatisticsScopePatch) => void>()
  function Harness() {
    const [search, setSearch] = useState(first)
    const change = (patch: StatisticsScopePatch) => {
      onChange(patch)
      setSearch((now) => Object.fromEntries(Object.entries({ ...now, ...patch }).filter(([, v]) => v !== undefined)))
    }
    return (
      <QueryClientProvider client={queryClient}>
        <StatisticsScopeBar search={search} years={[2570, 2569, 2568]} onChange={change} />
        <StatisticsScopeChips search={search} onChange={change} onClear={() => undefined} />
      </QueryClientProvider>
    )
  }
  render(<Harness />)
  return { onChange }
}
beforeAll(() => import('#src/ui/overlay/modal-panel.tsx'), 60_000)
afterEach(stopFakeNetwork)

test('the universe has two radio buttons, and all projects are the default', async () => {
  const { onChange } = setUp()
  expect(screen.getByRole('radio', { name: 'ทุกโครงการ' })).toBeChecked()
  await userEvent.click(screen.getByRole('radio', { name: /โครงการของเรา/ }))
  expect(onChange).toHaveBeenLastCalledWith({ scope: 'watch' })
  await userEvent.click(screen.getByRole('radio', { name: 'ทุกโครงการ' }))
  expect(onChange).toHaveBeenLastCalledWith({ scope: undefined })
})

test('choosing a first year after the last moves the last year too, so no scope is empty by mistake', async () => {
  const { onChange } = setUp({ year_from: 2568, year_to: 2568 })
  await chooseOption('ตั้งแต่ปีงบประมาณ', '2570')
  expect(onChange).toHaveBeenLastCalledWith({ year_from: 2570, year_to: 2570 })
  await chooseOption('ถึงปีงบประมาณ', '2569')
  expect(onChange).toHaveBeenLastCalledWith({ year_to: 2569, year_from: 2569 })
  await chooseOption('ตั้งแต่ปีงบประมาณ', 'ปีแรก')
  expect(onChange).toHaveBeenLastCalledWith({ year_from: undefined })
})

test('a year of the address that has no data is still shown', () => {
  setUp({ year_from: 2560 })
  expect(screen.getByRole('button', { name: 'ตั้งแต่ปีงบประมาณ 2560' })).toBeVisible()
})

test('a region can be ticked as a whole, is one chip, and lists its provinces', async () => {
  const { onChange } = setUp()
  await userEvent.click(screen.getByRole('button', { name: 'จังหวัด' }))
  const dialog = await screen.findByRole('dialog', { name: 'จังหวัด' })
  expect(within(dialog).getAllByRole('checkbox')).toHaveLength(6)
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'ภาคตะวันออก' }))
  const east = ['จันทบุรี', 'ฉะเชิงเทรา', 'ชลบุรี', 'ตราด', 'ปราจีนบุรี', 'ระยอง', 'สระแก้ว']
  expect(onChange).toHaveBeenLastCalledWith({ project_province__in: east })
  await userEvent.click(within(dialog).getByRole('button', { name: 'จังหวัดในภาคตะวันออก' }))
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'ตราด' }))
  expect(onChange).toHaveBeenLastCalledWith({ project_province__in: east.filter((name) => name !== 'ตราด') })
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'ตราด' }))
  await userEvent.click(screen.getByRole('button', { name: 'เอาตัวกรอง จังหวัด ภาคตะวันออก ออก' }))
  expect(onChange).toHaveBeenLastCalledWith({ project_province__in: undefined })
})

test('a keyword group switches the universe to our projects, and all projects removes it', async () => {
  queryClient.setQueryData(
    organisationQuery.queryKey,
    buildTestOrganisation({ keyword_groups: [{ id: 7, name: 'ความปลอดภัย' }] }),
  )
  const { onChange } = setUp()
  await userEvent.click(screen.getByRole('button', { name: 'กลุ่มคำ' }))
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'กลุ่มคำ' })).getByRole('checkbox', { name: 'ความปลอดภัย' }),
  )
  expect(onChange).toHaveBeenLastCalledWith({ keyword_group__in: ['7'], scope: 'watch' })
  expect(screen.getByRole('button', { name: 'เอาตัวกรอง กลุ่มคำ ความปลอดภัย ออก' })).toBeVisible()
  await userEvent.click(screen.getByRole('radio', { name: 'ทุกโครงการ' }))
  expect(screen.queryByRole('button', { name: /กลุ่มคำ ความปลอดภัย/ })).toBeNull()
  expect(screen.getByRole('radio', { name: 'ทุกโครงการ' })).toBeChecked()
})

test('departments are found by name, a shared name is one choice, and a chip removes it', async () => {
  const { onChange } = setUp()
  await userEvent.click(screen.getByRole('button', { name: 'หน่วยงาน' }))
  const dialog = await screen.findByRole('dialog', { name: 'หน่วยงาน' })
  expect(await within(dialog).findByRole('checkbox', { name: /กรมทางหลวง/ })).not.toBeChecked()
  await waitFor(() => expect(within(dialog).getByRole('textbox')).toHaveFocus())
  await userEvent.keyboard('ช่าง')
  const checkboxes = await within(dialog).findAllByRole('checkbox', { name: /กองช่าง/ })
  expect(checkboxes).toHaveLength(1)
  expect(within(dialog).getByText('ชื่อนี้มีใน 7 หน่วยงาน')).toBeInTheDocument()
  await userEvent.click(checkboxes[0]!)
  expect(onChange).toHaveBeenLastCalledWith({ project_dept_sub__in: ['กองช่าง'] })
  expect(screen.getByRole('button', { name: 'หน่วยงาน: กองช่าง' })).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'หน่วยงาน: กองช่าง' })).toHaveFocus())
  await userEvent.click(screen.getByRole('button', { name: 'เอาตัวกรอง หน่วยงาน กองช่าง ออก' }))
  expect(onChange).toHaveBeenLastCalledWith({ project_dept_sub__in: undefined })
})

test('an unknown method from the feed can be removed', async () => {
  const { onChange } = setUp({ project_method__in: ['วิธีใหม่', 'e_bidding'] })
  await userEvent.click(screen.getByRole('button', { name: 'วิธีจัดหา 2: วิธีใหม่, e-bidding' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'วิธีใหม่' }))
  expect(onChange).toHaveBeenLastCalledWith({ project_method__in: ['e_bidding'] })
})

test('on a phone all but the universe is in a sheet, whose button counts the filters', async () => {
  const { onChange } = setUp({ year_from: 2569, project_province__in: ['เลย'] }, { isWide: false })
  expect(screen.queryByLabelText('ตั้งแต่ปีงบประมาณ')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: /^ขอบเขต 2\s*ตัวกรองที่ใช้อยู่$/ }))
  const sheet = await screen.findByRole('dialog', { name: 'ขอบเขตของตัวเลข' })
  await userEvent.click(within(sheet).getByRole('checkbox', { name: 'ซื้อ' }))
  expect(onChange).toHaveBeenLastCalledWith({ project_method_type__in: ['buy'] })
})

const SCOPE: StatisticsScope = {
  universe: 'all',
  year_from: 2568,
  year_to: 2569,
  n: 214,
  coverage: { full: 50, names: 11, winner: 153 },
  computed_at: '2026-11-20T18:12:00.000Z',
}

test('the scope line shows universe, years, n, coverage and time, and marks unknown values', () => {
  const { rerender } = render(<StatisticsScopeLine scope={SCOPE} />)
  expect(screen.getByText(/ทุกโครงการ/)).toHaveTextContent(
    'ทุกโครงการ · ปีงบ 2568–2569 · จาก 214 โครงการ · รู้รายชื่อผู้ยื่นครบ 61 จาก 214 โครงการ · ข้อมูลถึง 21 พ.ย. 2569 01:12 น.',
  )
  rerender(
    <StatisticsScopeLine
      scope={{ ...SCOPE, universe: 'watch', year_to: 2568, coverage: { full: 0, names: 0, winner: 214 } }}
    />,
  )
  expect(screen.getByText(/โครงการของเรา/)).toHaveTextContent('ปีงบ 2568 · จาก 214 โครงการ · รู้เฉพาะผู้ชนะ')
  rerender(<StatisticsScopeLine scope={{ ...SCOPE, year_from: null, year_to: null, n: 0, computed_at: null }} />)
  expect(screen.getByText(/ทุกโครงการ/)).toHaveTextContent('ทุกโครงการ · ไม่มีโครงการ · ยังไม่ได้คำนวณ')
  rerender(<StatisticsScopeLine scope={{ ...SCOPE, amounts_in_doubt: 2 }} />)
  expect(screen.getByText(/ทุกโครงการ/)).toHaveTextContent(/01:12 น. · ไม่รวม 2 ราคาที่น่าสงสัย$/)
})

test('the coverage badge counts the projects whose bidders are known', () => {
  render(
    <>
      <StatisticsCoverageBadge coverage={{ full: 3, names: 1, winner: 4 }} />
      <StatisticsCoverageBadge coverage={{ full: 0, names: 0, winner: 9 }} />
    </>,
  )
  expect(screen.getByText('รู้ผู้ยื่น 4/8')).toBeInTheDocument()
  expect(screen.getByText('เฉพาะผู้ชนะ 9')).toBeInTheDocument()
})
