import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { reportPageQuery } from '#src/report/api/reports.ts'
import { reportPage } from '../../../../test/report-page.ts'
import { useDeferredUntilRows } from './use-report-result.ts'

const ALL: ReportSearch = {}
const SME: ReportSearch = { check_sme: true }

let answer: (response: Response) => void

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)))
  queryClient.setQueryData(reportPageQuery(ALL).queryKey, reportPage())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  queryClient.clear()
})

function goTo(next: ReportSearch) {
  const drawn: ReportSearch[] = []
  const show = ({ search }: { search: ReportSearch }) => {
    const displayed = useDeferredUntilRows(search, search)
    drawn.push(displayed)
    return displayed
  }
  const view = renderHook(show, { initialProps: { search: ALL } })
  view.rerender({ search: next })
  return { view, drawn }
}

test('keeps the current result until the next rows arrive, and renders once with them', async () => {
  const { view, drawn } = goTo(SME)
  expect(view.result.current).toBe(ALL)
  const before = drawn.length
  await act(async () => {
    await vi.waitFor(() => expect(answer).toBeTypeOf('function'))
    answer(Response.json(reportPage({ total_project: 3 })))
    await vi.waitFor(() => expect(queryClient.getQueryData(reportPageQuery(SME).queryKey)).toBeDefined())
  })
  expect(view.result.current).toBe(SME)
  expect(drawn.slice(before)).toEqual([SME])
})

test('does not wait for slow rows', () => {
  const { view } = goTo(SME)
  act(() => void vi.advanceTimersByTime(59))
  expect(view.result.current).toBe(ALL)
  act(() => void vi.advanceTimersByTime(1))
  expect(view.result.current).toBe(SME)
})

test('shows a search with cached rows at once', () => {
  queryClient.setQueryData(reportPageQuery(SME).queryKey, reportPage())
  expect(goTo(SME).view.result.current).toBe(SME)
})
