import { expect, test } from 'vitest'
import { MAIL_COLOURS } from './mail-frame.ts'
import { type ReportMail, renderReportMail } from './render-report-mail.ts'

const EVIL = '<img src=x onerror="alert(1)">\'&'
const URL = 'https://tamngan.example/report?a=1&b="x"'

const mail = (text: string): ReportMail => ({
  subject: `ใหม่ 1 – ${text}`,
  preview: text,
  title: text,
  figures: [{ text: 'เช้านี้: ใหม่ 12', link: { text: 'ไล่ดูใหม่', url: 'https://tamngan.example/report?queue=true' } }],
  filters: [{ name: text, words: text, links: [{ text, url: URL }] }],
  notes: [text],
  sections: [
    {
      title: text,
      count: 2,
      rows: [
        {
          name: text,
          url: URL,
          isNew: true,
          facts: [text],
          deadline: { text, isUrgent: true },
          changes: [{ field: text, old: text, new: text }],
          result: text,
          filters: [text],
          actions: [{ text, url: URL }],
        },
      ],
      all: [{ text, url: URL }],
    },
  ],
  ends: [{ text, url: URL }],
  unsubscribeUrl: URL,
})

test('R35: escapes all content in the HTML of a report mail, and keeps its subject on one line', () => {
  const { subject, html, text } = renderReportMail(mail(`งาน\r\nBcc: x@evil.example ${EVIL}`))
  expect(subject).not.toMatch(/[\r\n]/)
  expect(html).not.toContain('<img')
  expect(html).not.toContain(`"x"`)
  expect(html).not.toContain(`'&`)
  expect(text).toContain(EVIL)
})

test('has the same content in text and HTML, without external resources', () => {
  const { html, text } = renderReportMail(mail('กล้องวงจรปิด'))
  for (const words of ['กล้องวงจรปิด', 'อีก 1 โครงการไม่ได้แสดงในอีเมลนี้', 'ตรงกับ กล้องวงจรปิด', 'กล้องวงจรปิด · 2 โครงการ']) {
    expect(text).toContain(words)
    expect(html).toContain(words)
  }
  expect(text).toContain(URL)
  expect(html).not.toMatch(/<img|<link|<script|@import|url\(|\ssrc=/)
  expect(text).not.toMatch(/<\/?\w+|undefined/)
})

/** Returns the relative luminance of an sRGB colour as defined by WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(foreground: string, background: string): number {
  const [light, dark] = [luminance(foreground), luminance(background)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

test.each(Object.entries(MAIL_COLOURS))(
  'every text of a mail has 4.5:1 contrast with its background, %s',
  (_, colours) => {
    const pairs = [
      [colours.ink, colours.card],
      [colours.muted, colours.card],
      [colours.muted, colours.page],
      [colours.accent, colours.card],
      [colours.accent, colours.page],
      [colours.accent, colours.soft],
      [colours.muted, colours.soft],
      [colours.ink, colours.soft],
      [colours.urgent, colours.card],
      [colours.onButton, colours.button],
      [colours.ink, colours.code],
    ] as const
    expect(pairs.filter(([text, ground]) => contrast(text, ground) < 4.5)).toEqual([])
  },
)
