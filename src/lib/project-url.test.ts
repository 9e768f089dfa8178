import { expect, test } from 'vitest'
import { formatProjectPageSearch, getProjectHref, parseProjectPageSearch } from './project-url.ts'

test('the address keeps the list that a project was opened from, without page and panel', () => {
  const from = { project_name__in: 'กล้อง##วงจรปิด', is_archived: true, page: 3, peek: '69119000002' } as const
  const read = parseProjectPageSearch(formatProjectPageSearch({ from, tab: 'bidders' }))
  expect(read).toEqual({ tab: 'bidders', from: { project_name__in: 'กล้อง##วงจรปิด', is_archived: true } })
})

test('distinguishes the unfiltered report from no list', () => {
  expect(parseProjectPageSearch(formatProjectPageSearch({ from: {} }))).toEqual({ from: {} })
  expect(parseProjectPageSearch(formatProjectPageSearch({}))).toEqual({})
})

test('an unreadable address still opens the project', () => {
  expect(parseProjectPageSearch({ tab: 'nowhere', from: 7 })).toEqual({})
  expect(parseProjectPageSearch({ from: 'project_budget__range=x&is_archived=true' })).toEqual({
    from: { is_archived: true },
  })
})

test('the link is a plain path that the browser can open', () => {
  expect(getProjectHref('69119000001')).toBe('/report/69119000001')
  expect(getProjectHref('69119000001', { from: { is_archived: true } })).toBe(
    '/report/69119000001?from=is_archived%3Dtrue',
  )
})
