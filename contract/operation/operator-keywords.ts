import { z } from 'zod/mini'
import { KEYWORD_NOISE_LEVELS } from '../matching/keyword-impact.ts'

/**
 * `GET /operation/keywords`: overly broad words awaiting approval, oldest first, and blacklisted words. Times are UTC
 * ISO.
 */
export const operatorKeywordsSchema = z.object({
  waiting: z.array(
    z.object({
      id: z.number(),
      organisation: z.string(),
      organisation_name: z.string(),
      list: z.string(),
      word: z.string(),
      added_by: z.nullable(z.string()),
      created_at: z.string(),
    }),
  ),
  blacklist: z.array(z.object({ word: z.string(), created_at: z.string() })),
})
export type OperatorKeywords = z.output<typeof operatorKeywordsSchema>
export type UnapprovedKeyword = OperatorKeywords['waiting'][number]

/** `GET /operation/keywords/{id}/impact`: size of the organisation's recent report without and with the word. */
export const unapprovedKeywordImpactSchema = z.object({
  days: z.number(),
  before: z.number(),
  after: z.number(),
  added: z.number(),
  per_working_day: z.number(),
  level: z.enum(KEYWORD_NOISE_LEVELS),
  samples: z.array(z.string()),
})
export type UnapprovedKeywordImpact = z.output<typeof unapprovedKeywordImpactSchema>

export const blacklistWordSchema = z.object({
  word: z.string('กรอกคำ').check(z.trim(), z.minLength(1, 'กรอกคำ'), z.maxLength(100, 'คำยาวได้ไม่เกิน 100 ตัวอักษร')),
})
