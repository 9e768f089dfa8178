import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startHandlingSessionEnd } from '#src/app/start-handling-session-end.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { startFakeWatchListApi, TEST_KEYWORD_STATS } from '#src/matching/api/watch-api-for-tests.ts'

let api: ReturnType<typeof startFakeWatchListApi>
let stop: () => void = () => undefined

// Preload the page code outside the test timeouts, because loading takes long on a busy machine.
beforeAll(async () => {
  await Promise.all([import('./watch-page.tsx'), import('#src/routes/layout/app-layout.tsx')])
}, 60_000)
beforeEach(() => {
  api = startFakeWatchListApi()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

const ARRIVES = { timeout: 15_000 }
async function open(address = '/watch') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  stop = startHandlingSessionEnd(router)
  render(<App router={router} />)
  await screen.findByRole('heading', { level: 1, name: 'คำติดตาม' }, ARRIVES)
  return router
}
const list = (name: string) => screen.findByRole('region', { name }, ARRIVES)
const include = () => list('คำที่ต้องมีในชื่อโครงการ')
const chips = async () =>
  within(await include())
    .getAllByRole('button')
    .filter((button) => button.dataset.chip !== undefined)
    .map((button) => button.querySelector('.truncate')?.textContent)
const box = () => screen.findByRole('textbox', { name: /^คำใหม่/ }, ARRIVES)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }, ARRIVES))

describe('the lists', () => {
  test('show usage, matches per word, pending words and overall health', async () => {
    await open()
    const card = await include()
    expect(card).toHaveTextContent('ใช้ 3/ จาก 30')
    expect(
      await within(card).findByRole('button', { name: /^กล้อง\s*กลุ่ม ความปลอดภัย\s*พบ\s*412\s*โครงการใน 30 วัน/ }),
    ).toBeVisible()
    expect(within(card).getByRole('button', { name: /^(?=.*โดรน).*รอตรวจ/ })).toBeVisible()
    expect(screen.getByText(/โครงการใหม่ต่อวันทำการ/)).toHaveTextContent('เฉลี่ย 18 โครงการใหม่ต่อวันทำการ กำลังดี (3–30)')
    expect(screen.getByRole('tab', { name: /ถูกซ่อนโดยคำไม่รวม/ })).toHaveTextContent('14')
  })

  test('are searched and filtered by group through the address', async () => {
    const router = await open('/watch?q=cc')
    expect(await chips()).toEqual(['CCTV'])
    await userEvent.clear(screen.getByRole('textbox', { name: 'ค้นในคำที่ตั้งไว้' }))
    await press('ความปลอดภัย')
    await waitFor(async () => expect(await chips()).toEqual(['กล้อง']))
    expect(router.state.location.search).toEqual({ group: '7' })
  })

  test('keep the words when the figures fail to load, and retry on click', async () => {
    api.answers['GET organisations/me/keyword-stats'] = () => Response.json({ code: 'bad_input' }, { status: 400 })
    await open()
    expect(await screen.findByText(/โหลดตัวเลขของคำไม่สำเร็จ/, undefined, ARRIVES)).toBeVisible()
    expect(await chips()).toHaveLength(3)
    api.answers['GET organisations/me/keyword-stats'] = () => Response.json(TEST_KEYWORD_STATS)
    await press('ลองใหม่')
    expect(await screen.findByText(/โครงการใหม่ต่อวันทำการ/)).toBeVisible()
  })

  test('report missing permission', async () => {
    api.answers['GET organisations/me/keyword-stats'] = () =>
      Response.json({ non_field_errors: [API_PROBLEM_TEXTS.forbidden] }, { status: 403 })
    await open()
    expect(await screen.findByText('บัญชีของคุณไม่มีสิทธิ์ดูคำติดตาม', undefined, ARRIVES)).toBeVisible()
  })

  test('offer ways to start when empty', async () => {
    api.organisation = buildTestOrganisation()
    await open()
    expect(await screen.findByText('ยังไม่มีคำหรือหน่วยงานที่ติดตาม', undefined, ARRIVES)).toBeVisible()
    await press(/วางรายการคำ/)
    expect(await screen.findByRole('textbox', { name: /^วางหลายคำ/ }, ARRIVES)).toHaveFocus()
  })
})

describe('search methods', () => {
  test('state how many projects leave when one is switched off', async () => {
    api.answers['PATCH organisations/me'] = (body: object) =>
      api.change({ customer_config: { ...api.organisation.customer_config, ...body } })
    await open()
    const ai = await screen.findByRole('switch', { name: /^(?=.*คำใกล้เคียง \(AI\)).*\+5 วันนี้/ }, ARRIVES)
    await userEvent.click(ai)
    const dialog = await screen.findByRole('dialog', { name: /ปิดค้นจากคำใกล้เคียง/ }, ARRIVES)
    expect(dialog).toHaveTextContent('7 โครงการ')
    await userEvent.click(within(dialog).getByRole('button', { name: 'ปิดการค้นนี้' }))
    await waitFor(() => expect(api.calls('PATCH organisations/me')).toEqual([{ search_by_ai: false }]))
    expect(ai).not.toBeChecked()
  })

  test('cannot all be switched off', async () => {
    api.organisation = buildTestOrganisation(
      { include: api.organisation.include },
      { search_by_ai: false, search_by_deptsub: false },
    )
    await open()
    await userEvent.click(await screen.findByRole('switch', { name: /ค้นจากชื่อโครงการ/ }, ARRIVES))
    expect(await screen.findByText(/ปิดทั้งสามแบบไม่ได้/)).toBeVisible()
    expect(api.calls('PATCH organisations/me')).toEqual([])
  })
})

describe('locked lists', () => {
  test('lock after a server refusal and show when they open', async () => {
    api.answers['POST organisations/me'] = () =>
      Response.json({ code: 'lists_locked', non_field_errors: [API_PROBLEM_TEXTS.lists_locked] }, { status: 403 })
    api.organisation = buildTestOrganisation(
      { include: api.organisation.include },
      // Locks the lists for one second a day, which has just passed.
      { not_allow_start_time: '00:00:00', not_allow_end_time: '00:00:01' },
    )
    await open()
    await userEvent.type(await box(), 'โซลาร์{Enter}')
    expect(await screen.findByText(/แก้รายการได้อีกครั้งเวลา 00:00 น\. \(เวลาไทย\)/)).toBeVisible()
    expect(await box()).toBeDisabled()
    expect(within(await include()).getByRole('button', { name: 'ลบ CCTV' })).toBeDisabled()
    expect(await chips()).toEqual(['กล้อง', 'CCTV', 'โดรน'])
  })

  test('show everything and store nothing in demo mode', async () => {
    api.organisation = { ...api.organisation, code: 'demo' }
    await open()
    await userEvent.type(await box(), 'โซลาร์{Enter}')
    await waitFor(() => expect(screen.getAllByText(API_PROBLEM_TEXTS.demo_read_only).length).toBeGreaterThan(1))
    expect(api.calls('POST organisations/me')).toEqual([])
    expect(await box()).toHaveValue('โซลาร์')
  })
})
