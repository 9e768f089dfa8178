import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type UnusualAwardPatterns as Answer,
  UNUSUAL_AWARD_PATTERN_CODES,
  UNUSUAL_AWARD_PATTERN_TEXTS,
  type UnusualAwardPattern,
} from '#contract/market/unusual-award-patterns.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { unusualAwardPatternsQuery } from '#src/market/api/who-wins.ts'
import {
  UnusualAwardPatternsCard,
  unusualAwardPatternsExpandedStore,
} from '#src/market/unusual-award-patterns/unusual-award-patterns-card.tsx'
import { UnusualAwardPatternsPrintSheet } from '#src/market/unusual-award-patterns/unusual-award-patterns-print-sheet.tsx'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { renderInRouter } from '#src/report/pages/report/render-in-router-for-tests.tsx'

const LOADING = { timeout: 15_000 }
vi.setConfig({ testTimeout: 60_000 })

const company = (id: number, name: string) => ({ id, name, tax_id: null, is_shared_name: false, is_sme: null })
const FACT: UnusualAwardPattern = {
  agency: 'กรมทางหลวง',
  unit: null,
  province: null,
  companies: [company(7, 'บริษัท ก จำกัด')],
  year_from: 2568,
  year_to: 2568,
  month: null,
  count: 8,
  n: 13,
  share: 0.62,
  value: 62_000_000,
  whole: 100_000_000,
  usual: null,
  beside: null,
  winners: null,
  of_one: null,
  rows: 'buyer_share:2568:7:กรมทางหลวง',
  n_rows: 'agency_year:2568:กรมทางหลวง',
  beside_rows: null,
  one_rows: null,
}
const CLUSTER: UnusualAwardPattern = {
  ...FACT,
  agency: 'เทศบาลตำบลตัวอย่าง',
  unit: 'กองช่าง',
  province: 'ขอนแก่น',
  year_from: null,
  year_to: null,
  month: '2025-03',
  count: 6,
  n: 7,
  share: 0.857,
  value: 2_900_000,
  whole: null,
  beside: 1,
  winners: 2,
  of_one: 5,
  rows: 'below_threshold:2025-03:4',
  n_rows: 'around_border:2025-03:4',
  beside_rows: 'beside_border:2025-03:4',
  one_rows: 'below_by_one:2025-03:4:7',
}
const answerOf = (
  facts: Partial<Record<(typeof UNUSUAL_AWARD_PATTERN_CODES)[number], UnusualAwardPattern>>,
): Answer => ({
  decided: 1_234,
  won: 1_000,
  computed_at: '2026-11-20T18:00:00Z',
  total: Object.keys(facts).length,
  kinds: UNUSUAL_AWARD_PATTERN_CODES.map((sign) => ({
    sign,
    projects: sign === 'same_two' ? 3 : 900,
    groups: sign === 'same_two' ? 0 : 40,
    total: facts[sign] ? 1 : 0,
    results: facts[sign] ? [facts[sign]] : [],
  })),
  ignored_parameters: [],
})

let opened: string[] = []
async function setUp(answer: Answer | number) {
  startFakeUserApi(buildTestUser({}), true)
  const fakeFetch = fetch
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!url.pathname.endsWith('/who-wins/signs')) return fakeFetch(input, init)
    return typeof answer === 'number' ? Response.json({}, { status: answer }) : Response.json(answer)
  })
  await renderInRouter(
    <QueryClientProvider client={queryClient}>
      <UnusualAwardPatternsCard
        query={unusualAwardPatternsQuery({ view: 'who_wins', market: true })}
        isMarket
        openRows={(rows) => opened.push(rows)}
      />
      <UnusualAwardPatternsPrintSheet search={{ view: 'who_wins', market: true }} />
    </QueryClientProvider>,
  )
}
beforeEach(() => {
  opened = []
  unusualAwardPatternsExpandedStore.set(false)
})
afterEach(() => {
  stopFakeUserApi()
})

test('is collapsed with its count, expands by keyboard, and each figure opens its projects', async () => {
  await setUp(answerOf({ buyer_share: FACT, below_threshold: CLUSTER }))
  const heading = await screen.findByRole('button', { name: 'ข้อสังเกต 2 ข้อ' }, LOADING)
  expect(heading).toHaveAttribute('aria-expanded', 'false')
  expect(screen.queryByText(/เกณฑ์/)).toBeNull()
  const user = userEvent.setup()
  await user.tab()
  expect(heading).toHaveFocus()
  await user.keyboard('{Enter}')
  const share = screen.getByRole('region', { name: UNUSUAL_AWARD_PATTERN_TEXTS.buyer_share.title })
  expect(share).toHaveTextContent('กรมทางหลวง · ปีงบประมาณ 2568')
  expect(share).toHaveTextContent('ได้ 62.0% ของมูลค่าที่รู้ (62.00 ล้าน บาท จาก 100.00 ล้าน บาท) ชนะ 8 จาก 13 งาน')
  expect(share).toHaveTextContent(`เกณฑ์: ${UNUSUAL_AWARD_PATTERN_TEXTS.buyer_share.threshold}`)
  expect(share).toHaveTextContent('ตัวชี้วัด Open Contracting R040')
  for (const text of UNUSUAL_AWARD_PATTERN_TEXTS.buyer_share.explanations)
    expect(within(share).getByText(text)).toBeVisible()
  await user.tab()
  expect(within(share).getByRole('link', { name: 'บริษัท ก จำกัด' })).toHaveFocus()
  await user.tab()
  await user.keyboard('{Enter}')
  await user.tab()
  await user.keyboard(' ')
  const cluster = screen.getByRole('region', { name: UNUSUAL_AWARD_PATTERN_TEXTS.below_threshold.title })
  expect(cluster).toHaveTextContent('เทศบาลตำบลตัวอย่าง · กองช่าง · ขอนแก่น · มี.ค. 2568')
  fireEvent.click(within(cluster).getByRole('button', { name: /^ช่วงถัดลงไป 1 งาน/ }))
  fireEvent.click(within(cluster).getByRole('button', { name: /^ของรายนี้ 5 งาน/ }))
  expect(opened).toEqual([
    'buyer_share:2568:7:กรมทางหลวง',
    'agency_year:2568:กรมทางหลวง',
    'beside_border:2025-03:4',
    'below_by_one:2025-03:4:7',
  ])
  const checkedSigns = screen.getByRole('region', { name: 'สิ่งที่ดูแล้ว' })
  expect(within(checkedSigns).getAllByRole('listitem')).toHaveLength(5)
  expect(checkedSigns).toHaveTextContent(`${UNUSUAL_AWARD_PATTERN_TEXTS.same_two.title}: ข้อมูลน้อยเกินกว่าจะบอก (3 งาน)`)
})

test('prints only when expanded', async () => {
  await setUp(answerOf({ buyer_share: FACT }))
  const heading = await screen.findByRole('button', { name: 'ข้อสังเกต 1 ข้อ' }, LOADING)
  expect(screen.queryByText(/ข้อสังเกต 1 ข้อ/, { selector: 'h2' })).toBeNull()
  fireEvent.click(heading)
  const printed = (await screen.findByText('ข้อสังเกต 1 ข้อ', { selector: 'h2' })).closest('section')!
  expect(printed).toHaveTextContent('บริษัท ก จำกัด · กรมทางหลวง · ปีงบประมาณ 2568: ได้ 62.0%')
  expect(printed).toHaveTextContent(UNUSUAL_AWARD_PATTERN_TEXTS.buyer_share.threshold)
})

test('lists what was checked when nothing was found, and offers a retry after a failure', async () => {
  await setUp(answerOf({}))
  fireEvent.click(await screen.findByRole('button', { name: 'ไม่พบข้อสังเกตใน 1,234 งาน' }, LOADING))
  expect(within(screen.getByRole('region', { name: 'สิ่งที่ดูแล้ว' })).getAllByRole('listitem')).toHaveLength(7)
  expect(screen.queryByText(/น่าดูต่อ/, { selector: 'p.text-ink-muted' })).toBeNull()
  stopFakeUserApi()
  document.body.replaceChildren()
  await setUp(400)
  expect(await screen.findByText('ดูข้อสังเกตไม่สำเร็จ', undefined, LOADING)).toBeVisible()
  expect(screen.getByRole('button', { name: /ลองใหม่/ })).toBeEnabled()
})
