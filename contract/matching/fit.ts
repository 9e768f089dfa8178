import { z } from 'zod/mini'

/** Value of `ordering` that puts projects that resemble the organisation's wins, bids and stars first. */
export const FIT_ORDERING = 'fit'
export const FIT_ORDER_LABEL = 'เหมาะกับเรา'

/** With fewer won, bid or starred projects the order would follow chance. */
export const MIN_FIT_EXAMPLES = 3
export const MAX_FIT_REASONS = 3

const countsSchema = z.object({ won: z.number(), bid: z.number(), starred: z.number() })
export type FitEvidenceCounts = z.output<typeof countsSchema>

/** Why a project fits. `counts` are the organisation's projects of that agency or province. */
const fitReasonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('marked'), mark: z.enum(['won', 'bid', 'starred']) }),
  z.object({ kind: z.literal('words'), words: z.array(z.string()) }),
  z.object({ kind: z.literal('agency'), agency: z.string(), counts: countsSchema }),
  z.object({ kind: z.literal('province'), province: z.string(), counts: countsSchema }),
  z.object({ kind: z.literal('budget') }),
])
export type FitReason = z.output<typeof fitReasonSchema>

/** `score`: 0 to 100. `reasons`: at most `MAX_FIT_REASONS`, the largest first. */
export const projectFitSchema = z.object({ score: z.number(), reasons: z.array(fitReasonSchema) })
export type ProjectFit = z.output<typeof projectFitSchema>

/** Evidence from which the order was learned. `scored`: projects in the report that can still be acted on. */
export const fitEvidenceSchema = z.object({
  ...countsSchema.shape,
  hidden: z.number(),
  no_bid: z.number(),
  has_company: z.boolean(),
  /** False if there are fewer than `MIN_FIT_EXAMPLES` examples. The projects are then in order of their deadlines. */
  is_ready: z.boolean(),
  scored: z.number(),
})
export type FitEvidence = z.output<typeof fitEvidenceSchema>

const MARK_TEXTS = { won: 'ทีมชนะงานนี้', bid: 'ทีมตัดสินใจยื่นงานนี้', starred: 'คุณติดดาวงานนี้' } as const

/** The strongest evidence, in words that fit both `ที่ …` and `ใน …`. */
function formatEvidence({ won, bid, starred }: FitEvidenceCounts, place: string): string {
  if (won > 0) return `เคยชนะ${place} ${won} งาน`
  return bid > 0 ? `เคยตัดสินใจยื่น${place} ${bid} งาน` : `เคยติดดาวงาน${place} ${starred} งาน`
}

export function formatFitReason(reason: FitReason): string {
  switch (reason.kind) {
    case 'marked':
      return MARK_TEXTS[reason.mark]
    case 'words':
      return `ชื่อใกล้คำ ${reason.words.map((word) => `“${word}”`).join(' ')}`
    case 'agency':
      return formatEvidence(reason.counts, `ที่ ${reason.agency}`)
    case 'province':
      return formatEvidence(reason.counts, `ใน${reason.province === 'กรุงเทพมหานคร' ? '' : 'จังหวัด'}${reason.province}`)
    default:
      return 'งบอยู่ในช่วงที่คุณยื่น'
  }
}
