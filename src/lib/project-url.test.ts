import { expect, test } from 'vitest'
import { formatProjectPageSearch, getProjectHref, parseProjectPageSearch } from './project-url.ts'

test('the address keeps the list that a project was opened from, without page and panel', () => {
  const from = { project_name__in: 'กล้อง##วงจรปิด', is_archived: true, page: 3, peek: '69119000002' } as const
  const { search } = parseProjectPageSearch(formatProjectPageSearch({ from, tab: 'bidders' }))
  expect(search).toEqual({ tab: 'bidders', from: { project_name__in: 'กล้อง##วงจรปิด', is_archived: true } })
})

test('distinguishes the unfiltered report from no list', () => {
  expect(parseProjectPageSearch(formatProjectPageSearch({ from: {} })).search).toEqual({ from: {} })
  expect(parseProjectPageSearch(formatProjectPageSearch({})).search).toEqual({})
})

test('an unreadable address still opens the project', () => {
  expect(parseProjectPageSearch({ tab: 'nowhere' }).search).toEqual({})
  expect(parseProjectPageSearch({ from: 'project_budget__range=x&is_archived=true' }).search).toEqual({
    from: { is_archived: true },
  })
})

test('the link is a plain path that the browser can open', () => {
  expect(getProjectHref('69119000001')).toBe('/report/69119000001')
  expect(getProjectHref('69119000001', { from: { is_archived: true } })).toBe(
    '/report/69119000001?from=is_archived%3Dtrue',
  )
})
