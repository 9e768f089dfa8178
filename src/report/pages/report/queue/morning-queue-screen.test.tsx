import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import { DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import type { User } from '#contract/account/user.ts'
import type { MorningQueue, MorningQueueDecisions, MorningQueueKind } from '#contract/report/morning-queue.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { PursuitAction, PursuitPatch } from '#contract/team/pursuit-action.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import type { ReportSearchPatch } from '#src/lib/report-change.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { LabelPanelHost } from '#src/report/labels/label-panel.tsx'
import { renderInRouter } from '#src/report/pages/report/render-in-router-for-tests.tsx'
import { setSingleKeyShortcutsEnabled } from '#src/shell/shortcuts/shortcut-setting.ts'
import { reportPage } from '../../../../../test/report-page.ts'
import { reportRow } from '../../../../../test/report-row.ts'
import { MorningQueueScreen } from './morning-queue-screen.tsx'

const LOADING = { timeout: 15_000 }
vi.setConfig({ testTimeout: 60_000 })

const ORGANISATION = {
  code: 'acme',
  customer_config: { not_allow_start_time: '01:00:00', not_allow_end_time: '09:00:00' },
} as unknown as Organisation
const section = (kind: MorningQueueKind, ids: readonly string[]) => ({
  kind,
  ids: [...ids],
  total: ids.length,
})
const QUEUE: MorningQueue = {
  load_id: 7,
  data_time: '2026-11-21T01:00:00Z',
  sections: [section('new', ['11', '12', '13']), section('updated', ['14']), section('closing', ['15'])],
  decided: [],
}

let api: ReturnType<typeof startFakeUserApi>
let changed: ReportSearchPatch[] = []
let decisions: MorningQueueDecisions[] = []
let pursued: PursuitAction[] = []
let answers: { queue: () => Response; decide: () => Response }

const latest = (load_id: number) => Response.json({ load_id, data_time: '2026-11-21T02:00:00Z' })

async function setUp({ queue = QUEUE, user = {} }: { queue?: MorningQueue | number; user?: Partial<User> } = {}) {
  answers = {
    queue: () => (typeof queue === 'number' ? Response.json({}, { status: queue }) : Response.json(queue)),
    decide: () => latest(7),
  }
  api = startFakeUserApi(
    buildTestUser({ project_labels: [{ id: 'road', name: 'งานถนน', color: 'sky' }], ...user }),
    true,
  )
  const fakeFetch = fetch
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    if (pathname.endsWith('/projects/queue')) return answers.queue()
    if (pathname.endsWith('/projects/queue/decisions')) {
      const answer = answers.decide()
      if (answer.ok) decisions.push((await new Request(input, init).json()) as MorningQueueDecisions)
      return answer
    }
    if (pathname.includes('/pursuits/')) return answerPursuit(new Request(input, init))
    if (pathname.endsWith('/projects')) {
      const ids = searchParams.get('project_id__in')!.split('||')
      const isFirst = !searchParams.has('is_archived') && !searchParams.has('project_hidden')
      const results = isFirst ? ids.map((id) => reportRow({ project_id: id, name: `งานที่ ${id}` })) : []
      return Response.json(pageOf(results))
    }
    return fakeFetch(input, init)
  })
  queryClient.setQueryData(organisationKeys.me, ORGANISATION)
  await renderInRouter(
    <QueryClientProvider client={queryClient}>
      <MorningQueueScreen search={{}} change={(patch) => changed.push(patch)} />
      <LabelPanelHost />
    </QueryClientProvider>,
  )
}

async function answerPursuit(call: Request): Promise<Response> {
  const { pathname } = new URL(call.url)
  if (pathname.endsWith('/settings'))
    return Response.json({
      stages: DEFAULT_PURSUIT_STAGES,
      template: [],
      price_roles: [],
      sees_price: false,
      labels: [],
      members: [],
    })
  if (call.method === 'PATCH') pursued.push(...((await call.json()) as PursuitPatch).actions)
  const project_id = pathname.split('/').at(-1)
  return Response.json({ project_id, pursuit: null, notes: [], history: [], outcome: null, draft_comments: [] })
}

const pageOf = (results: ReportRow[]) => reportPage({ results, total_project: results.length, page_size: 100 })

const panel = () => screen.getByRole('dialog', { name: 'ไล่ดูรายการเช้านี้' })
const at = async (id: string) => within(panel()).findByRole('heading', { name: `งานที่ ${id}` }, LOADING)
const press = (key: string, more: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })
const progressText = () => within(panel()).getByRole('progressbar').getAttribute('aria-valuetext')
const sentDecisions = () =>
  decisions.flatMap((decision) => decision.project_ids.map((id) => `${decision.decided ? '+' : '-'}${id}`))

beforeEach(() => {
  setSingleKeyShortcutsEnabled(true)
  changed = []
  decisions = []
  pursued = []
})
afterEach(() => stopFakeUserApi())

test('stars, labels, hides and skips to the end by keyboard, sending each decision once', async () => {
  await setUp()
  await at('11')
  expect(document.activeElement).toBe(within(panel()).getByRole('region', { name: 'โครงการที่กำลังดู' }))
  press('b')
  press('j')
  await at('12')
  press('x')
  await at('13')
  press('l')
  const picker = await screen.findByRole('dialog', { name: 'ป้ายกำกับ' }, LOADING)
  const box = await within(picker).findByRole('group', { name: 'ป้ายของโครงการ' })
  await waitFor(() => expect(document.activeElement).toBe(box))
  fireEvent.keyDown(box, { key: '1' })
  fireEvent.keyDown(box, { key: 'j' })
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'ป้ายกำกับ' })).toBeNull())
  await at('13')
  press('ArrowRight')
  await at('14')
  press(' ')
  await at('15')
  expect(progressText()).toBe('4 จาก 5 โครงการ')
  within(panel()).getByRole('region', { name: 'โครงการที่กำลังดู' }).focus()
  press('Enter')
  expect(await screen.findByRole('heading', { name: 'ไล่ดูครบ 5 โครงการแล้ว' })).toBeVisible()
  const counted = ['ติดดาว', 'ติดป้าย', 'ซ่อน', 'ดูแล้ว'].map(
    (name) => within(panel()).getByText(name).closest('div')!.querySelector('dd')!.textContent,
  )
  expect(counted).toEqual(['1', '1', '1', '2'])
  await waitFor(() => expect(sentDecisions()).toEqual(['+11', '+12', '+13', '+14', '+15']))
  expect(api.user).toMatchObject({
    project_bookmark: ['11'],
    project_hidden: ['12'],
    project_label_assignments: { 13: ['road'] },
  })
})

test('undoes marks and decision of the last project and returns to it, also on Ctrl+Z', async () => {
  await setUp({ user: { project_bookmark: ['12'] } })
  await at('11')
  press('b')
  press('j')
  await at('12')
  press('b')
  press('x')
  await at('13')
  press('u')
  await at('12')
  await waitFor(() => expect(new Set(api.user.project_bookmark)).toEqual(new Set(['11', '12'])))
  press('z', { ctrlKey: true, code: 'KeyZ' })
  await at('11')
  await waitFor(() => expect(api.user.project_bookmark).toEqual(['12']))
  expect(progressText()).toBe('0 จาก 5 โครงการ')
  expect(api.user.project_hidden).toEqual([])
  press('u')
  expect(await within(panel()).findByText('ไม่มีอะไรให้ย้อนแล้ว')).toBeInTheDocument()
})

test('accepts keys on the Thai layout, and ignores a held key', async () => {
  await setUp()
  await at('11')
  press('่', { code: 'KeyJ' })
  await at('12')
  press('j', { repeat: true })
  press('ิ', { code: 'KeyB' })
  await waitFor(() => expect(api.user.project_bookmark).toEqual(['12']))
  await at('12')
  setSingleKeyShortcutsEnabled(false)
  press('j')
  await at('12')
  press('ArrowRight')
  await at('13')
})

test('starts after projects decided earlier, here or on another device', async () => {
  await setUp({ queue: { ...QUEUE, decided: ['11', '12'] } })
  await at('13')
  expect(progressText()).toBe('2 จาก 5 โครงการ')
  press('k')
  await at('12')
})

test('leaves on Esc, but closes only the help when it is open', async () => {
  await setUp()
  await at('11')
  press('?')
  const help = await screen.findByRole('dialog', { name: 'คีย์ลัดตอนไล่ดู' }, LOADING)
  fireEvent.keyDown(help, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'คีย์ลัดตอนไล่ดู' })).toBeNull())
  expect(changed).toEqual([])
  press('Escape')
  expect(changed).toEqual([{ queue: undefined }])
})

test('shows an empty screen when nothing is new', async () => {
  await setUp({ queue: { ...QUEUE, sections: [section('new', []), section('updated', []), section('closing', [])] } })
  expect(await screen.findByText('ไม่มีรายการใหม่ให้ไล่ดู', undefined, LOADING)).toBeVisible()
  expect(screen.getByText(/09:00/)).toBeVisible()
})

test('reports that the organisation has no access to the report', async () => {
  await setUp({ queue: 403 })
  expect(await screen.findByText('บัญชีนี้ดูรายงานโครงการไม่ได้', undefined, LOADING)).toBeVisible()
})

test('reports a failed queue and retries on click', async () => {
  await setUp({ queue: 400 })
  const again = await screen.findByRole('button', { name: 'ลองใหม่' }, LOADING)
  expect(screen.getByText('เปิดรายการเช้านี้ไม่สำเร็จ')).toBeVisible()
  answers.queue = () => Response.json(QUEUE)
  fireEvent.click(again)
  await at('11')
})

test('keeps and reports undelivered decisions, sends them later, and keeps the position', async () => {
  await setUp()
  answers.decide = () => Response.json({}, { status: 500 })
  await at('11')
  press('j')
  await at('12')
  expect(await within(panel()).findByText(/ยังบันทึกไม่ได้ 1 โครงการ/)).toBeVisible()
  answers.decide = () => latest(7)
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(sentDecisions()).toEqual(['+11']))
  await waitFor(() => expect(within(panel()).queryByText(/ยังบันทึกไม่ได้/)).toBeNull())
  await at('12')
})

test('announces a newer load while the current queue continues', async () => {
  await setUp()
  answers.decide = () => latest(8)
  await at('11')
  press('j')
  await at('12')
  const again = await within(panel()).findByRole('button', { name: 'เริ่มชุดใหม่' })
  answers.queue = () =>
    Response.json({ ...QUEUE, load_id: 8, sections: [section('new', ['21']), ...QUEUE.sections.slice(1)] })
  fireEvent.click(again)
  await at('21')
})

test('moves focus to a note on N until Esc, and moves the project to a stage by digit', async () => {
  await setUp()
  await at('11')
  const field = await within(panel()).findByRole('textbox', { name: 'เขียนโน้ต' }, LOADING)
  press('n')
  await waitFor(() => expect(field).toHaveFocus())
  press('4')
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(field).not.toHaveFocus()
  press('4')
  await waitFor(() => expect(pursued).toEqual([{ action: 'set_stage', stage: 'preparing' }]))
  expect(within(panel()).getByText('ย้ายไป เตรียมยื่น แล้ว')).toBeInTheDocument()
  press('j')
  await at('12')
})

test('opens the owner picker on O, and reports a digit without a stage', async () => {
  await setUp()
  await at('11')
  await within(panel()).findByRole('textbox', { name: 'เขียนโน้ต' }, LOADING)
  press('9')
  expect(await within(panel()).findByText('ไม่มีขั้นที่ 9')).toBeInTheDocument()
  press('o')
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^ผู้ดูแล/))
  expect(await screen.findByRole('listbox', {}, LOADING)).toBeInTheDocument()
  expect(pursued).toEqual([])
})
