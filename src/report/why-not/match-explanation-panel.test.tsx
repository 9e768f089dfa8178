import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import { MATCH_EXPLANATION_RULES, type MatchExplanation } from '#contract/matching/keyword-impact.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { MatchExplanationPanel } from './match-explanation-panel.tsx'

const ID = '67119123456'
type Rule = (typeof MATCH_EXPLANATION_RULES)[number]

function why(...broken: Rule[]): MatchExplanation {
  return {
    project: {
      project_id: ID,
      name: 'จ้างซ่อมกล้องวงจรปิด ตำบลบางเสร่',
      dept_name: 'กรมการแพทย์',
      dept_sub_name: 'โรงพยาบาลเลิดสิน',
      budget: 1_500_000,
      movement_date: '2026-11-20',
      words: ['กล้อง'],
    },
    in_report: broken.every((rule) => rule === 'hidden_by_you' || rule === 'archived'),
    rules: MATCH_EXPLANATION_RULES.map((rule) => ({
      rule,
      passed: !broken.includes(rule),
      text: `ข้อความของ ${rule}`,
      words: rule === 'exclude' && broken.includes(rule) ? [{ list: 'exclude', word: 'ซ่อม' }] : [],
    })),
  }
}

type SetUp = { id?: string | null; organisation?: Organisation }

async function setUp(
  answer: MatchExplanation | undefined,
  { id = ID, organisation = buildTestOrganisation() }: SetUp = {},
) {
  queryClient.setQueryData(organisationKeys.me, organisation)
  const network = startFakeNetwork(({ path }) =>
    path.endsWith('/why') ? answer : path === 'users/me' ? buildTestUser() : undefined,
  )
  const onChange = vi.fn()
  function Screen() {
    const [now, setNow] = useState<string | undefined>(id ?? undefined)
    const change = (next: string | undefined) => {
      onChange(next)
      setNow(next)
    }
    return <MatchExplanationPanel id={now} onChange={change} />
  }
  const root = createRootRoute({ component: Outlet })
  const route = createRoute({ getParentRoute: () => root, path: '/', component: Screen })
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const { unmount } = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  const box = await screen.findByRole('textbox', { name: 'เลขที่โครงการ' })
  const requestedPaths = () => network.asked.map(({ path }) => path)
  return { onChange, network, asked: requestedPaths, box, unmount }
}
const broken = () =>
  screen
    .getAllByRole('listitem')
    .filter((item) => item.textContent?.startsWith('ไม่ผ่าน'))
    .map((item) => item.textContent)
afterEach(stopFakeNetwork)

describe('the box', () => {
  test('accepts a pasted e-GP address, also in Thai digits, and sets the number in the address', async () => {
    const { onChange, asked: requestedPaths, box } = await setUp(why(), { id: null })
    await userEvent.click(box)
    await userEvent.paste('https://process5.gprocurement.go.th/egp-agpc01-web/announcement/procurement/๖๗๑๑๙๑๒๓๔๕๖/1')
    expect(onChange).toHaveBeenCalledExactlyOnceWith(ID)
    expect(box).toHaveValue(ID)
    expect(await screen.findByText('อยู่ในรายงาน')).toBeInTheDocument()
    expect(requestedPaths()).toEqual([`projects/${ID}/why`])
  })

  test('refuses text without a number, with the reason, and keeps it', async () => {
    const { onChange, asked: requestedPaths, box } = await setUp(why(), { id: null })
    await userEvent.type(box, 'กล้องวงจรปิด{Enter}')
    expect(screen.getByText(/ไม่พบเลขที่โครงการ วางเลข 11 หลัก/)).toBeInTheDocument()
    expect(box).toHaveValue('กล้องวงจรปิด')
    expect(box).toHaveFocus()
    expect(onChange).not.toHaveBeenCalled()
    expect(requestedPaths()).toEqual([])
  })

  test('repeats the request when the same number is submitted again', async () => {
    const { asked: requestedPaths, box } = await setUp(why())
    await screen.findByText('อยู่ในรายงาน')
    await userEvent.type(box, '{Enter}')
    await vi.waitFor(() => expect(requestedPaths()).toHaveLength(2))
  })

  test('reports a failed request and retries', async () => {
    const { network } = await setUp(undefined)
    await vi.waitFor(() => expect(network.asked).toHaveLength(1))
    network.asked[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    expect(await screen.findByRole('alert')).toHaveTextContent('ทำรายการถี่เกินไป')
    await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
    await vi.waitFor(() => expect(network.asked).toHaveLength(2))
  })
})

describe('the answer', () => {
  test('links to a project in the report', async () => {
    await setUp(why())
    expect(await screen.findByRole('link', { name: 'ดูในรายงาน' })).toBeInTheDocument()
    expect(broken()).toEqual([])
    expect(screen.getByRole('status')).toHaveTextContent(`โครงการ ${ID} อยู่ในรายงาน`)
  })

  test('lists every rule in order, and announces the first that excludes the project', async () => {
    await setUp(why('include', 'budget'))
    expect(await screen.findByText('ไม่อยู่ในรายงาน ติด 2 เงื่อนไข')).toBeInTheDocument()
    expect(screen.getAllByRole('listitem')).toHaveLength(MATCH_EXPLANATION_RULES.length)
    expect(screen.getByRole('status')).toHaveTextContent(`โครงการ ${ID} ไม่อยู่ในรายงาน ข้อความของ include`)
  })

  test('reports an unknown number', async () => {
    await setUp({ project: null, in_report: false, rules: why('known').rules.slice(0, 1) })
    expect(await screen.findByText('ไม่พบโครงการนี้ในระบบ')).toBeInTheDocument()
  })

  test('marks the excluding word and rescues the project', async () => {
    const { network } = await setUp(why('exclude'))
    await userEvent.click(await screen.findByRole('button', { name: 'นำเข้ารายงาน' }))
    const sent = network.asked.filter(({ path }) => path.includes('rescue'))
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ['organisations/me/hidden/rescue', { project_ids: [ID] }],
    ])
    expect([...document.querySelectorAll('[data-against]')].map((mark) => mark.textContent)).toEqual(['ซ่อม'])
  })

  test('offers words of the title, without the place, when no word matches', async () => {
    await setUp(why('include'))
    const group = await screen.findByRole('group', { name: 'เพิ่มคำจากชื่อโครงการนี้' })
    expect(group).toHaveTextContent('กล้องวงจรปิด')
    expect(group).not.toHaveTextContent('บางเสร่')
    const hrefs = within(group)
      .getAllByRole('link')
      .map((link) => decodeURIComponent(link.getAttribute('href')!))
    expect(hrefs).toEqual(['/watch?list=include&word=ซ่อมกล้องวงจรปิด', '/watch?list=include'])
  })

  test.each(['budget', 'province', 'window'] as const)(
    'names the contact outside the %s of the package',
    async (rule) => {
      await setUp(why(rule))
      expect(await screen.findByText(/ขอบเขตนี้มาจากแพ็กเกจขององค์กร/)).toHaveTextContent('ติดต่อทีมงาน')
      expect(screen.getByRole('link', { name: 'ดูขอบเขตของแพ็กเกจ' })).toHaveAttribute(
        'href',
        '/settings?tab=team&part=package',
      )
      expect(broken()).toHaveLength(1)
    },
  )

  test('unhides a project that the user has hidden, and refetches', async () => {
    const { network, asked: requestedPaths } = await setUp(why('hidden_by_you'))
    expect(await screen.findByText('อยู่ในรายงานขององค์กร แต่คุณซ่อนไว้')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'เลิกซ่อน' }))
    await vi.waitFor(() => expect(requestedPaths()).toEqual([`projects/${ID}/why`, 'users/me', `projects/${ID}/why`]))
    expect(network.to('users/me')[0]!.body).toEqual({ hide_action: { action: 'remove', project_ids: [ID] } })
  })

  test('links a delivered project to its tab', async () => {
    await setUp(why('archived'))
    expect(await screen.findByText('อยู่ในรายงาน ที่แท็บส่งมอบแล้ว')).toBeInTheDocument()
    const link = screen.getByRole('link', { name: 'ดูในแท็บส่งมอบแล้ว' })
    expect(link.getAttribute('href')).toContain('is_archived=')
  })

  test('links nowhere for a delivered project outside the report', async () => {
    await setUp(why('include', 'archived'))
    expect(await screen.findByText('ไม่อยู่ในรายงาน ติด 1 เงื่อนไข')).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'ดูในแท็บส่งมอบแล้ว' })).toBeNull()
    expect(broken()).toHaveLength(1)
  })

  test('links to the lists for a word that is switched off, instead of offering words', async () => {
    const answer = why('include')
    answer.rules[1]!.words = [{ list: 'include', word: 'กล้อง' }]
    await setUp(answer)
    expect(await screen.findByRole('link', { name: 'ไปที่คำและหน่วยงาน' })).toHaveAttribute('href', '/watch')
    expect(screen.queryByRole('group')).toBeNull()
  })

  test('offers only the rescue while lists are locked, and neither in demo mode', async () => {
    const { unmount } = await setUp(why('include', 'exclude'), {
      organisation: buildTestOrganisation({}, { not_allow_end_time: '23:59:59' }),
    })
    expect(await screen.findByRole('button', { name: 'นำเข้ารายงาน' })).toBeVisible()
    expect(screen.queryByRole('group')).toBeNull()
    unmount()
    await setUp(why('include', 'exclude'), { organisation: buildTestOrganisation({ code: DEMO_ORGANISATION_CODE }) })
    await screen.findByText('ไม่อยู่ในรายงาน ติด 2 เงื่อนไข')
    expect(screen.queryByRole('group')).toBeNull()
    expect(screen.queryByRole('button', { name: 'นำเข้ารายงาน' })).toBeNull()
  })
})
