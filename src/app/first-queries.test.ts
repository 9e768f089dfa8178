import { createMemoryHistory } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { createAppRouter } from './router.ts'

const FIRST = [
  ['/report?project_status__in=in_progress&peek=69119000001', ['projects', 'projects/facets']],
  ['/report?project_province__in=ระยอง', ['projects', 'projects/facets']],
  ['/report/69119000001', ['projects/69119000001']],
  ['/report/69119000001/documents/one', ['documents/one/file', 'documents/one']],
  ['/s/0123456789', ['short-links/0123456789']],
  ['/board?due=7', ['pursuits', 'pursuits/settings']],
  ['/calendar?view=agenda', ['calendar']],
  ['/results?by=word', ['results']],
  ['/watch', ['organisations/me/keyword-stats']],
  ['/watch?tab=hidden', ['organisations/me/keyword-stats', 'organisations/me/hidden']],
  ['/companies?page=2', ['companies', 'company-winners']],
  ['/companies/%E0%B8%81', ['companies/%E0%B8%81']],
  ['/companies/a/b', ['companies/a~2Fb']],
  ['/agencies/0800?year_from=2568', ['agencies/0800']],
  ['/company-comparison', ['company-comparison/pairs']],
  ['/company-comparison?project_winner_name__in=a||b', ['company-comparison']],
  ['/budget', ['budgets/years']],
  ['/logs?page=2', ['organisations/me/logs']],
] as const
const ACCOUNT = ['users/me', 'organisations/me']

let network: ReturnType<typeof startFakeNetwork>

/** Returns a router whose page code loads when `code` resolves; by default the code never loads. */
function routerWithoutPages(address: string, code: Promise<void> = new Promise(() => undefined)) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  for (const { options } of Object.values(router.routesById)) {
    const component = options.component as { preload?: () => Promise<void> } | undefined
    if (component?.preload) vi.spyOn(component, 'preload').mockReturnValue(code)
  }
  return router
}
const pathsBesidesAccount = () => network.asked.map(({ path }) => path).filter((path) => !ACCOUNT.includes(path))

beforeEach(() => startSession(buildTestSession('1')))
afterEach(() => {
  stopFakeNetwork()
  endSession('logout')
  vi.restoreAllMocks()
})

test.each(FIRST)('%s sends its first queries while its code loads', async (address, paths) => {
  network = startFakeNetwork(accountAt(address))
  void routerWithoutPages(address).load()
  await vi.waitFor(() => expect(pathsBesidesAccount()).toEqual(paths), { timeout: 10_000 })
})

test("limits the first query to the provinces of the organisation's package", async () => {
  network = startFakeNetwork(accountAt('/report'))
  void routerWithoutPages('/report?project_province__in=ระยอง||น่าน').load()
  await vi.waitFor(() => expect(pathsBesidesAccount()).toEqual(['projects', 'projects/facets']), { timeout: 10_000 })
  expect(network.to('projects')[0]!.query.get('project_province__in')).toBe('ระยอง')
})

test('preloading a link loads code but queries nothing', async () => {
  network = startFakeNetwork(accountAt('/report'))
  const router = routerWithoutPages('/report', Promise.resolve())
  await router.preloadRoute({ to: '/report/$id', params: { id: '69119000001' } })
  expect(pathsBesidesAccount()).toEqual([])
  await router.navigate({ to: '/report/$id', params: { id: '69119000001' } })
  await vi.waitFor(() => expect(pathsBesidesAccount()).toEqual(['projects/69119000001']), { timeout: 10_000 })
})

/** Returns account responses for a path. Only an organisation with an unfinished set-up may open /group-watch. */
function accountAt(address: string) {
  const user = buildTestUser({ role: 'super_user' })
  const organisation = buildTestOrganisation({
    register_status: { is_register_completed: true, is_watchlist_completed: address !== '/group-watch' },
    is_company_compare: true,
  })
  return ({ path }: { readonly path: string }) =>
    path === 'users/me' ? user : path === 'organisations/me' ? organisation : undefined
}
