import { createMemoryHistory } from '@tanstack/react-router'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Agency } from '#contract/market/agency.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { buildTestAgency } from './agency-for-tests.ts'

// Loading the page code takes seconds on a busy machine.
const ARRIVES = { timeout: 20_000 }
vi.setConfig({ testTimeout: 90_000 })
const NAME = 'กรมทางหลวง'

let network: ReturnType<typeof startFakeNetwork>
let answers: Record<string, object>

beforeAll(async () => {
  await Promise.all([
    import('./agency-page.tsx'),
    import('#src/market/who-wins/won-projects.tsx'),
    import('#src/ui/overlay/modal-panel.tsx'),
    import('#src/routes/layout/app-layout.tsx'),
    // Otherwise the first test's loader runs when its chunk arrives, possibly during the next test.
    import('#src/routes/loaders/market-loaders.ts'),
  ])
}, 60_000)
beforeEach(() => {
  answers = {
    'users/me': buildTestUser(),
    'users/me/follows': { follows: [], bell: [], mail: [] },
    'organisations/me': buildTestOrganisation({ is_company_compare: true, is_access_budget_year: true }),
    'agencies/0808': buildTestAgency(),
    'agencies/0808/signs': { decided: 40, won: 38, computed_at: null, total: 0, kinds: [], ignored_parameters: [] },
    'agencies/0808/projects': {
      total: 1,
      page: 1,
      page_size: 20,
      results: [
        {
          project_id: '68010000001',
          name: 'จ้างก่อสร้างสะพาน',
          dept_name: NAME,
          project_province: 'ขอนแก่น',
          method: 'e_bidding',
          estimate_budget: 1_000_000,
          value: 900_000,
          discount: 0.1,
          decided_date: '2025-03-10',
          winners: ['บุคคลธรรมดา'],
          in_report: false,
        },
      ],
    },
  }
  network = startFakeNetwork(({ path }) => answers[decodeURIComponent(path)])
  startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
})

async function open(address: string) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  await waitFor(() => expect(document.querySelector('h1')).not.toBeNull(), ARRIVES)
  return router
}
const heading = (name: string) => waitFor(() => expect(document.querySelector('h1')).toHaveTextContent(name), ARRIVES)
/** Returns the distinct queries to a path, because strict mode sends duplicates. */
const queriesTo = (path: string) => {
  const texts = network.asked
    .filter((request) => decodeURIComponent(request.path) === path)
    .map(({ query }) => String(query))
  return [...new Set(texts)].map((text) => Object.fromEntries(new URLSearchParams(text)))
}
const region = (name: string) => screen.findByRole('region', { name }, ARRIVES)

test('every figure shows its n, and opens its projects in a side panel', async () => {
  const router = await open('/agencies/0808')
  await heading(NAME)
  await waitFor(() => expect(document.title).toBe(`${NAME} · ตามงาน`), ARRIVES)
  expect(screen.getByText('รหัสหน่วยงาน 0808 · กระทรวงคมนาคม')).toBeVisible()
  const figures = await region('ตัวเลขหลัก')
  expect(figures).toHaveTextContent('จาก 42 โครงการในขอบเขต')
  expect(figures).toHaveTextContent('ครึ่งกลาง 36 ถึง 61 วัน · n=21')
  const speed = await region('จากประกาศถึงสัญญากี่วัน')
  await waitFor(() => expect(speed).toHaveTextContent('n น้อยไป (3 ต้องมี 5 ขึ้นไป)'), ARRIVES)
  expect(speed).toHaveTextContent('จาก 36 งานที่รู้ผล')
  fireEvent.click(within(speed).getByRole('button', { name: /^1 งานที่วันทำสัญญามาก่อนวันประกาศ/ }))
  const panel = await screen.findByRole('dialog', { name: 'งานที่วันทำสัญญามาก่อนวันประกาศ' }, ARRIVES)
  expect(await within(panel).findByText('จ้างก่อสร้างสะพาน', undefined, ARRIVES)).toBeVisible()
  expect(queriesTo('agencies/0808/projects')).toEqual([{ rows: 'backwards' }])
  expect(router.state.location.search).toEqual({ rows: 'backwards' })
  expect(queriesTo('agencies/0808')).toEqual([{}])
})

test('scope, unit and order are part of the address and of the request', async () => {
  const router = await open('/agencies/0808?year_from=2568&rows=won')
  await heading(NAME)
  fireEvent.click(await screen.findByRole('radio', { name: /โครงการของเรา/ }, ARRIVES))
  await waitFor(() => expect(router.state.location.search).toEqual({ scope: 'watch', year_from: '2568' }))
  const units = await region('หน่วยซื้อในสังกัด')
  fireEvent.click(within(units).getByRole('link', { name: 'แขวงทางหลวงน่าน' }))
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ scope: 'watch', year_from: '2568', unit: 'แขวงทางหลวงน่าน' }),
  )
  await waitFor(() =>
    expect(queriesTo('agencies/0808').at(-1)).toEqual({ scope: 'watch', year_from: '2568', unit: 'แขวงทางหลวงน่าน' }),
  )
  fireEvent.click(screen.getByRole('button', { name: 'ดูทุกหน่วยซื้อ' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ scope: 'watch', year_from: '2568' }))
  fireEvent.click(await screen.findByRole('tab', { name: 'จำนวนงาน' }, ARRIVES))
  await waitFor(() =>
    expect(queriesTo('agencies/0808').at(-1)).toEqual({ scope: 'watch', year_from: '2568', rank: 'wins' }),
  )
})

test('our section lists open projects and the outcome of our pursuits', async () => {
  await open('/agencies/0808')
  const ownSection = await region('เรากับหน่วยงานนี้')
  expect(within(ownSection).getByRole('link', { name: 'จ้างก่อสร้างทางหลวง' })).toHaveAttribute(
    'href',
    '/report/69119000001',
  )
  expect(ownSection).toHaveTextContent('ยื่นถึง')
  expect(within(ownSection).getByRole('button', { name: /^2 ?ดูโครงการ: งานของเรา ชนะ/ })).toBeVisible()
  expect(await region('งบที่ยังไม่ประกาศ')).toHaveTextContent('ไม่พบหน่วยรับงบประมาณชื่อนี้')
})

test('a name redirects to the agency’s canonical address without a second request', async () => {
  answers[`agencies/${NAME}`] = buildTestAgency()
  const router = await open(`/agencies/${encodeURIComponent(NAME)}?year_to=2569`)
  await waitFor(() => expect(router.state.location.href).toBe('/agencies/0808?year_to=2569'), ARRIVES)
  expect(queriesTo(`agencies/${NAME}`)).toHaveLength(1)
  expect(queriesTo('agencies/0808')).toEqual([])
})

test('distinguishes agencies of the same name, each with its link', async () => {
  const body = (code: string | null, province: string | null): Agency['agency'] => ({
    code,
    name: 'เทศบาลตำบลบ้านกลาง',
    text: province === null ? 'เทศบาลตำบลบ้านกลาง' : `เทศบาลตำบลบ้านกลาง จ.${province}`,
    province,
    ministry: 'เทศบาลตำบล',
    same_name: [
      { code: '5510101', text: 'เทศบาลตำบลบ้านกลาง จ.ลำพูน', province: 'ลำพูน' },
      { code: '5670101', text: 'เทศบาลตำบลบ้านกลาง จ.เพชรบูรณ์', province: 'เพชรบูรณ์' },
      { code: null, text: 'เทศบาลตำบลบ้านกลาง จ.ระยอง', province: 'ระยอง' },
    ],
  })
  answers['agencies/5510101'] = buildTestAgency({ agency: body('5510101', 'ลำพูน') })
  await open('/agencies/5510101')
  expect(await screen.findByText(/เป็นของแห่งที่อยู่ในจังหวัดนี้เท่านั้น/, undefined, ARRIVES)).toBeVisible()
  expect(screen.getByRole('link', { name: 'เพชรบูรณ์ 5670101' })).toHaveAttribute('href', '/agencies/5670101')
  expect(screen.queryByRole('link', { name: 'ลำพูน 5510101' })).toBeNull()
  expect(document.querySelector('h1')).toHaveTextContent('เทศบาลตำบลบ้านกลาง จ.ลำพูน')
  // This agency is not in the directory, so its address is the name with the province.
  expect(screen.getByRole('link', { name: 'ระยอง' })).toHaveAttribute(
    'href',
    `/agencies/${encodeURIComponent('เทศบาลตำบลบ้านกลาง จ.ระยอง')}`,
  )
})

test('an unknown code has its own screen', async () => {
  delete answers['agencies/0808']
  await open('/agencies/0808')
  await waitFor(() => expect(network.to('agencies/0808').length).toBeGreaterThan(0), ARRIVES)
  network.to('agencies/0808').at(-1)!.answer({ code: 'not_found' }, 404)
  expect(await screen.findByText(/ไม่มีหน่วยงานรหัส 0808/, undefined, ARRIVES)).toBeVisible()
})

test('an empty scope offers a scope with projects', async () => {
  answers['agencies/0808'] = buildTestAgency({
    projects: 0,
    decided: 0,
    won: 0,
    companies: { total: 0, is_ranked: false, results: [] },
  })
  const router = await open('/agencies/0808?scope=watch&year_from=2570')
  expect(await screen.findByText('ไม่มีโครงการในขอบเขตนี้', undefined, ARRIVES)).toBeVisible()
  expect(screen.queryByRole('region', { name: 'ตัวเลขหลัก' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'ดูทุกโครงการ' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ year_from: '2570' }))
})

test('explains a missing right to company data', async () => {
  delete answers['agencies/0808']
  await open('/agencies/0808')
  await waitFor(() => expect(network.to('agencies/0808').length).toBeGreaterThan(0), ARRIVES)
  network
    .to('agencies/0808')
    .at(-1)!
    .answer({ non_field_errors: ['ไม่มีสิทธิ์'] }, 403)
  expect(await screen.findByText('องค์กรของคุณยังไม่ได้เปิดใช้ข้อมูลบริษัทและหน่วยงาน', undefined, ARRIVES)).toBeVisible()
})

test('reports a failure', async () => {
  delete answers['agencies/0808']
  await open('/agencies/0808')
  await waitFor(() => expect(network.to('agencies/0808').length).toBeGreaterThan(0), ARRIVES)
  network
    .to('agencies/0808')
    .at(-1)!
    .answer({ non_field_errors: ['ข้อมูลไม่ถูกต้อง'] }, 400)
  expect(await screen.findByText('เปิดข้อมูลหน่วยงานไม่สำเร็จ', undefined, ARRIVES)).toBeVisible()
})
