import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import {
  buildTestCommonProject,
  buildTestCompanyHeadToHead,
  buildTestComparedCompany,
  buildTestComparison,
} from './comparison-for-tests.ts'

const PATH = 'company-comparison'
const NAMES = ['บริษัท ก จำกัด', 'บริษัท ข จำกัด']
const ADDRESS = addressOf(NAMES)
// Loading the page code takes seconds on a busy machine.
const ARRIVES = { timeout: 20_000 }

let network: ReturnType<typeof startFakeNetwork>
let answers: Record<string, object>

function addressOf(names: readonly string[], more: Record<string, string> = {}): string {
  return `/company-comparison?${new URLSearchParams({ project_winner_name__in: names.join('||'), ...more })}`
}

beforeAll(async () => {
  await Promise.all([
    import('./company-comparison-page.tsx'),
    import('./head-to-head/company-head-to-head-panel.tsx'),
    import('#src/routes/layout/app-layout.tsx'),
    // Otherwise the first test's loader runs when its chunk arrives, possibly during the next test.
    import('#src/routes/loaders/market-loaders.ts'),
  ])
}, 120_000)
beforeEach(() => {
  localStorage.clear()
  answers = {
    'users/me': buildTestUser(),
    'organisations/me': { ...buildTestOrganisation(), is_access_company_comparison: true, is_company_compare: true },
    'company-comparison/pairs': { results: [] },
  }
  network = startFakeNetwork(({ path }) => answers[path])
  startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
})

async function open(address = ADDRESS) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  await waitFor(() => expect(document.querySelector('h1')).toHaveTextContent('เปรียบเทียบบริษัท'), ARRIVES)
  return router
}
async function show(change: Partial<CompanyComparison> = {}, address = ADDRESS) {
  answers[PATH] = buildTestComparison(change)
  const router = await open(address)
  await summary()
  return router
}
// Query by element, because a query by role traverses the whole page each time.
const block = (name: string) => screen.getByText(name, { selector: 'h2' }).closest('section')!
const summary = () => screen.findByText('สรุป', { selector: 'h2' }, ARRIVES)
const matrix = () => screen.getByText(/^ชนะ–แพ้ของ/, { selector: 'caption' }).closest('table')!
const labelled = (label: string | RegExp) => screen.getByLabelText(label, { selector: 'button' })

test('compares a picked pair and moves focus to the heading', async () => {
  answers[PATH] = buildTestComparison()
  const [a, b] = buildTestComparison().companies.map(({ id, name, tax_id, is_shared_name, is_sme }) => ({
    id,
    name,
    tax_id,
    is_shared_name,
    is_sme,
  }))
  answers['company-comparison/pairs'] = { results: [{ a, b, met: 7 }] }
  // Opening the pair must drop these filters, which would count fewer meetings than the pair shows.
  const router = await open('/company-comparison?year_from=2568&project_method__in=e_bidding&common=true&sme_band=5')
  await userEvent.click((await screen.findByText('พบกัน 7 โครงการ', {}, ARRIVES)).closest('button')!)
  await summary()
  expect(document.querySelector('h1')).toHaveFocus()
  expect(router.state.location.search).toEqual({
    project_winner_name__in: NAMES.join('||'),
    scope: 'watch',
    sme_band: '5',
  })
})

describe('the matrix', () => {
  test('shows each pair from both sides, with the reverse side mirrored', async () => {
    await show()
    const cells = [...matrix().querySelectorAll('button')]
    const suffix = 'รายอื่นชนะ 3 · ยังไม่มีผล 1 · พบล่าสุด 12 พ.ย. 2569'
    expect(cells.map((cell) => cell.textContent)).toEqual([
      `ก กับ ข ชนะ–แพ้ 24–17 ส่วนต่างราคามัธยฐาน +2.1% (n=40) นำ · พบ 45 โครงการ ${suffix}`,
      `ข กับ ก ชนะ–แพ้ 17–24 ส่วนต่างราคามัธยฐาน −2.1% (n=40) ตาม · พบ 45 โครงการ ${suffix}`,
    ])
    expect(screen.getByText(/ทราบรายชื่อผู้ยื่น 71 จาก 97 โครงการ/)).toBeInTheDocument()
  })

  test('opens as many projects as the cell states, and Back closes them', async () => {
    answers['company-comparison/projects'] = {
      total: 45,
      page: 1,
      page_size: 50,
      results: [{ ...buildTestCommonProject('69119000001'), fiscal_year: 2570 }],
    }
    const router = await show()
    await userEvent.click(matrix().querySelectorAll('button')[1]!)
    const title = await screen.findByText('ก ก พบ ข ข', { selector: 'h2' }, ARRIVES)
    const panel = title.closest<HTMLElement>('[data-modal-panel]')!
    expect(await within(panel).findByText('45 โครงการ', {}, ARRIVES)).toBeInTheDocument()
    const query = network.to('company-comparison/projects')[0]!.query
    expect(Object.fromEntries(query)).toMatchObject({
      a: String('ก'.codePointAt(0)),
      b: String('ข'.codePointAt(0)),
      result: 'met',
    })
    await userEvent.click(within(panel).getByText('ก ชนะ'))
    await waitFor(() => expect(network.to('company-comparison/projects').at(-1)!.query.get('result')).toBe('a_won'))
    router.history.back()
    await waitFor(() => expect(document.querySelector('[data-modal-panel]')).toBeNull(), ARRIVES)
  }, 60_000)

  test('shows that a pair never met, with nothing to open', async () => {
    const never = {
      met: 0,
      a_won: 0,
      b_won: 0,
      others_won: 0,
      undecided: 0,
      mean_gap: null,
      median_gap: null,
      n_gap: 0,
    }
    await show({ meetings: [buildTestCompanyHeadToHead(0, 1, { ...never, last_met_date: null })] })
    expect(screen.getAllByText('ไม่เคยพบกัน')).toHaveLength(2)
  })
})

describe('winner-only data', () => {
  test('reports meetings as unknown but still compares wins', async () => {
    await show({
      has_meetings: false,
      meetings: [],
      companies: [
        buildTestComparedCompany('ก', { wins: 61, value: 412_600_000 }),
        buildTestComparedCompany('ข', { wins: 48, value: 530_100_000 }),
      ],
      departments: [
        {
          department: 'กรมทางหลวง',
          cells: [
            { wins: 3, value: 9_000_000 },
            { wins: 0, value: null },
          ],
        },
      ],
      departments_total: 1,
    })
    expect(block('พบกันตรง ๆ')).toHaveTextContent('มีเฉพาะข้อมูลผู้ชนะ: เทียบงานที่ชนะได้ แต่ไม่รู้ว่าใครยื่นแข่งกับใคร')
    const row = (name: string) => within(block('สรุป')).getByText(name, { selector: 'th' }).closest('tr')
    expect(row('อัตราชนะ')).toHaveTextContent('ไม่มีรายชื่อผู้ยื่น')
    expect(row('อัตราชนะ')).not.toHaveTextContent('%')
    expect(row('งานที่ชนะ')).toHaveTextContent('61 สูงสุด')
    expect(row('มูลค่ารวม (ล้านบาท)')).toHaveTextContent('530.1 สูงสุด')
    expect(block('หน่วยงาน')).toHaveTextContent('กรมทางหลวง3 งาน9.00 ล้าน0')
  })
})

describe('projects in common', () => {
  const isSme = { companies: [buildTestComparedCompany('ก'), buildTestComparedCompany('ข', { is_sme: true })] }

  test('flags an SME that lost within the band above the lowest price', async () => {
    await show({ ...isSme, common_projects: [buildTestCommonProject('69119000001')], common_total: 1 })
    expect(block('โครงการที่พบกัน')).toHaveTextContent('9,900,000.0099.0%SME แพ้ในแถบ 10%')
  })

  test('does not flag an SME beyond the band set in the address', async () => {
    await show(
      { ...isSme, common_projects: [buildTestCommonProject('69119000001')], common_total: 1 },
      addressOf(NAMES, { sme_band: '9.9' }),
    )
    expect(block('โครงการที่พบกัน')).not.toHaveTextContent('SME แพ้ในแถบ 9.9%')
    expect(block('โครงการที่พบกัน')).toHaveTextContent('9,900,000.0099.0%')
  })
})

describe('companies in the address', () => {
  test('names unknown companies and offers similar ones as replacements', async () => {
    const router = await show(
      { unknown: [{ asked: 'บริษัท ฆ', similar: [buildTestComparedCompany('ฆ')] }] },
      addressOf([...NAMES, 'บริษัท ฆ']),
    )
    expect(screen.getByText(/ไม่พบบริษัทชื่อ “บริษัท ฆ”/)).toBeInTheDocument()
    await userEvent.click(screen.getByText('บริษัท ฆ จำกัด', { selector: 'button' }))
    await waitFor(() =>
      expect(new URLSearchParams(router.history.location.search).get('project_winner_name__in')).toBe(
        [...NAMES, 'บริษัท ฆ จำกัด'].join('||'),
      ),
    )
  })

  test('leaves out companies beyond the fifth and names them', async () => {
    const six = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ'].map((letter) => `บริษัท ${letter} จำกัด`)
    await show({}, addressOf(six))
    expect(screen.getByText(/ไม่ได้แสดง: บริษัท ฉ จำกัด/)).toBeInTheDocument()
    expect(network.to(PATH)[0]!.query.get('project_winner_name__in')).toBe(six.slice(0, 5).join('||'))
  })

  test('removes companies one by one; with one left, explains itself and sends no request', async () => {
    const router = await show()
    const countBefore = network.to(PATH).length
    await userEvent.click(labelled('เอา บริษัท ก จำกัด ออก'))
    expect(await screen.findByText('เลือกอีกอย่างน้อย 1 บริษัท', {}, ARRIVES)).toBeInTheDocument()
    expect(network.to(PATH)).toHaveLength(countBefore)
    expect(screen.getByText('บริษัท ก จำกัด · บริษัท ข จำกัด', { selector: 'button' })).toBeInTheDocument()
    router.history.back()
    expect(await summary()).toBeInTheDocument()
  })

  test('marks one company as ours in the address', async () => {
    const router = await show()
    await userEvent.click(labelled('บริษัท ข จำกัด คือบริษัทของเรา'))
    await waitFor(() => expect(labelled('บริษัท ข จำกัด คือบริษัทของเรา')).toHaveAttribute('aria-pressed', 'true'))
    expect(new URLSearchParams(router.history.location.search).get('us')).toBe('บริษัท ข จำกัด')
  })
})

describe('a failed comparison', () => {
  /** Rejects all requests sent so far and returns their number. */
  async function refuse(body: object, status: number): Promise<number> {
    await waitFor(() => expect(network.to(PATH).length).toBeGreaterThan(0), ARRIVES)
    for (const request of network.to(PATH)) request.answer(body, status)
    return network.to(PATH).length
  }

  test('shows the reason and retries on click', async () => {
    await open()
    const refusedCount = await refuse({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    expect(await screen.findByText('ทำรายการถี่เกินไป', {}, ARRIVES)).toBeInTheDocument()
    await userEvent.click(screen.getByText('ลองใหม่', { selector: 'button' }))
    await waitFor(() => expect(network.to(PATH).length).toBeGreaterThan(refusedCount), ARRIVES)
    network.to(PATH).at(-1)!.answer(buildTestComparison())
    expect(await summary()).toBeInTheDocument()
  })

  test('explains a missing organisation permission without offering a retry', async () => {
    await open()
    await refuse({ non_field_errors: ['ไม่มีสิทธิ์'] }, 403)
    expect(await screen.findByText('องค์กรของคุณยังไม่ได้เปิดใช้การเปรียบเทียบบริษัท', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.queryByText('ลองใหม่')).toBeNull()
  })
})
