import { describe, expect, test } from 'vitest'
import { buildContractEndMailBlocks } from '#server/report/contract-end/build-contract-end-mail-blocks.ts'
import { composeFollowMail } from '#server/report/follow/compose-follow-mail.ts'
import { MAX_MAIL_HTML_BYTES } from './assemble-mail.ts'
import { type MailContent, renderMail } from './render-mail.ts'
import { renderReportMail } from './render-report-mail.ts'
import { renderSavedQuestionMail } from './render-saved-question-mail.ts'

const OFF = 'https://tamngan.example/mail-link#off'
const LONG = 'จ้างก่อสร้างปรับปรุงซ่อมแซมอาคาร & ระบบไฟฟ้า '
const link = (text: string) => ({
  text,
  url: `https://tamngan.example/report?project_id__in=${'69119000001||'.repeat(100)}`,
})
const ENDS = [
  { text: 'ตั้งค่า', url: 'https://tamngan.example/settings' },
  { text: 'หยุดรับอีเมล', url: OFF },
]

function reportMail({ rows, letters, filters = 3 }: { rows: number; letters: number; filters?: number }): MailContent {
  const name = LONG.repeat(Math.ceil(letters / LONG.length)).slice(0, letters)
  const row = (n: number) => ({
    name: `${n} ${name}`,
    url: `https://tamngan.example/report/${n}`,
    isNew: false,
    facts: ['งบ 1 ล้านบาท', 'เทศบาลตัวอย่าง'],
    deadline: { text: 'ยื่นข้อเสนอถึง 9 ธ.ค. 2569', isUrgent: false },
    changes: [{ field: 'งบประมาณ', old: '1', new: '2' }],
    result: undefined,
    filters: ['ก', 'ข'],
    actions: [link('ติดดาว')],
  })
  const section = (title: string) => ({
    title,
    count: 300,
    rows: Array.from({ length: rows }, (_, n) => row(n)),
    all: [link('เปิดทั้ง 300 โครงการในรายงาน')],
  })
  return renderReportMail({
    subject: 'ใหม่ 300',
    preview: name,
    title: 'รายงานโครงการ',
    figures: [],
    filters: Array.from({ length: filters }, (_, n) => ({ name: `${n} ${name}`, words: name, links: [link('เปิด')] })),
    notes: ['ข้อมูลนำเข้า'],
    sections: [section('ใหม่'), section('อัปเดต')],
    ends: ENDS,
    unsubscribeUrl: OFF,
  })
}

function questionMail(count: number): MailContent {
  const question = {
    name: LONG.repeat(5),
    words: LONG.repeat(10),
    changes: [LONG.repeat(10)],
    figures: [],
    companies: [],
    note: undefined,
    links: [link('เปิดคำถามนี้')],
  }
  const questions = Array.from({ length: count }, () => question)
  return renderSavedQuestionMail({
    subject: 'ใครชนะ',
    preview: '',
    title: 'ใครชนะ',
    questions,
    notes: [],
    ends: ENDS,
    unsubscribeUrl: OFF,
  })
}

function newsMail(followed: number, projects: number): MailContent {
  const updates = Array.from({ length: followed * projects }, (_, n) => ({
    kind: 'agency' as const,
    followed: `${n % followed} ${LONG.repeat(20)}`,
    name: LONG.repeat(40),
    agency: LONG.repeat(20),
    project_id: String(n),
  }))
  const links = {
    settings: OFF,
    list: 'https://tamngan.example/ends',
    projectOf: (id: string) => `https://tamngan.example/report/${id}`,
  }
  const ends = buildContractEndMailBlocks(400, [], links)
  return composeFollowMail(updates as unknown as Parameters<typeof composeFollowMail>[0], links, {
    contracts: 400,
    ends,
  })
}

describe('Gmail clips mails of more than 102 kB', () => {
  test.each<[string, MailContent]>([
    ['of 300 titles of 400 letters', reportMail({ rows: 150, letters: 400 })],
    ['of titles of 2,000 letters', reportMail({ rows: 50, letters: 2_000 })],
    ['of 200 filters', reportMail({ rows: 50, letters: 300, filters: 200 })],
    ['of 200 saved questions', questionMail(200)],
    ['of 300 followed agencies', newsMail(300, 3)],
    ['of one agency with 900 projects', newsMail(1, 900)],
    [
      'of a text as long as others like',
      renderMail({
        subject: 'x',
        preview: LONG.repeat(500),
        blocks: [{ text: LONG.repeat(5_000) }, { note: LONG.repeat(5_000) }],
      }),
    ],
    [
      'of 3,000 facts',
      renderMail({
        subject: 'x',
        preview: '',
        blocks: [{ facts: Array.from({ length: 3_000 }, (_, n) => [`${n}`, LONG] as const) }],
      }),
    ],
  ])('a mail %s stays within 90 kB, complete, and matches its text version', (_, { html, text }) => {
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MAX_MAIL_HTML_BYTES)
    expect(html.trimEnd()).toMatch(/<\/html>$/)
    const omittedCounts = (body: string) => [...body.matchAll(/และอีก ([\d,]+)/g)].map(([, n]) => n)
    expect(omittedCounts(html)).toEqual(omittedCounts(text))
  })

  test('counts and links what is left out, and repeats the unsubscribe link near the top', () => {
    const { html, text } = reportMail({ rows: 150, letters: 400 })
    const shownCount = html.match(/<div class="row"><a/g)!.length
    expect(shownCount).toBeGreaterThan(20)
    const left = [...html.matchAll(/และอีก ([\d,]+) โครงการไม่ได้แสดงในอีเมลนี้ <a class="l" href="https/g)].map(([, n]) =>
      Number(n),
    )
    expect(left.reduce((sum, n) => sum + n, shownCount)).toBe(600)
    const offsets = [...html.matchAll(/mail-link#off/g)].map(({ index }) => Buffer.byteLength(html.slice(0, index)))
    expect(offsets[0]).toBeLessThan(6_000)
    expect(offsets).toHaveLength(2)
    expect(text.indexOf(OFF)).toBeLessThan(200)
  })

  test('omits nothing from a mail that fits', () => {
    expect(reportMail({ rows: 10, letters: 80 }).html.match(/<div class="row"><a/g)).toHaveLength(20)
    expect(newsMail(2, 2).html).not.toContain('และอีก')
  })
})
