import { createMemoryHistory } from '@tanstack/react-router'
import { render, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { startNetwork, stopNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { organisationForTests } from '#src/matching/api/organisation-for-tests.ts'
import { sessionForTests, userForTests } from '#src/report/api/user-api-for-tests.ts'

// Loading the code takes seconds on a busy machine.
export const ARRIVES = { timeout: 15_000 }

/** Operator screens with mocked GET responses by path. All other requests stay pending until answered. */
export function operationForTests(answers: () => Readonly<Record<string, object | undefined>>) {
  let network: ReturnType<typeof startNetwork>
  beforeAll(async () => {
    await Promise.all([import('#src/routes/operation-screen.tsx')])
  }, 60_000)
  beforeEach(() => {
    network = startNetwork(({ path, method }) => {
      if (path === 'users/me') return { ...userForTests(), role: 'operator' }
      if (path === 'organisations/me') return organisationForTests()
      return method === 'GET' ? answers()[path] : undefined
    })
    startSession({ ...sessionForTests(), receivedAtMs: 1_000_000 })
  })
  afterEach(() => {
    endSession('logout')
    stopNetwork()
  })
  return {
    async open(address: string) {
      const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
      render(<App router={router} />)
      await waitFor(() => expect(document.querySelector('h1')).not.toBeNull(), ARRIVES)
      return router
    },
    sent: (path: string) => network.to(path).filter(({ method }) => method !== 'GET'),
  }
}
