import { describe, expect, test } from 'vitest'
import { APP_SCREENS, type AppScreenPath } from '#contract/screen.ts'
import { decideRoute, type LoadedAccount, type RouteDecision, type RouteVisitor } from './route-guard.ts'

type Flags = Partial<LoadedAccount['organisation']> &
  Partial<LoadedAccount['user']> & { completed?: boolean; watchList?: boolean }

function anAccount({
  completed = true,
  watchList = true,
  role = 'member_user',
  is_access_budget_year = true,
  ...flags
}: Flags = {}): LoadedAccount {
  return {
    user: { role, is_access_budget_year: null },
    organisation: {
      is_access_budget_year: is_access_budget_year === true,
      is_access_budget_year_only: false,
      is_company_compare: true,
      is_access_company_comparison: true,
      register_status: { is_register_completed: completed, is_watchlist_completed: watchList },
      ...flags,
    },
  }
}
const stay: RouteDecision = { go: 'stay' }
const redirect = (to: AppScreenPath): RouteDecision => ({ go: 'redirect', to })

const LOGIN_SCREENS = APP_SCREENS.filter(({ needsLogin }) => needsLogin).map(({ path }) => path)
const all = (to: AppScreenPath, except: readonly AppScreenPath[] = []) =>
  Object.fromEntries(LOGIN_SCREENS.filter((path) => path !== to && !except.includes(path)).map((path) => [path, to]))
const NO_LOGS = { '/logs': '/report' } as const
const NO_COMPANIES = { '/companies': '/report', '/companies/{name}': '/report', '/agencies/{code}': '/report' } as const

/** Redirects of all fifteen paths for each set of flags; paths that are not listed are allowed. */
const TRUTH: readonly { flags: Flags; leads: Partial<Record<AppScreenPath, AppScreenPath>> }[] = [
  { flags: { role: 'super_user' }, leads: {} },
  // Operators may only open /operation (R61), even while the organisation's set-up is incomplete.
  { flags: { role: 'operator', watchList: false }, leads: all('/operation', ['/operation/{part}']) },
  { flags: {}, leads: NO_LOGS },
  { flags: { is_access_budget_year: false }, leads: { ...NO_LOGS, '/budget': '/report' } },
  { flags: { is_company_compare: false }, leads: { ...NO_LOGS, ...NO_COMPANIES } },
  { flags: { is_access_company_comparison: false }, leads: { ...NO_LOGS, '/company-comparison': '/report' } },
  {
    flags: { is_access_budget_year: false, is_company_compare: false, is_access_company_comparison: false },
    leads: { ...NO_LOGS, ...NO_COMPANIES, '/budget': '/report', '/company-comparison': '/report' },
  },
  {
    flags: { role: 'super_user', is_company_compare: false, is_access_company_comparison: false },
    leads: { ...NO_COMPANIES, '/company-comparison': '/report' },
  },
  {
    flags: {
      is_access_budget_year_only: true,
      is_access_budget_year: false,
      is_company_compare: false,
      is_access_company_comparison: false,
    },
    leads: { ...all('/budget', ['/settings']), ...NO_LOGS },
  },
  { flags: { is_access_budget_year_only: true, role: 'super_user' }, leads: all('/budget', ['/settings']) },
  { flags: { watchList: false, role: 'super_user', is_access_budget_year_only: true }, leads: all('/group-watch') },
  {
    flags: { completed: false, watchList: false, is_access_budget_year: false, role: 'super_user' },
    leads: { '/budget': '/report' },
  },
]

describe('the route guard', () => {
  const rows: [step: string, path: string, visitor: RouteVisitor, decision: RouteDecision][] = [
    ['2: signed out goes to /login', '/report', 'signed-out', redirect('/login')],
    ['2: also from a detail page', '/report/69119284417', 'signed-out', redirect('/login')],
    ['2: also with a trailing slash', '/report/', 'signed-out', redirect('/login')],
    ['2: screens without login stay', '/login', 'signed-out', stay],
    ['2: a reset link stays', '/reset-password/abc', 'signed-out', stay],
    ['2: an unknown path stays', '/nowhere', 'signed-out', stay],
    ['3: signed in loads the account', '/report', 'signed-in', { go: 'load-account' }],
    ['3: not for screens without login', '/login', 'signed-in', stay],
    ['4: unfinished watch list', '/report', anAccount({ watchList: false }), redirect('/group-watch')],
    ['4: its own target stays', '/group-watch', anAccount({ watchList: false }), stay],
    ['4: not before registration is complete', '/report', anAccount({ completed: false, watchList: false }), stay],
    ['4: a finished set-up may return to it', '/group-watch', anAccount(), stay],
    ['4 comes before 5', '/logs', anAccount({ watchList: false }), redirect('/group-watch')],
    ['5: logs for a member', '/logs', anAccount(), redirect('/report')],
    ['5: logs for an unknown role', '/logs', anAccount({ role: 'owner' }), redirect('/report')],
    ['5: logs for a super user', '/logs', anAccount({ role: 'super_user' }), stay],
    [
      '6: budget only leaves the report',
      '/report',
      anAccount({ is_access_budget_year_only: true }),
      redirect('/budget'),
    ],
    [
      '6: budget only leaves companies',
      '/companies',
      anAccount({ is_access_budget_year_only: true }),
      redirect('/budget'),
    ],
    [
      '6: budget only keeps budget',
      '/budget',
      anAccount({ is_access_budget_year_only: true, is_access_budget_year: false }),
      stay,
    ],
    ['6: budget only keeps settings', '/settings', anAccount({ is_access_budget_year_only: true }), stay],
    [
      '6: an unfinished set-up stays in it',
      '/group-watch',
      anAccount({ is_access_budget_year_only: true, watchList: false }),
      stay,
    ],
    [
      '6: a finished one leaves it',
      '/group-watch',
      anAccount({ is_access_budget_year_only: true }),
      redirect('/budget'),
    ],
    ['5 comes before 6', '/logs', anAccount({ is_access_budget_year_only: true }), redirect('/report')],
    ['7: no budget-year access', '/budget', anAccount({ is_access_budget_year: false }), redirect('/report')],
    ['7: with access', '/budget', anAccount(), stay],
    ['8: companies without the flag', '/companies', anAccount({ is_company_compare: false }), redirect('/report')],
    [
      '8: company detail without the flag',
      '/companies/บจก.%20ก',
      anAccount({ is_company_compare: false }),
      redirect('/report'),
    ],
    [
      '8: also where the slashes of a name were decoded on the way',
      '/companies/บจก. ก/ข',
      anAccount({ is_company_compare: false }),
      redirect('/report'),
    ],
    ['8: with the flag', '/companies/บจก.%20ก', anAccount(), stay],
    [
      '9: comparison without the flag',
      '/company-comparison',
      anAccount({ is_access_company_comparison: false }),
      redirect('/report'),
    ],
    ['9: with the flag', '/company-comparison', anAccount(), stay],
    ['report is open to every account', '/report', anAccount(), stay],
  ]
  test.each(rows)('%s', (_step, path, visitor, decision) => {
    expect(decideRoute(path, visitor)).toEqual(decision)
  })

  test.each(TRUTH)('with $flags', ({ flags, leads }) => {
    const account = anAccount(flags)
    const decided = Object.fromEntries(
      APP_SCREENS.map(({ path }) => {
        const decision = decideRoute(path.replace(/\{\w+\}/, 'x'), account)
        return [path, decision.go === 'redirect' ? decision.to : decision.go]
      }),
    )
    const open = Object.fromEntries(APP_SCREENS.map(({ path }) => [path, 'stay']))
    expect(decided).toEqual({ ...open, ...leads })
  })

  // The fiscal years of the package do not affect access; without any year the page shows a message (D14).
  test.each([
    ['only', true, true, null, stay],
    ['only', true, true, true, stay],
    ['only', true, true, false, stay],
    ['only, its general flag off', true, false, null, stay],
    ['only, its general flag off', true, false, false, stay],
    ['yes', false, true, null, stay],
    ['yes', false, true, true, stay],
    ['yes', false, true, false, redirect('/report')],
    ['no', false, false, null, redirect('/report')],
    ['no', false, false, true, redirect('/report')],
    ['no', false, false, false, redirect('/report')],
  ] as const)('budget %s (only %s, flag %s) and the user’s own flag %s', (_name, only, budget, userFlag, decision) => {
    const account = anAccount({ is_access_budget_year_only: only, is_access_budget_year: budget })
    const visitor = { ...account, user: { ...account.user, is_access_budget_year: userFlag } }
    expect(decideRoute('/budget', visitor)).toEqual(decision)
  })

  test('never redirects in a circle, whatever the flags', () => {
    const flags = [true, false]
    for (const completed of flags)
      for (const watchList of flags)
        for (const only of flags)
          for (const budget of flags)
            for (const companies of flags)
              for (const role of ['member_user', 'super_user'])
                for (const { path } of APP_SCREENS) {
                  const account = anAccount({
                    completed,
                    watchList,
                    role,
                    is_access_budget_year_only: only,
                    is_access_budget_year: budget,
                    is_company_compare: companies,
                    is_access_company_comparison: companies,
                  })
                  let at: string = path
                  let hops = 0
                  for (let next = decideRoute(at, account); next.go === 'redirect'; next = decideRoute(at, account)) {
                    at = next.to
                    hops += 1
                    expect(hops, `${path} with ${JSON.stringify(account)}`).toBeLessThan(4)
                  }
                }
  })
})
