import { vi } from 'vitest'
import type { Keyword, KeywordListCode, Organisation } from '#contract/account/organisation.ts'
import type { KeywordPreview, KeywordStats } from '#contract/matching/keyword-impact.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { buildTestKeyword, buildTestOrganisation } from './organisation-for-tests.ts'

export const TEST_KEYWORD_STATS: KeywordStats = {
  days: 30,
  data_time: '2026-11-21T02:00:00.000Z',
  keywords: [
    { id: 1, hits: 412, only: 38 },
    { id: 2, hits: 186, only: 0 },
  ],
  switches: {
    search_by_name: { today: 11, days: 500, only: 480 },
    search_by_ai: { today: 5, days: 20, only: 7 },
    search_by_deptsub: { today: 0, days: 6, only: 0 },
  },
  per_working_day: 18.2,
  level: 'good',
  hidden: 14,
}
const PREVIEW: KeywordPreview = {
  days: 30,
  looked_at: 9000,
  before: 400,
  after: 1604,
  added: 1204,
  removed: 0,
  per_working_day: 60,
  level: 'many',
  added_samples: [],
  removed_samples: [],
  after_samples: [],
  traps: [
    { of: 'ยา', word: 'ยาง', count: 702, samples: ['ซื้อยางรถยนต์'] },
    { of: 'ยา', word: 'พยาบาล', count: 311, samples: ['จ้างพยาบาล'] },
  ],
  overlaps: [],
  conflicts: [],
}

export type TestKeywordsRequestBody = Partial<
  Record<`${KeywordListCode}_keywords`, { readonly id?: number; readonly word: string }[]>
>

/**
 * Fakes the network for watch-list tests: requests change one organisation as the server would, and `answers` overrides
 * responses. Signs a user in on a wide screen.
 */
export function startFakeWatchListApi() {
  const requests: { call: string; body: unknown }[] = []
  let gone: Keyword[] = []
  const api = {
    organisation: buildTestOrganisation(
      {
        include: [
          buildTestKeyword(1, 'กล้อง', { group_id: 7 }),
          buildTestKeyword(2, 'CCTV'),
          buildTestKeyword(3, 'โดรน', { approved: false }),
        ],
        exclude: [buildTestKeyword(4, 'ซ่อม')],
        keyword_groups: [{ id: 7, name: 'ความปลอดภัย' }],
      },
      { limit_exclude_by_name: 3 },
    ),
    answers: {} as Record<string, (body: never) => Response | Promise<Response>>,
    calls: (call: string) => requests.filter((request) => request.call === call).map(({ body }) => body),
    change: (next: Partial<Organisation>) => {
      api.organisation = { ...api.organisation, ...next }
      return Response.json(api.organisation)
    },
  }
  api.answers = {
    'GET users/me': () => Response.json(buildTestUser()),
    'GET organisations/me': () => Response.json(api.organisation),
    'GET organisations/me/keyword-stats': () => Response.json(TEST_KEYWORD_STATS),
    'GET organisations/me/matching': () => Response.json({ state: 'idle', done: 0, total: 0, finished_at: null }),
    'POST organisations/me/keywords/preview': () => Response.json(PREVIEW),
    'POST organisations/me/keywords/check': () => Response.json({ lines: [], waiting: [] }),
    'POST organisations/me': (body: TestKeywordsRequestBody) => {
      let id = 100
      const added = (list: 'include' | 'exclude') =>
        (body[`${list}_keywords`] ?? []).map(({ word }) => buildTestKeyword(id++, word.trim()))
      const { include, exclude } = api.organisation
      return api.change({ include: [...include, ...added('include')], exclude: [...exclude, ...added('exclude')] })
    },
    'DELETE organisations/me': (body: TestKeywordsRequestBody) => {
      const ids = body.include_keywords?.map(({ id }) => id) ?? []
      gone = api.organisation.include.filter(({ id }) => ids.includes(id))
      return api.change({ include: api.organisation.include.filter(({ id }) => !ids.includes(id)) })
    },
    'POST organisations/me/keywords/restore': () =>
      api.change({ include: [...gone, ...api.organisation.include].toSorted((a, b) => a.id - b.id) }),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    const text = await sent.clone().text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    requests.push({ call, body })
    return (api.answers[call] ?? (() => Response.json({ code: 'not_found' }, { status: 404 })))(body as never)
  })
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  localStorage.clear()
  queryClient.clear()
  startSession(buildTestSession())
  return api
}
