import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'

export async function renderInRouter(content: ReactNode): Promise<void> {
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path: '/', component: () => content })
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() })
  await router.load()
  // The router type registered globally is the app's, so cast the test's router.
  render(<RouterProvider router={router as never} />)
}
