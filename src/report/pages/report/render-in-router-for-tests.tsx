import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'

/** Draws something that holds links, at an address of its own; settled once it is on the screen. */
export async function renderInRouter(content: ReactNode): Promise<void> {
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path: '/', component: () => content })
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() })
  await router.load()
  // The one router type that the product registers is another.
  render(<RouterProvider router={router as never} />)
}
