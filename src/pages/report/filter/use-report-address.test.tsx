import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { flatSearch, parseSearchText, printSearchText } from '#src/lib/search-text.ts'
import { useReportAddress } from './use-report-address.ts'

test('a press asks for the next search at once, while the router is still at its guards; the address follows', async () => {
  const ask = vi.fn<(search: ReportSearch) => void>()
  let letThrough: (() => void) | undefined
  const root = createRootRoute()
  const app = createRoute({
    getParentRoute: () => root,
    id: '_app',
    beforeLoad: ({ search }) =>
      'check_sme' in search ? new Promise<void>((resolve) => (letThrough = resolve)) : undefined,
  })
  const report = createRoute({
    getParentRoute: () => app,
    path: '/report',
    validateSearch: (raw: Record<string, unknown>) => flatSearch(raw),
    component: function Filters() {
      const { search, change } = useReportAddress(ask)
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
    parseSearch: parseSearchText,
    stringifySearch: printSearchText,
  })
  await router.load()
  render(<RouterProvider router={router as never} />)

  fireEvent.click(await screen.findByRole('button'))
  const next = { project_bookmark: true, check_sme: true }
  expect(ask).toHaveBeenCalledExactlyOnceWith(next)
  expect(screen.getByRole('button')).toHaveTextContent('{"project_bookmark":true,"page":3}')
  await vi.waitFor(() => letThrough!())
  await vi.waitFor(() => expect(JSON.parse(screen.getByRole('button').textContent)).toEqual(next))
  expect(ask).toHaveBeenCalledOnce()
})
