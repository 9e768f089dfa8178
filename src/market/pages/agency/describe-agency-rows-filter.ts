import { PURSUIT_STAGE_KINDS } from '#contract/account/pursuit-settings.ts'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { Agency } from '#contract/market/agency.ts'
import { formatUnusualAwardPatternRows } from '#contract/market/unusual-award-patterns.ts'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { describeRowsFilter } from '#src/market/describe-rows-filter.ts'

const plain = {
  found: 'โครงการทั้งหมดในขอบเขต',
  decided: 'โครงการที่รู้ผล',
  won: 'งานที่บริษัทชนะ',
  priced: 'งานที่คิดส่วนลดได้',
  against_budget: 'งานที่เทียบได้กับงบประมาณเท่านั้น',
  bidders: 'งานที่รู้รายชื่อผู้ยื่น',
  announced: 'โครงการที่รู้วันประกาศเชิญชวน',
  timed: 'งานที่รู้ทั้งวันประกาศและวันทำสัญญา',
  backwards: 'งานที่วันทำสัญญามาก่อนวันประกาศ',
  terminated: 'โครงการที่สัญญาถูกยกเลิก',
  matches: 'โครงการในรายงานของเรา',
  open: 'โครงการของเราที่เปิดรับข้อเสนอ',
  pursuits: 'งานของเราที่หน่วยงานนี้',
}

const monthName = (month: string) => THAI_MONTHS[Number(month) - 1]?.full ?? month
const byKind: Readonly<Record<string, (value: string, answer: Agency | undefined) => string>> = {
  company: (id, answer) => answer?.companies.results.find((row) => String(row.id) === id)?.name ?? 'บริษัท',
  unit: (unit) => unit,
  group: (id, answer) =>
    answer?.by_group.find(({ group }) => String(group?.id ?? '') === id)?.group?.name ?? 'คำที่ไม่จัดกลุ่ม',
  announced: (month) => `ประกาศเชิญชวนเดือน${monthName(month)}`,
  calendar_month: (month) => `ประกาศผลเดือน${monthName(month)}`,
  timed: (method) => `ประกาศถึงสัญญา วิธี${getChoiceLabel(PROCUREMENT_METHODS, method)}`,
  pursuits: (kind) => `งานของเรา: ${getChoiceLabel(PURSUIT_STAGE_KINDS, kind)}`,
}

export function describeAgencyRowsFilter(rows: string, answer: Agency | undefined): string {
  return describeRowsFilter(rows, { plain, byKind }, answer) ?? formatUnusualAwardPatternRows(rows) ?? rows
}
