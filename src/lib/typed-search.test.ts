import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { formatCompanySearch, parseCompanySearch } from '#contract/market/company-params.ts'
import { formatBoardSearch, parseBoardSearch } from '#contract/team/board.ts'
import { formatQueryString, parseQueryString } from './flat-search-params.ts'
import { pickSearch, typedSearch } from './typed-search.ts'

async function open(address: string) {
  const root = createRootRoute()
  const companies = createRoute({
    getParentRoute: () => root,
    path: '/companies',
    ...typedSearch(parseCompanySearch, formatCompanySearch),
  })
  const board = createRoute({
    getParentRoute: () => root,
    path: '/board',
    ...typedSearch(parseBoardSearch, formatBoardSearch),
  })
  const router = createRouter({
    routeTree: root.addChildren([companies, board]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: parseQueryString,
    stringifySearch: formatQueryString,
    search: { strict: true },
  })
  await router.load()
  const getSearch = () => router.state.matches.at(-1)!.search as object
  return { router, getSearch, getHref: () => router.state.location.href }
}

test('parses a pasted address into types, and reports what it cannot use', async () => {
  const { getSearch } = await open(
    '/companies?page=1&check_sme=true&year_from=2568&company_value__range=5,&page_size=7&utm=x&ignored=y',
  )
  expect(pickSearch(getSearch())).toEqual({
    check_sme: true,
    year_from: 2568,
    company_value__range: { min: 5, max: null },
  })
  expect(getSearch()).toMatchObject({
    page: undefined,
    page_size: undefined,
    ignored: [
      { name: 'page_size', value: '7', reason: 'invalid' },
      { name: 'utm', value: 'x', reason: 'unknown' },
      { name: 'ignored', value: 'y', reason: 'unknown' },
    ],
  })
})

test('prints a typed search in the order of the catalogue, without defaults, and ignored parameters last', async () => {
  const { router, getHref, getSearch } = await open('/companies')
  const search = {
    ignored: [{ name: 'utm', value: 'x', reason: 'unknown' }],
    page: 1,
    us: '00105556012345',
    project_winner_name__in: ['ก', '00105556012345'],
    year_from: 2568,
  } as const
  const address = `/companies?${new URLSearchParams({ project_winner_name__in: 'ก||00105556012345', year_from: '2568', us: '00105556012345', utm: 'x' })}`
  expect(router.buildLocation({ to: '/companies', search }).href).toBe(address)
  await router.navigate({ to: '/companies', search })
  expect(getHref()).toBe(address)
  expect(pickSearch(getSearch())).toEqual({
    project_winner_name__in: ['ก', '00105556012345'],
    year_from: 2568,
    us: '00105556012345',
  })
})

test('a change of the current search brings back no text of the previous address', async () => {
  const { router, getHref, getSearch } = await open('/board?project_bookmark=true&owner=7&due=14&utm=x')
  expect(getSearch()).toMatchObject({ owner: ['7'], due: '14', report: { project_bookmark: true } })
  await router.navigate({ to: '/board', search: (current) => ({ ...current, due: '7' }) })
  expect(getHref()).toBe('/board?project_bookmark=true&owner=7&due=7&utm=x')
  await router.navigate({ to: '/board', search: (current) => ({ ...pickSearch(current), report: undefined }) })
  expect(getHref()).toBe('/board?owner=7&due=7')
})

test('an equal search keeps its identity across navigations', async () => {
  const { router, getSearch } = await open('/board?owner=7&due=14')
  const { owner } = getSearch() as { owner: unknown }
  await router.navigate({ to: '/board', search: { owner: ['7'], due: '7' } })
  expect((getSearch() as { owner: unknown }).owner).toBe(owner)
})
