import { expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import type { MorningFigures } from '#contract/report/morning-queue.ts'
import { findMessageFault } from '../../../test/line/line-messages.ts'
import type { SentMessage } from '../../../test/line/line-server.ts'
import { joinMessageTexts, listActions } from '../../../test/line/line-world.ts'
import type { LineMessage } from './line-api.ts'
import {
  buildLineMorningCard,
  buildLineNotificationsCard,
  buildLineProjectCard,
  buildLineReplyCard,
  type LineCardFacts,
  type LineCardProject,
  MAX_LINE_CARD_NOTIFICATIONS,
  toLineCardProject,
} from './line-cards.ts'

const NOW = new Date('2026-12-01T07:30:00+07:00')
const facts = (
  id: string,
  name: string,
  agency: string,
  budget: number | null,
  ends: string,
  time: string | null = null,
): LineCardFacts => ({
  ...{ project_id: id, name, agency, budget, method: 'e_bidding', status: 'in_progress', movement: 'invitation' },
  ...{ draft_discussion_end_date: null, submission_end_date: ends, submission_time: time },
  ...{ winner_announce_date: null, is_archived: false },
  ...{ method_type: 'buy', bidding_invite_date: '2026-11-20', draft_published_date: null, movement_date: null },
})
const CCTV = facts(
  '69119000001',
  'CCTV ภายในอาคารสำนักงาน 64 จุด',
  'สำนักงานเขตจตุจักร',
  12_500_000,
  '2026-12-02',
  '08:30-12:00',
)
const WATER = facts(
  '69119000002',
  'พัฒนาระบบสารสนเทศเพื่อการบริหารจัดการน้ำ ระยะที่ 2',
  'กรมชลประทาน',
  38_000_000,
  '2026-12-04',
)
const PLATES = facts(
  '69119000003',
  'ติดตั้งกล้องวงจรปิดพร้อมระบบอ่านป้ายทะเบียนรถยนต์ 12 จุด',
  'เทศบาลเมืองหัวหิน',
  9_360_000,
  '2026-12-09',
)
const buttons = {
  press: (action: string, id: string) => `${action} ${id}`,
  page: (path: string) => `https://tamngan.example${path}`,
}
const ANSWERS = ['เกี่ยว', 'ไม่เกี่ยว', 'เคยเห็นแล้ว']
const answersOf = (id: string) => ['relevant', 'irrelevant', 'seen'].map((verdict) => ['postback', `${verdict} ${id}`])
const figures = (counts: Partial<MorningFigures>): MorningFigures => ({
  ...{ new: 0, updated: 0, closing: 0, comment: 0 },
  ...counts,
})
const sent = (message: LineMessage) => [message as SentMessage]
const fault = (message: LineMessage) => findMessageFault([message])

test('the morning card shows the content of the design in order', () => {
  const card = buildLineMorningCard(
    {
      ...{ day: '2026-12-01', figures: figures({ new: 9, updated: 4, closing: 3 }), path: '/report?x=1' },
      projects: [
        toLineCardProject(CCTV, { now: NOW, kind: 'closing', isStarred: true }),
        toLineCardProject(WATER, { now: NOW, kind: 'closing' }),
        toLineCardProject(PLATES, { now: NOW, kind: 'new' }),
      ],
    },
    buttons,
  )
  expect(joinMessageTexts(sent(card)).split(' | ')).toEqual([
    ...['สรุปเช้า อังคาร 1 ธ.ค. 2569', 'ใหม่ 9 · อัปเดต 4 · ใกล้ปิด 3'],
    ...[
      'ใกล้ปิด',
      'เหลือ 1 วัน · 12:00 น.',
      CCTV.name,
      'สำนักงานเขตจตุจักร',
      '12.50 ล้านบาท',
      '★ ติดดาวแล้ว',
      '↗ เปิด',
      ...ANSWERS,
    ],
    ...['ใกล้ปิด', '4 ธ.ค. · เหลือ 3 วัน', WATER.name, 'กรมชลประทาน', '38.00 ล้านบาท', '☆ ติดดาว', '↗ เปิด', ...ANSWERS],
    ...['ใหม่', '9 ธ.ค. · เหลือ 8 วัน', PLATES.name, 'เทศบาลเมืองหัวหิน', '9.36 ล้านบาท', '☆ ติดดาว', '↗ เปิด', ...ANSWERS],
    'ไล่ดูทั้งหมด  →',
  ])
  expect(listActions(sent(card)).map(({ type, data, uri }) => [type, data ?? uri])).toEqual([
    ['postback', 'unstar 69119000001'],
    ['uri', 'https://tamngan.example/report/69119000001'],
    ...answersOf('69119000001'),
    ['postback', 'star 69119000002'],
    ['uri', 'https://tamngan.example/report/69119000002'],
    ...answersOf('69119000002'),
    ['postback', 'star 69119000003'],
    ['uri', 'https://tamngan.example/report/69119000003'],
    ...answersOf('69119000003'),
    ['uri', 'https://tamngan.example/report?x=1'],
  ])
  expect(card).toMatchObject({ altText: 'สรุปเช้า อังคาร 1 ธ.ค. 2569: ใหม่ 9 · อัปเดต 4 · ใกล้ปิด 3' })
  const drawn = JSON.stringify(card)
  const offsets = ['"backgroundColor":"#0f766e"', '"color":"#be123c"', '"backgroundColor":"#fffbeb"'].map((colour) =>
    drawn.indexOf(colour),
  )
  expect(offsets.every((offset, at) => offset > (offsets[at - 1] ?? 0))).toBe(true)
  expect(fault(card)).toBeUndefined()
})

test.each<[string, string | null, string | undefined, string | undefined]>([
  ['2026-12-01', '08:30-16:30', 'วันนี้ถึง 16:30 น.', 'urgent'],
  ['2026-12-01', '06:00-07:00', undefined, undefined],
  ['2026-12-02', null, 'เหลือ 1 วัน', 'urgent'],
  ['2026-12-05', null, '5 ธ.ค. · เหลือ 4 วัน', 'soon'],
  ['2027-01-05', null, '5 ม.ค. 2570 · เหลือ 35 วัน', 'plain'],
])('the last day %s %s', (day, time, text, urgency) => {
  const { deadline } = toLineCardProject({ ...CCTV, submission_end_date: day, submission_time: time }, { now: NOW })
  expect([deadline?.text, deadline?.urgency]).toEqual([text, urgency])
})

test('shows unknown values as unknown, and amounts below a million in full', () => {
  const project = toLineCardProject({ ...CCTV, budget: null, agency: '' }, { now: NOW })
  const plain = toLineCardProject({ ...CCTV, budget: 486_500.5 }, { now: NOW })
  const card = buildLineNotificationsCard(
    {
      notifications: [project, plain].map((tender) => ({
        text: 'x',
        detail: tender.name,
        path: '/report',
        project: tender,
      })),
      more: 0,
    },
    buttons,
  )
  expect(joinMessageTexts(sent(card))).toContain('ไม่ระบุหน่วยงาน | ไม่ระบุงบ')
  expect(joinMessageTexts(sent(card))).toContain('486,500.5 บาท')
})

test('states in one line whether the organisation may bid, and nothing while that is unknown', () => {
  const company: Qualifications = { ...EMPTY_QUALIFICATIONS, bidder_kind: 'company', net_worth: 1 }
  const lineOf = (bidder: Qualifications) => toLineCardProject(CCTV, { now: NOW, bidder }).eligibility
  expect(lineOf(company)).toEqual({ text: '✓ น่าจะยื่นได้', isBlocked: false })
  expect(lineOf({ ...company, net_worth: -1, credit_line: 3_000_000, credit_letter_on: '2026-11-20' })).toEqual({
    text: '✕ ติด 1 เรื่อง: ขาดวงเงินสินเชื่อ 125,000 (ต้องมี 3.13 ล้าน)',
    isBlocked: true,
  })
  expect(lineOf(EMPTY_QUALIFICATIONS)).toBeUndefined()
  const project = toLineCardProject(CCTV, { now: NOW, bidder: company })
  const card = buildLineProjectCard({ title: 'โครงการ', projects: [project] }, buttons)
  expect(JSON.stringify(card)).toContain('✓ น่าจะยื่นได้')
  expect(fault(card)).toBeUndefined()
})

test('the longest names and the most items stay within the LINE limits', () => {
  const name = 'ประกวดราคาจ้างก่อสร้างปรับปรุงซ่อมแซม🚧'.repeat(20)
  const long: LineCardProject = toLineCardProject({ ...CCTV, name, agency: name }, { now: NOW, isStarred: false })
  const news = { text: name.slice(0, 200), detail: name, path: '/report', project: long }
  const signed = { ...buttons, press: () => 'x'.repeat(100) }
  const card = buildLineNotificationsCard(
    { notifications: Array.from({ length: MAX_LINE_CARD_NOTIFICATIONS }, () => news), more: 94 },
    signed,
  )
  expect(fault(card)).toBeUndefined()
  expect(joinMessageTexts(sent(card))).toContain('มีเรื่องแจ้ง 100 เรื่อง')
  expect(joinMessageTexts(sent(card))).toContain('ดูอีก 94 เรื่องในระบบ')
  const counts = figures({ new: 3, updated: 999_999, closing: 999_999, comment: 999_999 })
  const week = 'สัปดาห์นี้: ใหม่ 999,999 · ปิด 999,999 · คุณยื่น 999,999'
  const morning = { day: '2026-12-01', figures: counts, week, projects: [long, long, long], path: '/report' }
  expect(fault(buildLineMorningCard(morning, signed))).toBeUndefined()
  expect(
    fault(buildLineReplyCard(name, { label: 'เลิกทำ', action: { type: 'postback', label: 'เลิกทำ', data: 'x' } })),
  ).toBeUndefined()
})

test('reports a fault for messages LINE would reject', () => {
  const card = buildLineMorningCard(
    {
      day: '2026-12-07',
      figures: figures({ new: 1, comment: 2 }),
      week: 'สัปดาห์นี้: ใหม่ 4',
      projects: [],
      path: '/report',
    },
    buttons,
  )
  expect(joinMessageTexts(sent(card))).toContain('ใหม่ 1 · วิจารณ์ร่าง 2 | สัปดาห์นี้: ใหม่ 4 | ไล่ดูทั้งหมด')
  expect(findMessageFault([])).toBeDefined()
  expect(findMessageFault(Array.from({ length: 6 }, () => card))).toBeDefined()
  const wrong: object[] = [
    { ...card, altText: '' },
    { ...card, contents: { type: 'bubble', body: { type: 'text', text: 'x' } } },
    {
      ...card,
      contents: { type: 'bubble', body: { type: 'box', layout: 'vertical', contents: [{ type: 'text', text: '' }] } },
    },
    {
      ...card,
      contents: {
        type: 'bubble',
        body: { type: 'box', layout: 'vertical', contents: [], action: { type: 'postback', data: 'x'.repeat(301) } },
      },
    },
    {
      ...card,
      contents: {
        type: 'bubble',
        body: { type: 'box', layout: 'vertical', contents: [{ type: 'text', text: 'x'.repeat(40_000) }] },
      },
    },
  ]
  for (const message of wrong) expect(findMessageFault([message])).toBeDefined()
})
