import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { formatQueryString, parseQueryString } from '#src/lib/flat-search-params.ts'
import { reportSearchOptions } from '#src/lib/report-url.ts'

/** Renders content in a router whose links to /report are those of the app. */
export async function renderInRouter(content: ReactNode): Promise<void> {
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path: '/', component: () => content })
  const report = createRoute({ getParentRoute: () => root, path: '/report', ...reportSearchOptions })
  const router = createRouter({
    routeTree: root.addChildren([page, report]),
    history: createMemoryHistory(),
    parseSearch: parseQueryString,
    stringifySearch: formatQueryString,
  })
  await router.load()
  // The router type registered globally is the app's, so cast the test's router.
  render(<RouterProvider router={router as never} />)
}
