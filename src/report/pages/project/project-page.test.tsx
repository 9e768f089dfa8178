import { createMemoryHistory } from '@tanstack/react-router'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MATCH_EXPLANATION_RULES, type MatchExplanation } from '#contract/matching/keyword-impact.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { type FakeRequest, startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { newestDataTimeStore } from '#src/report/api/newest-data-time-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { projectDetail } from '../../../../test/project-detail.ts'

const [ID, NEXT, LAST] = ['69119000001', '69119000002', '69119000003'] as const
const NOT_FOUND = { code: 'not_found', non_field_errors: ['ไม่พบข้อมูลที่ต้องการ'] }
// Loading the page code takes seconds on a busy machine.
const ARRIVES = { timeout: 15_000 }

let network: ReturnType<typeof startFakeNetwork>
let answers: Record<string, object>

beforeAll(async () => {
  await Promise.all([import('./project-page.tsx'), import('#src/routes/layout/app-layout.tsx')])
}, 60_000)
beforeEach(() => {
  answers = {
    'users/me': buildTestUser(),
    'organisations/me': buildTestOrganisation(),
    'projects/ids': { ids: [ID, NEXT, LAST], total: 3 },
  }
  network = startFakeNetwork(({ path }) => answers[path])
  // The token was issued at second 1000 and is received then, so our clock equals the server's and the page counts days
  // from today.
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
const holds = (id: string, detail: ProjectDetail) => {
  answers[`projects/${id}`] = detail
}
const named = (id: string, name: string, change: Parameters<typeof projectDetail>[0] = {}) =>
  holds(id, projectDetail({ ...change, row: { project_id: id, name, ...change.row } }))
// Query by element, because a query by role traverses the whole page each time.
const heading = (name: string) => waitFor(() => expect(document.querySelector('h1')).toHaveTextContent(name), ARRIVES)
async function questionTo(path: string): Promise<FakeRequest> {
  await waitFor(() => expect(network.to(path).length).toBeGreaterThan(0), ARRIVES)
  return network.to(path).at(-1)!
}

function why(
  broken: Partial<Record<(typeof MATCH_EXPLANATION_RULES)[number], string>>,
  isKnown = true,
): MatchExplanation {
  return {
    project: isKnown
      ? {
          project_id: ID,
          name: 'จ้างซ่อมกล้องวงจรปิด',
          dept_name: 'กรมการแพทย์',
          dept_sub_name: 'โรงพยาบาลเลิดสิน',
          budget: 1_500_000,
          movement_date: '2026-11-20',
          words: ['กล้อง'],
        }
      : null,
    in_report: false,
    rules: (isKnown ? MATCH_EXPLANATION_RULES : (['known'] as const)).map((rule) => ({
      rule,
      passed: broken[rule] === undefined,
      text: broken[rule] ?? `ผ่านเงื่อนไข ${rule}`,
      words: rule === 'exclude' && broken.exclude !== undefined ? [{ list: 'exclude' as const, word: 'ซ่อม' }] : [],
    })),
  }
}

describe('the project page', () => {
  test('sets the browser title, also after switching tabs on the page', async () => {
    named(ID, 'ซื้อกล้องวงจรปิด')
    await open(`/report/${ID}`)
    await heading('ซื้อกล้องวงจรปิด')
    await waitFor(() => expect(document.title).toBe('ซื้อกล้องวงจรปิด · ตามงาน'))
    await userEvent.click(screen.getByRole('tab', { name: /เอกสาร/ }))
    expect(await screen.findByText('ยังไม่มีเอกสารแนบ', undefined, ARRIVES)).toBeVisible()
    await waitFor(() => expect(document.title).toBe('ซื้อกล้องวงจรปิด · ตามงาน'))
  })

  test('shows the time and the source of the data', async () => {
    named(ID, 'ซื้อกล้องวงจรปิด')
    await open(`/report/${ID}`)
    expect(await screen.findByText(/ข้อมูล ณ 21 พ.ย. 2569 09:00 น. · ที่มา RSS ของระบบ e-GP/, {}, ARRIVES)).toBeVisible()
  })

  test('is refetched when a newer load has arrived', async () => {
    named(ID, 'ซื้อกล้องวงจรปิด')
    await open(`/report/${ID}`)
    await heading('ซื้อกล้องวงจรปิด')
    named(ID, 'ซื้อกล้องวงจรปิดฉบับแก้ไข', { data_time: '2026-11-22T02:00:00.000Z' })
    newestDataTimeStore.set('2026-11-22T02:00:00.000Z')
    await heading('ซื้อกล้องวงจรปิดฉบับแก้ไข')
    newestDataTimeStore.set(null)
  })

  test('shows that it is delivered and hidden, and unhides it', async () => {
    answers['users/me'] = buildTestUser({ project_hidden: [ID] })
    named(ID, 'ซื้อกล้องวงจรปิด', { row: { is_archived: true } })
    await open(`/report/${ID}`)
    expect(await screen.findByText(/ส่งมอบแล้ว อยู่ในแท็บส่งมอบแล้วของรายงาน/, {}, ARRIVES)).toBeVisible()
    const notice = screen.getByText(/คุณซ่อนโครงการนี้ไว้/).parentElement!
    await userEvent.click(within(notice).getByRole('button', { name: 'เลิกซ่อน' }))
    await waitFor(() =>
      expect(network.to('users/me').find(({ method }) => method === 'PATCH')?.body).toEqual({
        hide_action: { action: 'remove', project_ids: [ID] },
      }),
    )
  })
})

describe('the facts', () => {
  /** Returns the visible text, without screen reader texts and phone-only parts. */
  function seenText(): string {
    const page = document.querySelector('main')!.cloneNode(true) as HTMLElement
    for (const unseen of page.querySelectorAll('.sr-only, [data-phone-facts]')) unseen.remove()
    return page.textContent ?? ''
  }

  test('show source and date, except for demo data; the history links to the announcement', async () => {
    const factSource = (fact: string, source: string) => ({ fact, source, seen_at: '2026-11-20T02:00:00.000Z' })
    const link = 'https://process5.gprocurement.go.th/x'
    const announcements = [{ movement: 'invited', announced_date: '2026-11-10', link }]
    named(ID, 'ซื้อกล้อง', {
      fact_sources: [factSource('budget', 'cgd-json'), factSource('status', 'sample')],
      announcements,
    })
    await open(`/report/${ID}`)
    expect(await screen.findByText('จาก CGD 20 พ.ย. 2569', {}, ARRIVES)).toBeInTheDocument()
    expect(screen.queryByText(/จาก ข้อมูลตัวอย่าง/)).toBeNull()
    await userEvent.click(screen.getByRole('tab', { name: /^ประวัติ/ }))
    const [announcement] = await screen.findAllByRole('link', { name: /^ประกาศเชิญชวน/ }, ARRIVES)
    expect(announcement).toHaveAttribute('href', link)
  })

  test('show doubtful values with the value of the source, and the explanation on click', async () => {
    const doubt = { kind: 'amount_too_high', field: 'ราคาตกลงซื้อ/จ้าง', value: '49,500,000' } as const
    named(ID, 'ซื้อกล้อง', { row: { doubts: [doubt] } })
    await open(`/report/${ID}`)
    const marks = await screen.findByRole('region', { name: 'ข้อสังเกตของข้อมูล' }, ARRIVES)
    expect(within(marks).getByText('49,500,000')).toBeInTheDocument()
    const mark = within(marks).getByText('จำนวนเงินสูงผิดปกติ')
    expect(mark.closest('details')).not.toHaveAttribute('open')
    await userEvent.click(mark)
    expect(mark.closest('details')).toHaveAttribute('open')
    expect(within(marks).getByText(/ไม่นำไปคิดในยอดรวมและค่ากลาง/)).toBeInTheDocument()
  })

  test('show no dash: unknown values are omitted or explained, and the deadline is counted once', async () => {
    named(ID, 'ซื้อกล้องวงจรปิด', {
      fiscal_year: null,
      row: {
        budget: null,
        estimate_budget: null,
        criteria: 'no_data',
        dept_province: null,
        dept_region: null,
        remark: null,
        bidding_invite_date: '2026-11-12',
        movement: 'invited',
        movement_date: '2026-11-12',
        submission_end_date: '2099-12-28',
      },
    })
    await open(`/report/${ID}`)
    await heading('ซื้อกล้องวงจรปิด')
    const text = seenText()
    expect(text).toContain('งบประมาณหน่วยงานไม่ได้ประกาศ')
    expect(text).toContain('ราคากลางยังไม่ประกาศราคากลาง')
    expect(text).not.toContain('เกณฑ์การพิจารณา')
    expect(text).not.toMatch(/[ก-๙]–(?!\d)/u)
    expect(text.match(/วัน28 ธ\.ค\. 2642/g)).toHaveLength(1)
    expect(text).not.toMatch(/เหลือ \d+ วัน/)
    expect(text.match(/12 พ\.ย\. 2569/g)).toHaveLength(1)
  })

  test('show the money under the name on a phone', async () => {
    named(ID, 'ซื้อกล้องวงจรปิด', { row: { budget: 10_000_000, estimate_budget: 9_500_000 } })
    await open(`/report/${ID}`)
    await heading('ซื้อกล้องวงจรปิด')
    expect(document.querySelector('[data-phone-facts]')).toHaveTextContent(
      'งบ 10,000,000.00 บาท · ราคากลาง 9,500,000.00',
    )
  })

  test('link to e-GP without a file; a demo project explains why it has no link', async () => {
    named(ID, 'ซื้อกล้องวงจรปิด')
    await open(`/report/${ID}`)
    await heading('ซื้อกล้องวงจรปิด')
    expect(screen.getByRole('link', { name: /เปิดในระบบ e-GP/ })).toHaveAttribute(
      'href',
      expect.stringContaining(`gprocurement.go.th/egp2procmainWeb/jsp/procsearch.sch?servlet=gojsp`),
    )
    cleanup()
    named('69118000001', 'ซื้อกล้องตัวอย่าง')
    await open('/report/69118000001')
    await heading('ซื้อกล้องตัวอย่าง')
    await userEvent.click(screen.getByRole('button', { name: 'เปิดในระบบ e-GP' }))
    expect(await screen.findByText(/เป็นข้อมูลตัวอย่าง ไม่มีอยู่ในระบบ e-GP/)).toBeVisible()
  })
})

describe('the line of time', () => {
  const dates = async () =>
    within(await screen.findByRole('list', { name: 'วันสำคัญของโครงการ' }, ARRIVES))
      .getAllByRole('listitem')
      .map((item) => item.textContent ?? '')
  const row = {
    movement: 'invited',
    draft_published_date: '2099-11-02',
    draft_discussion_end_date: '2099-11-10',
    bidding_invite_date: '2099-11-20',
    submission_end_date: '2099-12-09',
    submission_time: '09:00-12:00',
  } as const

  test('shows stages and dates in order, each with its certainty and clause', async () => {
    named(ID, 'ซื้อกล้อง', { row })
    await open(`/report/${ID}`)
    const [draft, ...others] = (await dates()).slice(-9)
    expect(draft).toContain('ร่างประกาศ')
    expect(others.map((text) => /แน่นอน|คำนวณ/.exec(text)?.[0])).toEqual([
      'แน่นอน',
      undefined,
      'คำนวณ',
      'คำนวณ',
      'แน่นอน',
      'คำนวณ',
      undefined,
      undefined,
    ])
    for (const part of ['สิ้นสุดวิจารณ์ร่าง', 'ข้อ 45', 'มิฉะนั้นอุทธรณ์เรื่องขอบเขตงานไม่ได้']) expect(others[0]).toContain(part)
    for (const part of ['รับหรือซื้อเอกสารวันสุดท้าย', 'ข้อ 43, 49']) expect(others[3]).toContain(part)
    expect(others[4]).toContain('9 ธ.ค. 2642 · 09:00–12:00 น.')
  })

  test('a clear fact of a document replaces the computed day and opens its page', async () => {
    named(ID, 'ซื้อกล้อง', { row })
    const fact = { state: 'clear', sentence: 'x', page: 4, offset: 0 }
    answers[`projects/${ID}/documents`] = {
      documents: [
        {
          id: 'd1',
          project_id: ID,
          name: 'ประกาศ.pdf',
          type: 'pdf',
          bytes: 1,
          state: 'read',
          reason: null,
          kind: 'invitation',
          page_count: 9,
          facts: [{ ...fact, fact: 'question_deadline', value: { kind: 'date', date: '2099-12-01' } }],
          mismatch: null,
          pictures: { state: 'none', reason: null, total: 0, done: 0, failed: 0 },
          bundle_id: null,
          member_count: 0,
          left_out: [],
          fetched_at: null,
          link: null,
          added_at: '2026-11-20T02:00:00.000Z',
          added_by: null,
          is_removable: false,
        },
      ],
    }
    await open(`/report/${ID}`)
    const link = await screen.findByRole('link', { name: 'เปิดหน้า 4' }, ARRIVES)
    expect(link).toHaveAttribute('href', `/report/${ID}/documents/d1?page=4`)
    for (const part of ['ถามรายละเอียดวันสุดท้าย', '1 ธ.ค. 2642แน่นอน']) expect(link.closest('li')).toHaveTextContent(part)
  })

  test('shows the appeal only to who decided to bid, and explains that to the undecided', async () => {
    const awarded = { ...row, movement: 'winner_announced', winner_announce_date: '2099-12-28' }
    named(ID, 'ซื้อกล้อง', { row: awarded })
    await open(`/report/${ID}`)
    expect((await dates()).join()).not.toContain('ครบกำหนดอุทธรณ์')
    expect(screen.getByText(/อุทธรณ์ได้เฉพาะผู้ที่ยื่นข้อเสนอ/)).toBeVisible()
    const { queryClient } = await import('#src/api/http/query-client.ts')
    const { pursuitKeys } = await import('#src/api/http/keys.ts')
    act(() => {
      queryClient.setQueryData(pursuitKeys.detail(ID), {
        project_id: ID,
        pursuit: { decision: 'bid' },
        notes: [],
        history: [],
        outcome: null,
        draft_comments: [],
      })
    })
    await waitFor(async () => {
      const text = (await dates()).join()
      for (const part of ['ครบกำหนดอุทธรณ์', 'ม. 117', 'ม. 118', 'ม. 119']) expect(text).toContain(part)
    })
    expect(screen.queryByText(/กดยื่นไว้/)).toBeNull()
  })
})

test.each([
  ['overview', 'ภาพรวม'],
  ['prices', 'ราคา'],
  ['bidders', 'ผู้เสนอราคา'],
  ['files', 'เอกสาร'],
  ['changes', 'ประวัติ'],
  ['documents', 'เอกสาร'],
  ['history', 'ประวัติ'],
  ['price', 'ราคา'],
  ['unknown', 'ภาพรวม'],
])('the address ?tab=%s opens %s', async (tab, name) => {
  named(ID, 'ซื้อกล้องวงจรปิด')
  await open(`/report/${ID}?tab=${tab}`)
  await heading('ซื้อกล้องวงจรปิด')
  expect(await screen.findByRole('tabpanel', { name }, ARRIVES)).toBeVisible()
})

describe('since the last visit', () => {
  const SEEN = '2026-11-20T02:00:00.000Z'
  const history = [
    { field: 'submission_end_date', old: '2026-11-25', new: '2026-11-28', seen_at: SEEN },
    { field: 'remark', old: null, new: 'ทดสอบ', seen_at: '2026-11-10T02:00:00.000Z' },
  ]

  test('shows a moved submission first, in words, above the line of the last visit', async () => {
    named(ID, 'ซื้อกล้องวงจรปิด', { history, last_looked_at: '2026-11-15T02:00:00.000Z' })
    await open(`/report/${ID}?tab=changes`)
    expect(await screen.findByText(/วันหรือเวลายื่นข้อเสนอเปลี่ยน/, {}, ARRIVES)).toBeVisible()
    const items = within(screen.getByRole('tabpanel', { name: 'ประวัติ' })).getAllByRole('listitem')
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringContaining('เดิม 25 พ.ย. 2569 → เป็น 28 พ.ย. 2569เลื่อนออกไป 3 วัน'),
      expect.stringContaining('ด้านบนคือสิ่งใหม่ตั้งแต่คุณเปิดดูครั้งก่อน · 15 พ.ย. 2569 09:00 น.'),
      expect.stringContaining('หมายเหตุ'),
    ])
    expect(items[0]).toHaveTextContent('ใหม่ตั้งแต่คุณเปิดดูครั้งก่อน')
    expect(items[2]).not.toHaveTextContent('ใหม่ตั้งแต่')
  })

  test.each([
    ['the first visit', null],
    ['a visit after which nothing changed', '2026-11-21T02:00:00.000Z'],
  ])('%s shows no line and no notice', async (_what, last_looked_at) => {
    named(ID, 'ซื้อกล้องวงจรปิด', { history, last_looked_at })
    await open(`/report/${ID}?tab=changes`)
    await heading('ซื้อกล้องวงจรปิด')
    expect(await screen.findByText('ประกาศและข้อมูลที่เปลี่ยน')).toBeVisible()
    expect(screen.queryByText(/ตั้งแต่คุณเปิดดูครั้งก่อน/)).toBeNull()
  })

  test('keeps the marks when refetched while reading', async () => {
    named(ID, 'ซื้อกล้องวงจรปิด', { history, last_looked_at: '2026-11-15T02:00:00.000Z' })
    await open(`/report/${ID}`)
    await screen.findByText(/วันหรือเวลายื่นข้อเสนอเปลี่ยน/, {}, ARRIVES)
    named(ID, 'ซื้อกล้องวงจรปิดใหม่', { history, last_looked_at: '2026-11-21T02:00:00.000Z' })
    const { queryClient } = await import('#src/api/http/query-client.ts')
    void queryClient.invalidateQueries({ queryKey: ['projects', 'detail'] })
    await heading('ซื้อกล้องวงจรปิดใหม่')
    expect(screen.getByText(/วันหรือเวลายื่นข้อเสนอเปลี่ยน/)).toBeVisible()
  })

  test('marks a file added since as new', async () => {
    const file = { step: 'invited', url: 'https://process5.gprocurement.go.th/a', published_date: '2026-11-20' }
    named(ID, 'ซื้อกล้องวงจรปิด', {
      last_looked_at: '2026-11-15T02:00:00.000Z',
      attachments: [
        { ...file, name: 'ประกาศ.pdf', first_seen_at: SEEN },
        { ...file, name: 'ร่าง.pdf', url: 'javascript:alert(1)', first_seen_at: '2026-11-10T02:00:00.000Z' },
      ],
    })
    await open(`/report/${ID}?tab=files`)
    expect(await screen.findByRole('link', { name: /^ประกาศ.pdf\s*ใหม่/ }, ARRIVES)).toBeVisible()
    expect(screen.getByText('ร่าง.pdf').closest('li')).toHaveTextContent('ลิงก์เสีย')
    expect(screen.getByText('ร่าง.pdf').closest('li')).not.toHaveTextContent('ใหม่')
  })
})

describe('the originating list', () => {
  test('is navigated by J and K, keeps filters and tab, and reports its ends', async () => {
    named(ID, 'งานหนึ่ง')
    named(NEXT, 'งานสอง')
    const router = await open(`/report/${ID}?from=project_bookmark%3Dtrue&tab=changes`)
    await heading('งานหนึ่ง')
    expect(await screen.findByText('1 จาก 3')).toBeVisible()
    expect(screen.getByRole('button', { name: 'โครงการก่อนหน้า (K)' })).toBeDisabled()
    await userEvent.keyboard('k')
    expect(await screen.findByText('โครงการแรกของรายการแล้ว')).toBeInTheDocument()
    await userEvent.keyboard('j')
    await heading('งานสอง')
    expect(screen.getByText('2 จาก 3')).toBeVisible()
    expect(router.state.location).toMatchObject({
      pathname: `/report/${NEXT}`,
      search: { from: 'project_bookmark=true', tab: 'changes' },
    })
    expect(network.to('projects/ids')[0]!.query.toString()).toBe('project_bookmark=true')
    expect(router.history.length).toBe(1)
  })

  test('prefetches the next project without recording a visit', async () => {
    named(ID, 'งานหนึ่ง')
    await open(`/report/${ID}?from=`)
    const ahead = await questionTo(`projects/${NEXT}`)
    expect(ahead.query.get('ahead')).toBe('true')
  })

  test('moves on after hiding with X and keeps the position', async () => {
    named(ID, 'งานหนึ่ง')
    named(NEXT, 'งานสอง')
    await open(`/report/${ID}?from=`)
    await heading('งานหนึ่ง')
    await screen.findByText('1 จาก 3')
    answers['projects/ids'] = { ids: [NEXT, LAST], total: 2 }
    await userEvent.keyboard('x')
    await heading('งานสอง')
    expect(screen.getByText('2 จาก 3')).toBeVisible()
  })

  test('offers no neighbours when there is none', async () => {
    named(ID, 'งานหนึ่ง')
    await open(`/report/${ID}`)
    await heading('งานหนึ่ง')
    expect(screen.queryByRole('button', { name: 'โครงการถัดไป (J)' })).toBeNull()
    expect(network.to('projects/ids')).toEqual([])
  })
})

describe('a project that cannot be shown', () => {
  test('shows the rules that exclude it from the report and the possible actions', async () => {
    await open(`/report/${ID}`)
    ;(await questionTo(`projects/${ID}`)).answer(NOT_FOUND, 404)
    await heading('ไม่มีโครงการนี้ในรายงานขององค์กร')
    ;(await questionTo(`projects/${ID}/why`)).answer(why({ exclude: 'ชื่อมีคำไม่รวม ‘ซ่อม’' }))
    expect(await screen.findByText('ไม่อยู่ในรายงาน ติด 1 เงื่อนไข')).toBeVisible()
    expect(screen.getByText('ชื่อมีคำไม่รวม ‘ซ่อม’')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'นำเข้ารายงาน' }))
    const rescue = await questionTo('organisations/me/hidden/rescue')
    expect(rescue.body).toEqual({ project_ids: [ID] })
    named(ID, 'จ้างซ่อมกล้องวงจรปิด')
    rescue.answer({})
    await heading('จ้างซ่อมกล้องวงจรปิด')
  })

  test('reports an unknown number', async () => {
    await open(`/report/${ID}`)
    ;(await questionTo(`projects/${ID}`)).answer(NOT_FOUND, 404)
    ;(await questionTo(`projects/${ID}/why`)).answer(why({ known: 'ไม่พบ' }, false))
    expect(await screen.findByText(/ไม่พบเลขที่ 69119000001 ในข้อมูลที่ระบบมี/)).toBeVisible()
  })

  test('requests no reason for a malformed number', async () => {
    await open('/report/nothing')
    ;(await questionTo('projects/nothing')).answer(NOT_FOUND, 404)
    expect(await screen.findByText(/ไม่พบเลขที่ nothing ในข้อมูลที่ระบบมี/, {}, ARRIVES)).toBeVisible()
    expect(network.asked.some(({ path }) => path.endsWith('/why'))).toBe(false)
  })

  test('reports missing permission without offering a retry', async () => {
    await open(`/report/${ID}`)
    ;(await questionTo(`projects/${ID}`)).answer({ code: 'forbidden', non_field_errors: ['ไม่มีสิทธิ์'] }, 403)
    expect(await screen.findByText('บัญชีของคุณไม่มีสิทธิ์ดูโครงการ')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'ลองใหม่' })).toBeNull()
  })

  test('offers a retry after a failure, which then shows the project', async () => {
    await open(`/report/${ID}`)
    ;(await questionTo(`projects/${ID}`)).answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    expect(await screen.findByText('เปิดโครงการไม่สำเร็จ')).toBeVisible()
    expect(screen.getByText('ทำรายการถี่เกินไป')).toBeVisible()
    named(ID, 'ซื้อกล้องวงจรปิด')
    await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
    await heading('ซื้อกล้องวงจรปิด')
  })

  test('keeps the shown data when a refetch fails', async () => {
    named(ID, 'ซื้อกล้องวงจรปิด')
    await open(`/report/${ID}`)
    await heading('ซื้อกล้องวงจรปิด')
    delete answers[`projects/${ID}`]
    const { queryClient } = await import('#src/api/http/query-client.ts')
    void queryClient.invalidateQueries({ queryKey: ['projects', 'detail'] })
    await waitFor(() => expect(network.to(`projects/${ID}`).length).toBeGreaterThan(1))
    network
      .to(`projects/${ID}`)
      .at(-1)!
      .answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    const alert = await screen.findByText('อัปเดตข้อมูลโครงการไม่สำเร็จ ที่เห็นคือข้อมูลเดิม')
    expect(alert).toBeVisible()
    expect(document.querySelector('h1')).toHaveTextContent('ซื้อกล้องวงจรปิด')
  })

  test('isolates a broken panel from the rest of the page', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    named(ID, 'ซื้อกล้องวงจรปิด', { bidders: null as unknown as [] })
    // Only data that bypassed schema validation can have this shape, so put it directly into the cache.
    const { queryClient } = await import('#src/api/http/query-client.ts')
    const broken = { ...(answers[`projects/${ID}`] as ProjectDetail) }
    broken.bidders = [null as never]
    delete answers[`projects/${ID}`]
    queryClient.setQueryData(['projects', 'detail', ID], broken)
    await open(`/report/${ID}?tab=bidders`)
    expect(await screen.findByText('แสดงผู้เสนอราคาไม่สำเร็จ', {}, ARRIVES)).toBeVisible()
    expect(document.querySelector('h1')).toHaveTextContent('ซื้อกล้องวงจรปิด')
    expect(screen.getByRole('region', { name: 'กำหนดเวลา' })).toBeVisible()
    vi.restoreAllMocks()
  })
})
