import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { formatQueryString, parseQueryString } from '#src/lib/flat-search-params.ts'
import { getNavEntries } from './nav-entries.ts'
import { OurWorkTabs } from './our-work-tabs.tsx'
import { PhoneBar } from './phone-bar.tsx'

const ORGANISATION = {
  is_access_budget_year_only: false,
  is_access_budget_year: true,
  is_company_compare: true,
  is_access_company_comparison: true,
  register_status: { is_register_completed: true, is_watchlist_completed: true },
}

async function openAt(address: string, organisation = ORGANISATION) {
  const entries = getNavEntries({
    user: { role: 'member_user', is_access_budget_year: null, project_save_filter_profile: [] },
    organisation,
    isDemo: false,
  })
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '$',
    component: () => (
      <>
        <OurWorkTabs />
        <PhoneBar entries={entries}>
          <button type="button">ค้นหา</button>
        </PhoneBar>
      </>
    ),
  })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: parseQueryString,
    stringifySearch: formatQueryString,
  })
  await router.load()
  // The router type registered globally is the app's, so cast the test's router.
  render(<RouterProvider router={router as never} />)
}
const linksOf = (name: string) =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => `${link.getAttribute('aria-current') === 'page' ? '*' : ''}${link.textContent}`)

test.each([
  ['/board', ['*บอร์ด', 'ปฏิทิน', 'ติดดาว', 'ผลงาน']],
  ['/calendar?view=week', ['บอร์ด', '*ปฏิทิน', 'ติดดาว', 'ผลงาน']],
  ['/report?project_bookmark=true', ['บอร์ด', 'ปฏิทิน', '*ติดดาว', 'ผลงาน']],
  ['/results', ['บอร์ด', 'ปฏิทิน', 'ติดดาว', '*ผลงาน']],
])('%s has the tabs %o', async (address, tabs) => {
  await openAt(address)
  expect(linksOf('งานของเรา')).toEqual(tabs)
  expect(linksOf('เมนูลัด')).toEqual(['รายงาน', '*งานของเรา'])
})

test('the report has no such tabs, and is current in the bar of the phone', async () => {
  await openAt('/report')
  expect(screen.queryByRole('navigation', { name: 'งานของเรา' })).toBeNull()
  expect(linksOf('เมนูลัด')).toEqual(['*รายงาน', 'งานของเรา'])
})

test('ติดดาว opens the starred report', async () => {
  await openAt('/board')
  expect(screen.getByRole('link', { name: 'ติดดาว' })).toHaveAttribute('href', '/report?project_bookmark=true')
})

test('the bar of a budget-only account has only the budget, next to the buttons', async () => {
  await openAt('/budget', { ...ORGANISATION, is_access_budget_year_only: true })
  expect(linksOf('เมนูลัด')).toEqual(['*งบประมาณ'])
  expect(screen.getByRole('button', { name: 'ค้นหา' })).toBeInTheDocument()
})
