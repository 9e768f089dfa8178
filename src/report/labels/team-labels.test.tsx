import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { applyTeamLabelAction } from '#contract/report/apply-team-label-action.ts'
import type { PackedTeamLabels, TeamLabels } from '#contract/report/team-label.ts'
import type { TeamLabelAction } from '#contract/report/team-label-action.ts'
import { type ChangeNotice, setChangeNoticeListener } from '#src/api/change-notice.ts'
import { pursuitKeys, userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { LabelButton, LabelPanelHost, openLabelManager, openLabelPicker } from './label-panel.tsx'

const SURE = { id: 'sure', name: 'ยื่นแน่', color: 'sky', created_by: 2 }
const OWN = { id: 'mine', name: 'ของเรา', color: 'amber', created_by: 1 }
const news: ChangeNotice[] = []
let team: TeamLabels
let sent: TeamLabelAction[]

async function answer(input: RequestInfo | URL): Promise<Response> {
  const request = input as Request
  const path = new URL(request.url).pathname
  if (!path.includes('/team-')) return Response.json({})
  if (request.method === 'PATCH') {
    const { action } = (await request.json()) as { action: TeamLabelAction }
    sent.push(action)
    team = applyTeamLabelAction(team, action, 1)
  }
  return Response.json(request.method === 'PATCH' ? packed(team) : { ...packed(team), views: [] })
}

function packed({ labels, assignments }: TeamLabels): PackedTeamLabels {
  const digits = (id: string) =>
    labels
      .findIndex((label) => label.id === id)
      .toString(16)
      .padStart(2, '0')
  const carriers = Object.entries(assignments).map(([project, ids]) => [project, ids.map(digits).join('')])
  return { labels, carriers: Object.fromEntries(carriers) }
}

function setUp() {
  render(
    <QueryClientProvider client={queryClient}>
      <LabelButton projectIds={['1']} name="จ้างก่อสร้างถนน" />
      <LabelPanelHost />
    </QueryClientProvider>,
  )
}
beforeEach(() => {
  news.length = 0
  sent = []
  team = { labels: [SURE, OWN], assignments: { '1': ['sure'], '2': ['mine'] } }
  setChangeNoticeListener((notice) => news.push(notice))
  startSession(buildTestSession())
  queryClient.setQueryData(
    userKeys.me,
    buildTestUser({ project_labels: [{ id: 'road', name: 'งานถนน', color: 'red' }] }),
  )
  queryClient.setQueryData(pursuitKeys.settings, {
    ...{ stages: [], template: [], price_roles: [], sees_price: true, labels: [] },
    members: [{ id: 2, name: 'กฤตภาส', is_disabled: false }],
  })
  vi.spyOn(globalThis, 'fetch').mockImplementation(answer)
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => ({ matches: true, media, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList,
  )
})
afterEach(() => {
  endSession('logout')
  queryClient.clear()
  vi.restoreAllMocks()
})

const open = async () => {
  setUp()
  openLabelPicker(['1'], screen.getByRole('button', { name: 'ป้าย จ้างก่อสร้างถนน' }))
  const picker = await screen.findByRole('dialog', { name: 'ป้ายกำกับ' }, { timeout: 10_000 })
  await within(picker).findByRole('group', { name: 'ป้ายทีมของโครงการ' })
  return within(picker)
}
const box = (name: string) => screen.getByRole('checkbox', { name })

test('lists team labels below personal ones, marked as such, and toggles them', async () => {
  const picker = await open()
  expect(picker.getAllByRole('checkbox').map((checkbox) => checkbox.closest('label')?.textContent)).toEqual([
    'งานถนน1',
    'ทีม ยื่นแน่2',
    'ทีม ของเรา3',
  ])
  expect(box('ทีม ยื่นแน่')).toBeChecked()
  await userEvent.click(box('ทีม ของเรา'))
  expect(box('ทีม ของเรา')).toBeChecked()
  await vi.waitFor(() => expect(sent).toEqual([{ action: 'assign_label', label_id: 'mine', project_ids: ['1'] }]))
  await userEvent.keyboard('2')
  await vi.waitFor(() => expect(team.assignments['1']).toEqual(['mine']))
  expect(news.at(-1)).toMatchObject({ kind: 'done', text: 'เอาป้ายทีม “ยื่นแน่” ออกแล้ว' })
  const { undo } = news.at(-1) as { undo?: () => void }
  undo!()
  await vi.waitFor(() => expect(team.assignments['1']).toEqual(['mine', 'sure']))
})

test('creates a personal or a team label from a name', async () => {
  const picker = await open()
  await userEvent.type(picker.getByRole('textbox'), 'ด่วน')
  await userEvent.click(picker.getByRole('button', { name: 'สร้างป้ายทีม ด่วน' }))
  await vi.waitFor(() =>
    expect(sent[0]).toMatchObject({ action: 'create_label', label_name: 'ด่วน', project_ids: ['1'] }),
  )
  expect(box('ทีม ด่วน')).toBeChecked()
  await userEvent.type(picker.getByRole('textbox'), 'ด่วน')
  expect(picker.queryByRole('button', { name: 'สร้างป้ายทีม ด่วน' })).toBeNull()
  expect(picker.getByRole('button', { name: 'สร้างป้าย ด่วน' })).toBeEnabled()
})

test('lets members change labels they created, and shows who created the others', async () => {
  setUp()
  openLabelManager()
  const dialog = within(await screen.findByRole('dialog', { name: 'จัดการป้ายกำกับ' }, { timeout: 10_000 }))
  expect(await dialog.findByText(/1 โครงการ · สร้างโดย กฤตภาส/)).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'ลบป้ายทีม ยื่นแน่' })).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'ลบป้ายทีม ของเรา' }))
  expect(dialog.getByText(/ของทุกคนในทีม/)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'ลบป้าย' }))
  await vi.waitFor(() => expect(sent).toEqual([{ action: 'delete_label', label_id: 'mine' }]))
  expect(news.at(-1)).toMatchObject({ text: 'ลบป้ายทีม “ของเรา” แล้ว' })
})
