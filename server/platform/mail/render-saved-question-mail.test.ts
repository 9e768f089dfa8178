import { expect, test } from 'vitest'
import { renderSavedQuestionMail } from './render-saved-question-mail.ts'

const QUESTION = {
  name: 'กล้อง <b>',
  words: 'ทุกโครงการในตลาด · ชื่อโครงการ กล้อง',
  changes: ['ผู้ชนะรายใหม่: บริษัท "ก" <script> จำกัด'],
  figures: [{ label: 'รู้ผลแล้ว', value: '812', note: 'จาก 1,240 โครงการ' }],
  companies: [{ name: 'บริษัท ก & ข จำกัด', facts: 'ชนะ 54 งาน · 18.3% ของมูลค่า' }],
  note: undefined,
  links: [{ text: 'เปิดคำถามนี้', url: 'https://x.example/report?view=who_wins&market=true' }],
}
const MAIL = {
  subject: 'ใครชนะ: กล้อง\r\nBcc: a@x.example',
  preview: 'ผู้ชนะรายใหม่ 1 ราย',
  title: 'ใครชนะ คำถามที่คุณบันทึกไว้',
  questions: [QUESTION, { ...QUESTION, name: 'ถนน', companies: [], note: 'บริษัทชนะ 3 งาน' }],
  notes: ['คำถาม “เก่า” ถามไม่ได้แล้ว'],
  ends: [{ text: 'หยุดรับอีเมล', url: 'https://x.example/mail-link#t' }],
  unsubscribeUrl: 'https://x.example/u',
}

test('R35: HTML and text say the same, names are escaped, and a subject is one line', () => {
  const { subject, html, text, unsubscribeUrl } = renderSavedQuestionMail(MAIL)
  expect([subject, unsubscribeUrl]).toEqual(['ใครชนะ: กล้อง Bcc: a@x.example', 'https://x.example/u'])
  const plain = html
    .split('<')
    .map((part) => part.slice(part.indexOf('>') + 1))
    .join(' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name]!)
  for (const expected of [
    ...MAIL.questions.flatMap(({ name, words, changes, companies, note }) => [
      ...[name, words, ...changes, ...(note ? [note] : [])],
      ...companies.flatMap((company) => [company.name, company.facts]),
    ]),
    ...MAIL.notes,
    '812',
  ]) {
    expect(text).toContain(expected)
    expect(plain).toContain(expected)
  }
  expect(html).not.toMatch(/<script>|กล้อง <b>/)
  expect(html).toContain('href="https://x.example/report?view=who_wins&amp;market=true"')
  expect(text).toContain('เปิดคำถามนี้: https://x.example/report?view=who_wins&market=true')
  expect(html).not.toMatch(/<img|url\(|@import/)
})
