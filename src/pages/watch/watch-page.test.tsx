import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KeywordStats, Preview } from '#contract/keyword-impact.ts'
import type { AddKeywords, RemoveKeywords } from '#contract/keyword-requests.ts'
import type { Keyword, Organisation } from '#contract/organisation.ts'
import { PROBLEM_TEXTS } from '#contract/problem.ts'
import { keywordForTests, organisationForTests } from '#src/api/organisation-for-tests.ts'
import { queryClient } from '#src/api/query-client.ts'
import { sessionForTests, userForTests } from '#src/api/user-api-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { followSession } from '#src/app/session-watch.ts'
import { startSession } from '#src/lib/session-store.ts'

const STATS: KeywordStats = {
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
const PREVIEW: Preview = {
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

/** The network's edge: one organisation that the calls change as the server would, and whatever a test says otherwise. */
let organisation: Organisation
let answers: Record<string, (body: never) => Response | Promise<Response>>
let asked: { call: string; body: unknown }[]
let stop: () => void = () => undefined
let gone: Keyword[]
const calls = (call: string) => asked.filter((one) => one.call === call).map(({ body }) => body)
const change = (next: Partial<Organisation>) => {
  organisation = { ...organisation, ...next }
  return Response.json(organisation)
}

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  asked = []
  gone = []
  organisation = organisationForTests(
    {
      include: [
        keywordForTests(1, 'กล้อง', { group_id: 7 }),
        keywordForTests(2, 'CCTV'),
        keywordForTests(3, 'โดรน', { approved: false }),
      ],
      exclude: [keywordForTests(4, 'ซ่อม')],
      keyword_groups: [{ id: 7, name: 'ความปลอดภัย' }],
    },
    { limit_exclude_by_name: 3 },
  )
  answers = {
    'GET users/me': () => Response.json(userForTests()),
    'GET organisations/me': () => Response.json(organisation),
    'GET organisations/me/keyword-stats': () => Response.json(STATS),
    'GET organisations/me/matching': () => Response.json({ state: 'idle', done: 0, total: 0, finished_at: null }),
    'POST organisations/me/keywords/preview': () => Response.json(PREVIEW),
    'POST organisations/me/keywords/check': () => Response.json({ lines: [], waiting: [] }),
    'POST organisations/me': (body: AddKeywords) => {
      let id = 100
      const added = (list: 'include' | 'exclude') =>
        (body[`${list}_keywords`] ?? []).map(({ word }) => keywordForTests(id++, word.trim()))
      return change({
        include: [...organisation.include, ...added('include')],
        exclude: [...organisation.exclude, ...added('exclude')],
      })
    },
    'DELETE organisations/me': (body: RemoveKeywords) => {
      const ids = body.include_keywords?.map(({ id }) => id) ?? []
      gone = organisation.include.filter(({ id }) => ids.includes(id))
      return change({ include: organisation.include.filter(({ id }) => !ids.includes(id)) })
    },
    'POST organisations/me/keywords/restore': () =>
      change({ include: [...gone, ...organisation.include].toSorted((one, other) => one.id - other.id) }),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    const text = await sent.clone().text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    asked.push({ call, body })
    return (answers[call] ?? (() => Response.json({ code: 'not_found' }, { status: 404 })))(body as never)
  })
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  startSession(sessionForTests())
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

// Loading the code takes seconds on a busy machine.
const ARRIVES = { timeout: 15_000 }
async function open(address = '/watch') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  stop = followSession(router)
  render(<App router={router} />)
  await screen.findByRole('heading', { level: 1, name: 'เฝ้าติดตาม' }, ARRIVES)
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
  test('say what is used, what each word found, what waits, and how healthy the whole is', async () => {
    await open()
    const card = await include()
    expect(card).toHaveTextContent('ใช้ 3/ จาก 30')
    expect(
      await within(card).findByRole('button', { name: /^กล้อง\s*กลุ่ม ความปลอดภัย\s*พบ\s*412\s*โครงการใน 30 วัน/ }),
    ).toBeVisible()
    expect(within(card).getByRole('button', { name: /โดรน.*รอตรวจ/ })).toBeVisible()
    expect(screen.getByText(/โครงการใหม่ต่อวันทำการ/)).toHaveTextContent('เฉลี่ย 18 โครงการใหม่ต่อวันทำการ กำลังดี (3–30)')
    expect(screen.getByRole('tab', { name: /ถูกซ่อนโดยคำไม่รวม/ })).toHaveTextContent('14')
  })

  test('are searched and narrowed to a group, in the address', async () => {
    const router = await open('/watch?q=cc')
    expect(await chips()).toEqual(['CCTV'])
    await userEvent.clear(screen.getByRole('textbox', { name: 'ค้นในคำที่ตั้งไว้' }))
    await press('ความปลอดภัย')
    await waitFor(async () => expect(await chips()).toEqual(['กล้อง']))
    expect(router.state.location.search).toEqual({ group: '7' })
  })

  test('figures that cannot be loaded leave the words, and can be asked for again', async () => {
    answers['GET organisations/me/keyword-stats'] = () => Response.json({ code: 'bad_input' }, { status: 400 })
    await open()
    expect(await screen.findByText(/โหลดตัวเลขของคำไม่สำเร็จ/, undefined, ARRIVES)).toBeVisible()
    expect(await chips()).toHaveLength(3)
    answers['GET organisations/me/keyword-stats'] = () => Response.json(STATS)
    await press('ลองใหม่')
    expect(await screen.findByText(/โครงการใหม่ต่อวันทำการ/)).toBeVisible()
  })

  test('somebody who may not see them is told so', async () => {
    answers['GET organisations/me/keyword-stats'] = () =>
      Response.json({ non_field_errors: [PROBLEM_TEXTS.forbidden] }, { status: 403 })
    await open()
    expect(await screen.findByText('บัญชีของคุณไม่มีสิทธิ์ดูคำเฝ้าติดตาม', undefined, ARRIVES)).toBeVisible()
  })

  test('without a word offer ways to begin', async () => {
    organisation = organisationForTests()
    await open()
    expect(await screen.findByText('ยังไม่มีคำหรือหน่วยงานที่ติดตาม', undefined, ARRIVES)).toBeVisible()
    await press(/วางรายการคำ/)
    expect(await screen.findByRole('textbox', { name: /^วางหลายคำ/ }, ARRIVES)).toHaveFocus()
  })
})

describe('a new word', () => {
  test('goes with the exclusions that were offered, in one request', async () => {
    await open()
    await userEvent.type(await box(), 'ยา')
    await userEvent.click(await screen.findByRole('checkbox', { name: /ไม่รวม ยาง/ }, ARRIVES))
    await press('เพิ่ม “ยา” และคำไม่รวม 1 คำ')
    expect(await within(await include()).findByText('เพิ่ม “ยา” และคำไม่รวม 1 คำ แล้ว')).toBeVisible()
    expect(calls('POST organisations/me')).toEqual([
      { include_keywords: [{ word: 'ยา' }], exclude_keywords: [{ word: 'ยาง' }] },
    ])
    expect(await chips()).toContain('ยา')
    expect(await box()).toHaveValue('')
  })

  test('with a mistake is not sent; the place is said', async () => {
    await open()
    await userEvent.type(await box(), '(กล้อง||CCTV{Enter}')
    expect(await box()).toBeInvalid()
    expect(screen.getByText(/วงเล็บตรงนี้ไม่ครบคู่.*ตัวที่ 1/)).toBeVisible()
    expect(calls('POST organisations/me')).toEqual([])
  })

  test('that the server refuses stays in the box, with its reason and the blacklisted words under the list', async () => {
    answers['POST organisations/me'] = () =>
      Response.json(
        {
          errors: { include_keywords: 'เพิ่มไม่ได้ 1 คำ', blacklisted_words: ['โครงการ'] },
          non_field_errors: ['เพิ่มไม่ได้ 1 คำ'],
          lines: [
            { list: 'include', index: 0, word: 'โครงการ', code: 'blacklisted', position: 0, message: 'อยู่ในทุกชื่อ' },
          ],
        },
        { status: 400 },
      )
    await open()
    await userEvent.type(await box(), 'โครงการ{Enter}')
    const card = await include()
    expect(await within(card).findByText('เพิ่ม “โครงการ” ไม่สำเร็จ: เพิ่มไม่ได้ 1 คำ')).toBeVisible()
    expect(within(card).getByText('คำที่ใช้ไม่ได้: “โครงการ”')).toBeVisible()
    expect(await box()).toHaveValue('โครงการ')
    expect(await chips()).toEqual(['กล้อง', 'CCTV', 'โดรน'])
  })

  test('that is refused while the next one is typed waits beside it', async () => {
    let refuse: () => void = () => undefined
    answers['POST organisations/me'] = () =>
      new Promise((resolve) => {
        refuse = () => resolve(Response.json({ code: 'internal' }, { status: 500 }))
      })
    await open()
    await userEvent.type(await box(), 'โซลาร์{Enter}ไฟถนน')
    await waitFor(async () => expect(await chips()).toContain('โซลาร์'))
    await waitFor(() => expect(calls('POST organisations/me')).toHaveLength(1))
    refuse()
    expect(await screen.findByText(/“โซลาร์” เกิดข้อผิดพลาด/)).toBeVisible()
    expect(await box()).toHaveValue('ไฟถนน')
    expect(await chips()).not.toContain('โซลาร์')
    await press('แก้คำนี้')
    expect(await box()).toHaveValue('โซลาร์')
  })

  test('has no room in a full list: the limit is said and the box is closed', async () => {
    organisation = { ...organisation, exclude: [4, 5, 6].map((id) => keywordForTests(id, `คำ${id}`)) }
    await open('/watch?list=exclude')
    expect(await box()).toBeDisabled()
    expect(screen.getAllByText(/ครบ 3 คำตามแพ็กเกจแล้ว ลบบางคำ หรือติดต่อทีมงาน/).length).toBeGreaterThan(0)
  })
})

describe('many words at once', () => {
  test('are told line by line; the good ones are saved, the others stay', async () => {
    answers['POST organisations/me/keywords/check'] = (body: AddKeywords) =>
      Response.json({
        lines: body.include_keywords!.flatMap(({ word }, index) =>
          word === 'โครงการ'
            ? [{ list: 'include', index, word, code: 'blacklisted', position: 0, message: 'อยู่ในทุกชื่อ' }]
            : [],
        ),
        waiting: [],
      })
    await open()
    await press('วางหลายคำ')
    const field = await screen.findByRole('textbox', { name: /^วางหลายคำ/ }, ARRIVES)
    fireEvent.change(field, { target: { value: 'ไฟถนน\tCCTV\n(ยา\nโครงการ\nโซลาร์' } })
    const lines = screen.getByRole('list', { name: 'ผลตรวจทีละบรรทัด' })
    await waitFor(() =>
      expect(
        within(lines)
          .getAllByRole('listitem')
          .map((line) => line.textContent),
      ).toEqual([
        'ไฟถนนเพิ่มได้',
        'CCTVมีคำนี้ในรายการแล้ว',
        expect.stringContaining('วงเล็บ'),
        'โครงการอยู่ในทุกชื่อ',
        'โซลาร์เพิ่มได้',
      ]),
    )
    await press('เพิ่ม 2 คำ (เว้น 3)')
    await waitFor(() => expect(field).toHaveValue('CCTV\n(ยา\nโครงการ'))
    expect(calls('POST organisations/me')).toEqual([{ include_keywords: [{ word: 'ไฟถนน' }, { word: 'โซลาร์' }] }])
    expect(within(await include()).getByText('เพิ่ม 2 คำ แล้ว')).toBeVisible()
  })
})

describe('deleting', () => {
  test('by the keyboard takes the word at once, moves to the next, and can be taken back', async () => {
    await open()
    const first = within(await include()).getByRole('button', { name: /^กล้อง/ })
    act(() => first.focus())
    await userEvent.keyboard('{Delete}')
    await waitFor(async () => expect(await chips()).toEqual(['CCTV', 'โดรน']))
    expect(within(await include()).getByRole('button', { name: /^CCTV/ })).toHaveFocus()
    await press('เลิกทำ')
    await waitFor(async () => expect(await chips()).toEqual(['กล้อง', 'CCTV', 'โดรน']))
    expect(calls('POST organisations/me/keywords/restore')).toEqual([{ ids: [1] }])
  })

  test('several: Shift chooses a range, one request deletes it', async () => {
    await open()
    const card = await include()
    await userEvent.click(within(card).getByRole('button', { name: 'จัดการ คำที่ต้องมีในชื่อโครงการ' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'เลือกหลายคำ' }))
    await userEvent.click(within(card).getByRole('button', { name: /^กล้อง/ }))
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}')
    expect(within(card).getByRole('button', { name: /^CCTV/ })).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(await within(card).findByRole('button', { name: 'ลบ' }, ARRIVES))
    await waitFor(async () => expect(await chips()).toEqual(['โดรน']))
    expect(calls('DELETE organisations/me')).toEqual([{ include_keywords: [{ id: 1 }, { id: 2 }] }])
  })

  test('that fails brings the word back and offers to try again', async () => {
    const works = answers['DELETE organisations/me']!
    answers['DELETE organisations/me'] = () => Response.json({ code: 'internal' }, { status: 500 })
    await open()
    await userEvent.click(within(await include()).getByRole('button', { name: 'ลบ CCTV' }))
    expect((await screen.findAllByText(/ลบ “CCTV” ไม่สำเร็จ/)).length).toBe(2)
    expect(await chips()).toEqual(['กล้อง', 'CCTV', 'โดรน'])
    answers['DELETE organisations/me'] = works
    await press('ลองอีกครั้ง')
    await waitFor(async () => expect(await chips()).toEqual(['กล้อง', 'โดรน']))
  })
})

describe('the ways of searching', () => {
  test('switching one off says how many projects leave', async () => {
    answers['PATCH organisations/me'] = (body: object) =>
      change({ customer_config: { ...organisation.customer_config, ...body } })
    await open()
    const ai = await screen.findByRole('switch', { name: /คำใกล้เคียง \(AI\).*\+5 วันนี้/ }, ARRIVES)
    await userEvent.click(ai)
    const dialog = await screen.findByRole('dialog', { name: /ปิดค้นจากคำใกล้เคียง/ }, ARRIVES)
    expect(dialog).toHaveTextContent('7 โครงการ')
    await userEvent.click(within(dialog).getByRole('button', { name: 'ปิดการค้นนี้' }))
    await waitFor(() => expect(calls('PATCH organisations/me')).toEqual([{ search_by_ai: false }]))
    expect(ai).not.toBeChecked()
  })

  test('the last one cannot be switched off', async () => {
    organisation = organisationForTests(
      { include: organisation.include },
      { search_by_ai: false, search_by_deptsub: false },
    )
    await open()
    await userEvent.click(await screen.findByRole('switch', { name: /ค้นจากชื่อโครงการ/ }, ARRIVES))
    expect(await screen.findByText(/ปิดทั้งสามแบบไม่ได้/)).toBeVisible()
    expect(calls('PATCH organisations/me')).toEqual([])
  })
})

describe('closed lists', () => {
  test('a refusal of the server closes them, with the hour at which they open', async () => {
    answers['POST organisations/me'] = () =>
      Response.json({ code: 'lists_locked', non_field_errors: [PROBLEM_TEXTS.lists_locked] }, { status: 403 })
    organisation = organisationForTests(
      { include: organisation.include },
      // Closed a second a day, and that one has just been.
      { not_allow_start_time: '00:00:00', not_allow_end_time: '00:00:01' },
    )
    await open()
    await userEvent.type(await box(), 'โซลาร์{Enter}')
    expect(await screen.findByText(/แก้รายการได้อีกครั้งเวลา 00:00 น\. \(เวลาไทย\)/)).toBeVisible()
    expect(await box()).toBeDisabled()
    expect(within(await include()).getByRole('button', { name: 'ลบ CCTV' })).toBeDisabled()
    expect(await chips()).toEqual(['กล้อง', 'CCTV', 'โดรน'])
  })

  test('the demo shows everything and stores nothing', async () => {
    organisation = { ...organisation, code: 'demo' }
    await open()
    await userEvent.type(await box(), 'โซลาร์{Enter}')
    expect((await screen.findAllByText(PROBLEM_TEXTS.demo_read_only)).length).toBeGreaterThan(0)
    expect(calls('POST organisations/me')).toEqual([])
    expect(await box()).toHaveValue('โซลาร์')
  })
})
