// Preloaded, because tests with fake timers cannot wait for code to load.
import '#src/api/http/ky-client.ts'
import { vi } from 'vitest'
import { buildLabelMetadata } from '#contract/account/label.ts'
import type { User } from '#contract/account/user.ts'
import { applyUserPatch } from '#contract/report/apply-user-patch.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, type Session, startSession } from '#src/lib/session-store.ts'

type FakeUserPatchRequest = {
  readonly patch: UserPatch
  readonly bearer: string | null
  readonly keepalive: boolean
  readonly prefers: string | null
  readonly key: string | null
  readonly accept: () => void
  readonly refuse: (status: number, body?: object) => void
  readonly lose: () => void
}

export function buildTestUser(change: Partial<User> = {}): User {
  return {
    id: '1',
    first_name: 'สมชาย',
    last_name: 'ใจดี',
    email: 'somchai@tharamek.example',
    role: 'member_user',
    is_send_report_email: true,
    is_noti_e_bidding: false,
    customize_report_table: [],
    project_bookmark: [],
    project_hidden: [],
    project_labels: [],
    project_label_assignments: {},
    project_save_filter_profile: [],
    notification_updated_status: { clickRead: false, notifications: [] },
    is_access_budget_year: null,
    label_metadata: buildLabelMetadata(20, change.project_labels?.length ?? 0),
    ...change,
  }
}

const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')

export function buildTestSession(userId = '1', turn = 1): Session {
  return {
    access: `${encode({ alg: 'HS256' })}.${encode({ sub: userId, org: '2', iat: 1000, exp: 2800, turn })}.x`,
    isDemo: false,
    receivedAtMs: Date.now(),
    expiresAtMs: Date.now() + 600_000,
  }
}

/**
 * Fakes the network for tests of marks: `/users/me` is in memory, and every PATCH stays pending until the test answers
 * it unless `answersAtOnce`. Signs in a user whose account is cached. Other requests return `{}`.
 */
export function startFakeUserApi(user: User, answersAtOnce = false) {
  const patches: FakeUserPatchRequest[] = []
  const paths: string[] = []
  const api = { user, patches, paths, answersAtOnce, pendingReads: undefined as (() => void)[] | undefined }

  const patched = (request: Request, patch: UserPatch) =>
    new Promise<Response>((resolve, reject) => {
      const fakePatch: FakeUserPatchRequest = {
        patch,
        bearer: request.headers.get('authorization'),
        keepalive: request.keepalive,
        prefers: request.headers.get('prefer'),
        key: request.headers.get('idempotency-key'),
        accept: () => {
          api.user = applyUserPatch(api.user, patch)
          const isMinimal = fakePatch.prefers === 'return=minimal'
          resolve(isMinimal ? new Response(null, { status: 204 }) : Response.json(api.user))
        },
        refuse: (status, body = { code: 'internal' }) => resolve(Response.json(body, { status })),
        lose: () => reject(new TypeError('Failed to fetch')),
      }
      patches.push(fakePatch)
      if (api.answersAtOnce) fakePatch.accept()
    })
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init)
    // Like a browser, send nothing for a request that is already aborted, which may belong to the previous test.
    if (request.signal.aborted) throw request.signal.reason
    const path = new URL(request.url).pathname.replace('/api/v2/', '')
    paths.push(`${request.method} ${path}`)
    if (path !== 'users/me') return Response.json({})
    if (request.method === 'PATCH') return patched(request, (await request.json()) as UserPatch)
    const now = Response.json(api.user)
    const { pendingReads } = api
    if (!pendingReads) return now
    return new Promise<Response>((resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason))
      pendingReads.push(() => resolve(now))
    })
  })
  hangUp = () => {
    for (const patch of patches) patch.lose()
  }
  localStorage.clear()
  startSession(buildTestSession(user.id))
  queryClient.setQueryData(userKeys.me, user)
  return api
}

let hangUp = () => {}

/** Ends the session and aborts all requests. Call it after each test. */
export function stopFakeUserApi(): void {
  // Switch the user first, or pending changes would be sent at the same user's next login.
  startSession(buildTestSession('nobody'))
  hangUp()
  endSession('logout')
  queryClient.clear()
  vi.unstubAllGlobals()
}
