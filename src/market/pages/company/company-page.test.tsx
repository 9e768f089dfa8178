import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FakeRequest, startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { buildTestCompanyDetail, buildTestCompanyProject, buildTestCompanyProjects } from './company-for-tests.ts'

const NAME = 'บริษัท ธาราเมฆ จำกัด'
const PATH = `companies/${encodeURIComponent(NAME)}`
const ADDRESS = `/${PATH}`
// Loading the page code takes seconds on a busy machine.
const ARRIVES = { timeout: 15_000 }

let network: ReturnType<typeof startFakeNetwork>
let answers: Record<string, object | ((request: Pick<FakeRequest, 'query'>) => object)>

beforeAll(async () => {
  await Promise.all([
    import('./company-page.tsx'),
    import('./company-competitor-block.tsx'),
    import('./company-timeline-block.tsx'),
    import('#src/ui/chart/bar-chart.tsx'),
    import('#src/ui/chart/column-chart.tsx'),
    import('#src/routes/layout/app-layout.tsx'),
    // Otherwise the first test's loader runs when its chunk arrives, possibly during the next test.
    import('#src/routes/loaders/market-loaders.ts'),
  ])
}, 60_000)
beforeEach(() => {
  answers = {
    'users/me': buildTestUser(),
    'organisations/me': buildTestOrganisation({ is_company_compare: true }),
    [PATH]: buildTestCompanyDetail(),
    [`${PATH}/projects`]: ({ query }) => {
      const ofDepartment = query.get('rows') === 'department:กรมทางหลวง'
      const project = buildTestCompanyProject(ofDepartment ? '69119000012' : '69119000001')
      return buildTestCompanyProjects(ofDepartment ? 12 : 97, [
        project,
        buildTestCompanyProject('69119000099', { in_report: false, name: 'งานนอกรายงาน' }),
      ])
    },
    [`${PATH}/timeline`]: { total: 0, results: [] },
  }
  network = startFakeNetwork((request) => {
    const answer = answers[request.path]
    return typeof answer === 'function' ? answer(request) : answer
  })
  startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
  vi.restoreAllMocks()
})

async function open(address: string) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  await waitFor(() => expect(document.querySelector('h1')).not.toBeNull(), ARRIVES)
  return router
}
// Query by element, because a query by role traverses the whole page each time.
const heading = (name: string) => waitFor(() => expect(document.querySelector('h1')).toHaveTextContent(name), ARRIVES)
async function questionTo(path: string): Promise<FakeRequest> {
  await waitFor(() => expect(network.to(path).length).toBeGreaterThan(0), ARRIVES)
  return network.to(path).at(-1)!
}
const lastQuery = (path: string) => Object.fromEntries(network.to(path).at(-1)!.query)
const region = (name: string) => screen.findByRole('region', { name }, ARRIVES)

describe('a company without a tax id', () => {
  test('warns that its figures are grouped by name alone', async () => {
    answers[PATH] = buildTestCompanyDetail({ company: { ...buildTestCompanyDetail().company, tax_id: null } })
    await open(ADDRESS)
    expect(await screen.findByText(/รวมตามชื่ออย่างเดียว จึงอาจรวมรายอื่นที่ชื่อเดียวกัน/, {}, ARRIVES)).toBeVisible()
  })
})

describe('the figures', () => {
  test('show n, their components and their change where known', async () => {
    await open(ADDRESS)
    await heading(NAME)
    expect(document.title).toBe(`${NAME} · ตามงาน`)
    const figures = await region('ตัวเลขหลัก')
    const texts = within(figures)
      .getAllByRole('article')
      .map(({ textContent }) => textContent)
    expect(texts).toEqual([
      expect.stringMatching(/^งานที่ชนะ40 โครงการ42 สัญญาเพิ่ม 3/),
      expect.stringMatching(/^มูลค่าที่ชนะ125.00 ล้าน บาทเพิ่ม 25.0%/),
      expect.stringMatching(/^อัตราชนะ49.2%ชนะ 30 จาก 61 ครั้งที่รู้ผล–/),
      expect.stringMatching(/^ส่วนลดรวมทุกงาน8.3% จากราคากลางส่วนลดงานทั่วไป 6.0% · n=35เพิ่ม 1.3 จุด/),
      expect.stringMatching(/^ส่วนแบ่งในหน่วยงานหลัก10.0%กรมทางหลวง60.00 ล้าน จาก 600.00 ล้าน บาท/),
      expect.stringMatching(/^ขนาดสัญญามัธยฐาน1.25 ล้าน บาท/),
      expect.stringMatching(/^สัญญาที่ยังดำเนินอยู่6 สัญญา30.00 ล้าน/),
      expect.stringMatching(/^ส่วนลดเทียบงบประมาณ12.0%/),
    ])
    expect(figures).toHaveTextContent('เทียบกับปีงบประมาณ 2565–2567 · ปี 2570 นับถึงวันนี้ ยังไม่จบปี')
    expect(screen.getByText(/รู้รายชื่อผู้ยื่นครบ 61 จาก 97 โครงการ ·/)).toBeVisible()
  })

  test('flag a small n and show unknown values as missing, not as zero', async () => {
    const { figures } = buildTestCompanyDetail()
    answers[PATH] = buildTestCompanyDetail({
      figures: {
        ...figures,
        value: null,
        bids: { bids: 4, won: 4, win_rate: null },
        discount: { n: 0, weighted: null, median: null, against_budget: { n: 0, weighted: null, median: null } },
      },
      previous: null,
    })
    await open(ADDRESS)
    const rate = await screen.findByRole('article', { name: 'อัตราชนะ' }, ARRIVES)
    expect(rate).toHaveTextContent('n น้อยไป')
    expect(rate).not.toHaveTextContent('%')
    expect(rate).not.toHaveTextContent('เทียบกับปีก่อนหน้าไม่ได้')
    expect(screen.getByRole('article', { name: 'มูลค่าที่ชนะ' })).toHaveTextContent(/ไม่มีข้อมูล/)
    expect(screen.getByRole('article', { name: 'ส่วนลดรวมทุกงาน' })).toHaveTextContent(/ไม่มีงานที่รู้ราคากลาง/)
  })

  test('show the share won by direct procurement', async () => {
    await open(ADDRESS)
    expect(await region('วิธีจัดหา')).toHaveTextContent(
      'ชนะโดยวิธีเฉพาะเจาะจง 10 จาก 40 งาน (25.0%) มูลค่า 25.00 ล้าน บาท (20.0%)',
    )
  })

  test('list competitors with meeting results and price gaps', async () => {
    await open(ADDRESS)
    const row = within(await region('คู่แข่ง')).getByRole('row', { name: /บจก. ฟ้าคำ/ })
    expect([...row.children].map(({ textContent }) => textContent)).toEqual([
      'บจก. ฟ้าคำ',
      expect.stringMatching(/^14/),
      expect.stringMatching(/^8/),
      expect.stringMatching(/^5/),
      expect.stringMatching(/^1/),
      'สูงกว่า 2.3% n=11',
      '1 ต.ค. 2569',
      'เปรียบเทียบ กับ บจก. ฟ้าคำ',
    ])
    expect(within(row).getByRole('link', { name: /^เปรียบเทียบ ?กับ บจก. ฟ้าคำ$/ })).toHaveAttribute(
      'href',
      `/company-comparison?${new URLSearchParams({ project_winner_name__in: `${NAME}||บจก. ฟ้าคำ` })}`,
    )
  })

  test('list competitors on a phone with one name per fact and a link without a head', async () => {
    const realMatchMedia = window.matchMedia
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      query === '(width < 48rem)'
        ? ({ ...realMatchMedia(query), matches: true } as MediaQueryList)
        : realMatchMedia(query),
    )
    await open(ADDRESS)
    const list = await screen.findByRole('list', { name: /^ผู้ยื่นเสนอราคาที่พบกับบริษัทนี้/ }, ARRIVES)
    const item = within(list).getByText('บจก. ฟ้าคำ').closest('li')!
    expect([...item.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual([
      'พบกัน',
      'บริษัทนี้ชนะ',
      'คู่แข่งชนะ',
      'รายอื่นชนะ',
      'ราคาของคู่แข่ง',
      'พบล่าสุด',
    ])
    expect(within(item).getByRole('link', { name: /^เปรียบเทียบ ?กับ บจก. ฟ้าคำ$/ })).toBeVisible()
  })

  test('list competitors without links to a comparison that the organisation may not open', async () => {
    answers['organisations/me'] = buildTestOrganisation({
      is_company_compare: true,
      is_access_company_comparison: false,
    })
    await open(ADDRESS)
    const table = within(await region('คู่แข่ง')).getByRole('table')
    expect(within(table).getByRole('columnheader', { name: 'พบล่าสุด' })).toBeVisible()
    expect(within(table).queryByText('เปรียบเทียบ')).toBeNull()
  })
})

describe('the address', () => {
  test('passes the scope to every request', async () => {
    const router = await open(
      `${ADDRESS}?scope=watch&year_from=2568&project_method__in=e_bidding&rows=wins&ordering=-value`,
    )
    await heading(NAME)
    await questionTo(`${PATH}/projects`)
    const scope = { scope: 'watch', year_from: '2568', project_method__in: 'e_bidding' }
    expect(lastQuery(PATH)).toEqual(scope)
    expect(lastQuery(`${PATH}/projects`)).toEqual({ ...scope, rows: 'wins', ordering: '-value' })
    await questionTo(`${PATH}/timeline`)
    expect(lastQuery(`${PATH}/timeline`)).toEqual(scope)
    await userEvent.click(await screen.findByRole('button', { name: /เอาตัวกรอง ปีงบ|เอาตัวกรอง ตั้งแต่ปีงบ 2568 ออก/ }))
    await waitFor(() =>
      expect(router.state.location.search).toEqual({
        scope: 'watch',
        project_method__in: 'e_bidding',
        ordering: '-value',
      }),
    )
  })

  test('replaces an old spelling, keeping the scope and adding no history entry', async () => {
    const old = `companies/${encodeURIComponent('ธาราเมฆ จำกัด')}`
    answers[old] = buildTestCompanyDetail()
    const router = await open(`/${old}?year_from=2568&tin=0105556012345`)
    await waitFor(() => expect(router.state.location.href).toBe(`${ADDRESS}?year_from=2568`), ARRIVES)
    expect(router.history.length).toBe(1)
    expect(network.to(PATH)).toEqual([])
    await waitFor(() => expect(document.title).toBe(`${NAME} · ตามงาน`), ARRIVES)
  })

  test('adds the tax id when another company shares the name', async () => {
    answers[PATH] = buildTestCompanyDetail({ company: { ...buildTestCompanyDetail().company, is_shared_name: true } })
    const router = await open(ADDRESS)
    await waitFor(() => expect(router.state.location.href).toBe(`${ADDRESS}?tin=0105556012345`), ARRIVES)
    expect(await screen.findByText(/มีบริษัทอื่นชื่อเดียวกัน/, {}, ARRIVES)).toBeVisible()
    await questionTo(`${PATH}/projects`)
    expect(lastQuery(`${PATH}/projects`)).toEqual({ tin: '0105556012345' })
  })

  test.each([
    ['บจก. ก/ข', '/companies/บจก. ก/ข', `companies/${encodeURIComponent('บจก. ก~2Fข')}`],
    ['..', '/companies/~2E~2E', 'companies/~2E~2E'],
    [
      '100% ก?ข#ค\\ง',
      `/companies/${encodeURIComponent('100% ก?ข#ค\\ง')}`,
      `companies/${encodeURIComponent('100~25 ก~3Fข~23ค~5Cง')}`,
    ],
  ])('opens %s and uses it as the tab title', async (name, address, path) => {
    answers[path] = buildTestCompanyDetail({ company: { ...buildTestCompanyDetail().company, name } })
    const router = await open(address)
    await heading(name)
    await waitFor(() => expect(document.title).toBe(`${name} · ตามงาน`))
    expect(router.state.matches.at(-1)!.routeId).toBe('/_app/companies/$name')
  })

  test('names the parameters that it could not read', async () => {
    await open(`${ADDRESS}?year_from=25&ordering=luck&utm=x`)
    expect(await screen.findByText(/ตัวกรองบางส่วนอ่านไม่ได้/, {}, ARRIVES)).toHaveTextContent(
      'ตั้งแต่ปีงบประมาณ “25”, เรียงตาม “luck”',
    )
    expect(screen.getByText('ไม่ได้ใช้ส่วนของลิงก์ที่ไม่รู้จัก: utm')).toBeVisible()
  })
})

describe('the projects behind a figure', () => {
  test('match the clicked bar and its count; the heading gets focus and Back reverts', async () => {
    const router = await open(ADDRESS)
    const department = await region('หน่วยงานที่ชนะงาน')
    const bar = await within(department).findByRole('button', { name: /^(?=.*กรมทางหลวง).*12 งาน/ }, ARRIVES)
    expect(await screen.findByText(/พบ 97 โครงการ/, {}, ARRIVES)).toBeVisible()
    await userEvent.click(bar)
    await waitFor(() => expect(router.state.location.search).toEqual({ rows: 'department:กรมทางหลวง' }))
    expect(screen.getByRole('heading', { level: 2, name: /^โครงการ/ })).toHaveFocus()
    expect(await screen.findByText(/พบ 12 โครงการ/)).toBeVisible()
    expect(screen.getByRole('link', { name: /69119000012/ })).toHaveAttribute('href', '/report/69119000012')
    router.history.back()
    expect(await screen.findByText(/พบ 97 โครงการ/)).toBeVisible()
    expect(router.state.location.search).toEqual({})
  })

  test('are requested by their own keys for other departments, meetings and bins', async () => {
    const router = await open(ADDRESS)
    await userEvent.click(await screen.findByRole('button', { name: /อื่นๆ อีก 4 หน่วยงาน/ }, ARRIVES))
    await waitFor(() => expect(router.state.location.search).toEqual({ rows: 'other_departments' }))
    await userEvent.click(await screen.findByRole('button', { name: /พบกับ บจก. ฟ้าคำ คู่แข่งชนะ/ }, ARRIVES))
    await waitFor(() => expect(router.state.location.search).toEqual({ rows: 'with:9:they_won' }))
    await userEvent.click(await screen.findByRole('button', { name: /ส่วนลด 5% ถึงก่อน 7.5%/ }))
    await waitFor(() => expect(router.state.location.search).toEqual({ rows: 'discount:0.05' }))
    await userEvent.click(await screen.findByRole('button', { name: 'แสดงโครงการทั้งหมด' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })

  test('are links only where the report contains them', async () => {
    await open(ADDRESS)
    const table = await screen.findByRole('table', { name: /โครงการทั้งหมดในขอบเขต 97 โครงการ/ }, ARRIVES)
    expect(within(table).getByRole('link', { name: /69119000001/ })).toBeVisible()
    expect(within(table).getByText('งานนอกรายงาน').closest('a')).toBeNull()
  })

  test('store sorting and paging in the address', async () => {
    const router = await open(`${ADDRESS}?rows=wins`)
    const table = await screen.findByRole('table', { name: /งานที่ชนะ/ }, ARRIVES)
    await userEvent.click(within(table).getByRole('button', { name: 'มูลค่าที่ชนะ (บาท)' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ rows: 'wins', ordering: '-value' }))
    await userEvent.click(screen.getByRole('button', { name: 'ถัดไป' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ rows: 'wins', ordering: '-value', page: '2' }))
    await waitFor(() => expect(lastQuery(`${PATH}/projects`)).toEqual({ rows: 'wins', ordering: '-value', page: '2' }))
  })

  test('leave the rest of the page intact when loading fails, and can be retried', async () => {
    delete answers[`${PATH}/projects`]
    await open(ADDRESS)
    ;(await questionTo(`${PATH}/projects`)).answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    const notice = await screen.findByText('โหลดโครงการไม่สำเร็จ', {}, ARRIVES)
    expect(notice).toBeVisible()
    expect(screen.getByRole('article', { name: 'งานที่ชนะ' })).toBeVisible()
    answers[`${PATH}/projects`] = buildTestCompanyProjects(1, [buildTestCompanyProject('69119000001')])
    await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
    expect(await screen.findByText(/พบ 1 โครงการ/)).toBeVisible()
  })
})

describe('a company that cannot be shown', () => {
  test('offers a search by its name when the server does not know it', async () => {
    delete answers[PATH]
    await open(ADDRESS)
    ;(await questionTo(PATH)).answer({ code: 'not_found' }, 404)
    await heading('ไม่พบบริษัทนี้')
    expect(screen.getByRole('combobox', { name: 'ค้นหาบริษัท' })).toHaveValue(NAME)
    expect(document.title).toBe('รายละเอียดบริษัท · ตามงาน')
  })

  test('lists the years with wins when the selected years have none', async () => {
    const { figures, scope } = buildTestCompanyDetail()
    answers[PATH] = buildTestCompanyDetail({
      scope: { ...scope, n: 0, coverage: { full: 0, names: 0, winner: 0 }, year_from: 2567, year_to: 2567 },
      years: [2569, 2568],
      figures: { ...figures, wins: 0, value: null, bids: null },
    })
    await open(`${ADDRESS}?year_from=2567&year_to=2567`)
    expect(await screen.findByText('ไม่มีงานที่ชนะในปีเหล่านี้', {}, ARRIVES)).toBeVisible()
    expect(screen.getByText('มีข้อมูลปี 2569, 2568')).toBeVisible()
    expect(screen.getByRole('link', { name: 'ปี 2569' })).toHaveAttribute(
      'href',
      `${ADDRESS}?year_from=2569&year_to=2569`,
    )
    expect(screen.queryByRole('article')).toBeNull()
  })

  test('shows a loading state and offers a retry after a failure', async () => {
    delete answers[PATH]
    await open(ADDRESS)
    expect(await screen.findByText('กำลังเปิดข้อมูลบริษัท', {}, ARRIVES)).toBeInTheDocument()
    ;(await questionTo(PATH)).answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    expect(await screen.findByText('เปิดข้อมูลบริษัทไม่สำเร็จ')).toBeVisible()
    answers[PATH] = buildTestCompanyDetail()
    await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
    expect(await screen.findByRole('article', { name: 'งานที่ชนะ' })).toBeVisible()
  })

  test('offers no retry when the server denies access', async () => {
    delete answers[PATH]
    await open(ADDRESS)
    ;(await questionTo(PATH)).answer({ code: 'forbidden', non_field_errors: ['บัญชีของคุณไม่มีสิทธิ์ใช้ส่วนนี้'] }, 403)
    expect(await screen.findByText('องค์กรของคุณยังไม่ได้เปิดใช้ข้อมูลบริษัท', {}, ARRIVES)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'ลองใหม่' })).toBeNull()
  })
})
