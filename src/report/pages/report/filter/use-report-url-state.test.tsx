import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useSearch,
} from '@tanstack/react-router'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { formatQueryString, parseQueryString } from '#src/lib/flat-search-params.ts'
import { reportSearchOptions } from '#src/lib/report-url.ts'
import { useReportUrlState } from './use-report-url-state.ts'

test('shows a change before the router has navigated, and follows Back at once', async () => {
  let inAddress: object | undefined
  let resolveNavigation: (() => void) | undefined
  const root = createRootRoute()
  const app = createRoute({
    getParentRoute: () => root,
    id: '_app',
    beforeLoad: ({ search }) =>
      'check_sme' in search ? new Promise<void>((resolve) => (resolveNavigation = resolve)) : undefined,
  })
  const report = createRoute({
    getParentRoute: () => app,
    path: '/report',
    ...reportSearchOptions,
    component: function Filters() {
      const { search, change } = useReportUrlState()
      inAddress = useSearch({ strict: false })
      return (
        <button type="button" onClick={() => change({ check_sme: true })}>
          {JSON.stringify(search)}
        </button>
      )
    },
  })
  const router = createRouter({
    routeTree: root.addChildren([app.addChildren([report])]),
    history: createMemoryHistory({ initialEntries: ['/report?project_bookmark=true&page=3'] }),
    parseSearch: parseQueryString,
    stringifySearch: formatQueryString,
  })
  await router.load()
  render(<RouterProvider router={router as never} />)

  const button = await screen.findByRole('button')
  const next = { project_bookmark: true, check_sme: true }
  expect(JSON.parse(button.textContent)).toEqual({ project_bookmark: true, page: 3 })
  fireEvent.click(button)
  expect(JSON.parse(button.textContent)).toEqual(next)
  expect(inAddress).toEqual({ project_bookmark: true, page: 3 })
  await vi.waitFor(() => resolveNavigation!())
  await vi.waitFor(() => expect(inAddress).toEqual({ project_bookmark: true, check_sme: true }))
  expect(JSON.parse(button.textContent)).toEqual(next)

  await act(async () => router.history.back())
  await vi.waitFor(() => expect(JSON.parse(button.textContent)).toEqual({ project_bookmark: true, page: 3 }))

  // The same holds before the router has rendered the entry that Back leaves; for the router the address never changed.
  resolveNavigation = undefined
  fireEvent.click(button)
  expect(JSON.parse(button.textContent)).toEqual(next)
  await vi.waitFor(() => expect(resolveNavigation).toBeDefined())
  await act(async () => router.history.back())
  await vi.waitFor(() => expect(JSON.parse(button.textContent)).toEqual({ project_bookmark: true, page: 3 }))
  await act(async () => resolveNavigation!())
  expect(JSON.parse(button.textContent)).toEqual({ project_bookmark: true, page: 3 })
})
