import { createMemoryHistory } from '@tanstack/react-router'
import { render, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

// Loading the page code takes seconds on a busy machine.
export const CODE_LOAD_WAIT_OPTIONS = { timeout: 15_000 }

/** Renders the operator screens with GET responses mocked by path. All other requests stay pending until answered. */
export function renderTestOperationScreens(answers: () => Readonly<Record<string, object | undefined>>) {
  let network: ReturnType<typeof startFakeNetwork>
  beforeAll(async () => {
    await Promise.all([import('#src/routes/operation-screen.tsx')])
  }, 60_000)
  beforeEach(() => {
    network = startFakeNetwork(({ path, method }) => {
      if (path === 'users/me') return { ...buildTestUser(), role: 'operator' }
      if (path === 'organisations/me') return buildTestOrganisation()
      return method === 'GET' ? answers()[path] : undefined
    })
    startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
  })
  afterEach(() => {
    endSession('logout')
    stopFakeNetwork()
  })
  return {
    async open(address: string) {
      const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
      render(<App router={router} />)
      await waitFor(() => expect(document.querySelector('h1')).not.toBeNull(), CODE_LOAD_WAIT_OPTIONS)
      return router
    },
    sent: (path: string) => network.to(path).filter(({ method }) => method !== 'GET'),
  }
}
