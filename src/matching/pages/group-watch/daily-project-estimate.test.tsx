import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { KeywordPreview } from '#contract/matching/keyword-impact.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { DailyProjectEstimate } from './watch-list-setup-page.tsx'
import { createWatchListSetupDraft } from './watch-list-setup-draft.ts'

const organisation = buildTestOrganisation({ include: [], ai_include: [], deptsub_include: [] })
const STARTERS = {
  groups: [{ business_type_id: 21, name: 'กล้อง', include: ['กล้องวงจรปิด'], ai_include: [], exclude: [] }],
}
const preview = (patch: Partial<KeywordPreview>): KeywordPreview => ({
  days: 30,
  looked_at: 900,
  before: 0,
  after: 0,
  added: 0,
  removed: 0,
  per_working_day: 0,
  level: 'good',
  added_samples: [],
  removed_samples: [],
  after_samples: [],
  traps: [],
  overlaps: [],
  conflicts: [],
  ...patch,
})

let network: ReturnType<typeof startFakeNetwork>
beforeEach(() => {
  network = startFakeNetwork()
})
afterEach(() => {
  cleanup()
  stopFakeNetwork()
  queryClient.clear()
})

const figure = (types: readonly number[]) => (
  <QueryClientProvider client={queryClient}>
    <DailyProjectEstimate draft={createWatchListSetupDraft(types)} organisation={organisation} isByTypes />
  </QueryClientProvider>
)
async function waitForRequest(path: string, count = 1) {
  await waitFor(() => expect(network.to(path)).toHaveLength(count))
  return network.to(path).at(-1)!
}

test('shows the daily count for the chosen types, and nothing before it is known', async () => {
  const { rerender, container } = render(figure([]))
  expect(network.asked).toEqual([])
  rerender(figure([21]))
  const words = await waitForRequest('organisations/starter-words')
  await act(async () => words.answer(STARTERS))
  const question = await waitForRequest('organisations/me/keywords/preview')
  expect(question.body).toMatchObject({ add: { include: ['กล้องวงจรปิด'] } })
  expect(container).toHaveTextContent(/^$/)
  await act(async () => question.answer(preview({ per_working_day: 24.3 })))
  await waitFor(() => expect(container).toHaveTextContent('ราว 24 โครงการต่อวันทำการ'))
  rerender(figure([]))
  expect(container).toHaveTextContent(/^$/)
})

test('shows nothing when there was no project to count', async () => {
  const { container } = render(figure([21]))
  const words = await waitForRequest('organisations/starter-words')
  await act(async () => words.answer(STARTERS))
  const question = await waitForRequest('organisations/me/keywords/preview')
  await act(async () => question.answer(preview({ looked_at: 0 })))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(container).toHaveTextContent(/^$/)
})
