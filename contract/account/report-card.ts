import { z } from 'zod/mini'
import { getCurrentProcurementRule } from '../catalogue/procurement-rules.ts'
import { formatThaiDateShort, parseIsoDate } from '../thai/thai-date.ts'
import { normaliseThai } from '../thai/thai-text.ts'

/**
 * Points and suspension of a contractor as the organisation noted them, by hand or from a file. Only juristic persons:
 * ids of natural persons are never stored.
 */

export const MAX_REPORT_CARDS = 5_000
export const MAX_REPORT_CARD_POINTS = 10_000
export const MAX_REPORT_CARD_FILE_BYTES = 500_000
export const MAX_REPORT_CARD_NAME_LENGTH = 200

const isoDay = z.string().check(z.refine((day) => parseIsoDate(day) !== undefined, 'วันที่ไม่ถูกต้อง'))
const pointsSchema = z
  .int('ใส่แต้มเป็นเลขจำนวนเต็ม')
  .check(z.minimum(0, 'แต้มต้องไม่ติดลบ'), z.maximum(MAX_REPORT_CARD_POINTS, 'แต้มสูงเกินไป'))

/** Returns null for an empty text, undefined for one that is not a whole number of points. */
export function parseReportCardPoints(text: string): number | null | undefined {
  const digits = normaliseThai(text).trim()
  if (digits === '') return null
  return /^\d{1,5}$/.test(digits) && Number(digits) <= MAX_REPORT_CARD_POINTS ? Number(digits) : undefined
}

export const typedReportCardPointsSchema = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const parsed = parseReportCardPoints(text)
    if (parsed !== undefined) return parsed
    context.issues.push({ code: 'custom', input: text, message: 'ใส่แต้มเป็นเลขจำนวนเต็ม' })
    return z.NEVER
  }),
)

export const statesPointsOrSuspension = z.refine<Pick<ReportCard, 'points' | 'suspended_until'>>(
  (card) => card.points !== null || card.suspended_until !== null,
  'ใส่แต้มหรือวันพักสิทธิอย่างน้อยหนึ่งอย่าง',
)

/** Body of `PUT /report-cards/{tax id}`. Both values null would state nothing: delete the entry instead. */
export const reportCardEntrySchema = z
  .object({
    name: z
      .string()
      .check(z.trim(), z.minLength(1, 'บอกชื่อบริษัท'), z.maxLength(MAX_REPORT_CARD_NAME_LENGTH, 'ชื่อยาวเกินไป')),
    points: z.nullable(pointsSchema),
    suspended_until: z.nullable(isoDay),
  })
  .check(statesPointsOrSuspension)
export type ReportCardEntry = z.output<typeof reportCardEntrySchema>

export const reportCardSchema = z.object({
  tax_id: z.string(),
  name: z.string(),
  points: z.nullable(z.number()),
  suspended_until: z.nullable(z.string()),
  noted_at: z.string(),
})
export type ReportCard = z.output<typeof reportCardSchema>

export const reportCardsSchema = z.object({ results: z.array(reportCardSchema) })

/** `POST /report-cards/file`: the CSV file, in base64, because its encoding is detected from its bytes. */
export const reportCardFileSchema = z.object({
  file: z.base64('ไฟล์มาไม่ครบ').check(z.maxLength(Math.ceil(MAX_REPORT_CARD_FILE_BYTES / 3) * 4, 'ไฟล์ใหญ่เกิน 500 kB')),
})

/** Every line of the file below its header is in `saved`, `unchanged` or `problems`. */
export const reportCardImportSchema = z.object({
  saved: z.number(),
  unchanged: z.number(),
  problems: z.array(z.object({ line: z.number(), reason: z.string() })),
})
export type ReportCardImport = z.output<typeof reportCardImportSchema>

export const isSuspendedOn = ({ suspended_until }: Pick<ReportCard, 'suspended_until'>, day: string): boolean =>
  suspended_until !== null && suspended_until >= day

/** Formats a report card as `พักสิทธิถึง 12 ม.ค. 2570 · 60 แต้ม`; a suspension before `today` is past. */
export function formatReportCard(
  { points, suspended_until: until }: Pick<ReportCard, 'points' | 'suspended_until'>,
  today: string,
): string {
  const suspension =
    until === null ? [] : [`${until >= today ? 'พักสิทธิถึง' : 'เคยถูกพักสิทธิถึง'} ${formatThaiDateShort(until)}`]
  return [...suspension, ...(points === null ? [] : [`${points} แต้ม`])].join(' · ')
}

type SuspensionStep = { readonly points: number; readonly days: number }

/** Returns the days of suspension that the points lead to; undefined below the first step. */
export const findSuspensionDays = (
  points: number,
  steps: readonly SuspensionStep[] = getCurrentProcurementRule('suspensionDaysByPoints').value,
): number | undefined => steps.findLast((step) => points >= step.points)?.days
