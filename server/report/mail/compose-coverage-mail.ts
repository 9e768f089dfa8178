import type { CoverageMonth } from '#contract/catalogue/coverage.ts'
import { COVERAGE_MORNING } from '#contract/catalogue/coverage.ts'
import { formatThaiDateShort, THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { MailContent } from '#server/platform/mail/render-mail.ts'
import { renderReportMail } from '#server/platform/mail/render-report-mail.ts'
import type { MailLinkBuilder } from './build-mail-links.ts'

/** Writes the monthly mail about the coverage of announcements. Shares are rounded down, so 99.96 % reads 99.9 %. */
export function composeCoverageMail(month: CoverageMonth, links: MailLinkBuilder): MailContent {
  const { counted, had, by_first_morning: first, by_second_morning: second, unknown_agencies: unknown } = month
  const share = (part: number) => (counted === null || counted === 0 ? '' : ` (${formatShareDown(part, counted)})`)
  const missing = counted === null ? 0 : counted - had
  const lines = [
    counted === null
      ? `ไม่รู้ว่าต้นทางนับกี่ประกาศเชิญชวน มีในระบบ ${formatCount(had)}`
      : `ต้นทางนับ ${formatCount(counted)} ประกาศเชิญชวน มีในระบบ ${formatCount(had)}${missing > 0 ? ` ขาด ${formatCount(missing)}` : ' ครบ'}`,
    `มีก่อน ${COVERAGE_MORNING} น. ของเช้าแรก ${formatCount(first)}${share(first)} ก่อนเช้าที่สอง ${second === null ? 'ยังไม่ถึง' : `${formatCount(second)}${share(second)}`}`,
    `ดึง ${formatCount(month.nights)} คืน ไม่สำเร็จ ${formatCount(month.failed_nights)} คืน${unknown > 0 ? ` · ไม่รู้ ${formatCount(unknown)} หน่วยงาน` : ''}`,
  ]
  const figure =
    counted === null || counted === 0
      ? `มีในระบบ ${formatCount(had)} ประกาศ`
      : `มีก่อน ${COVERAGE_MORNING} น. ${formatShareDown(first, counted)}`
  return renderReportMail({
    subject: `ความครบถ้วนของประกาศ ${formatMonth(month.from)}: ${figure}`,
    preview: lines[0]!,
    title: `ความครบถ้วนของประกาศ ${formatThaiDateShort(month.from)} – ${formatThaiDateShort(month.to)}`,
    figures: [],
    filters: [],
    notes: lines,
    sections: [],
    ends: [
      { text: 'ดูรายวัน ตามหน่วยงาน และทุกประกาศที่ขาด', url: links.page('/coverage') },
      { text: 'หยุดรับอีเมลนี้', url: links.coverageOff() },
    ],
    unsubscribeUrl: links.coverageOneClickOff(),
  })
}

const formatShareDown = (part: number, whole: number) => `${(Math.floor((part * 1000) / whole) / 10).toFixed(1)}%`

function formatMonth(day: string): string {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return `${THAI_MONTHS[month - 1]!.short} ${year + 543}`
}
