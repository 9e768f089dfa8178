import { z } from 'zod/mini'
import { documentFactSchema } from './document.ts'

/** Number of manually verified readings, and share of correct ones among them, required to trust a kind of fact. */
export const MIN_CHECKS = 50
export const MIN_RIGHT_SHARE = 0.95

export const isProven = ({ right, wrong }: { readonly right: number; readonly wrong: number }): boolean =>
  right + wrong >= MIN_CHECKS && right >= MIN_RIGHT_SHARE * (right + wrong)

const factSchema = z.object({
  fact: z.string(),
  label: z.string(),
  is_on: z.boolean(),
  /** `unsure`: disabled automatically, because the share of unsure readings grew. Null: never switched. */
  switched_by: z.nullable(z.enum(['operator', 'unsure'])),
  switched_at: z.nullable(z.string()),
  /** Manually verified readings of the current rule. */
  right: z.number(),
  wrong: z.number(),
  waiting: z.number(),
  /** Share of unsure readings among the last 200, 0 to 1; null without readings. */
  unsure_share: z.nullable(z.number()),
})
export type FactStatus = z.output<typeof factSchema>

/** `GET /operation/documents`: all facts, in the order of the documents screen. */
export const factStatusesSchema = z.object({
  facts: z.array(factSchema),
  /** OCR: whether it is configured, pages read today for all organisations, daily limit, and backlog. */
  pictures: z.object({
    is_on: z.boolean(),
    read_today: z.number(),
    a_day: z.number(),
    waiting_documents: z.number(),
    waiting_pages: z.number(),
  }),
})
export type FactStatuses = z.output<typeof factStatusesSchema>

/** `GET /operation/documents/{fact}/next`: an unverified reading; null when none is left. */
export const nextCheckSchema = z.object({
  check: z.nullable(
    z.object({
      /** SHA-256 of the document, used to download its file. */
      hash: z.string(),
      project_id: z.string(),
      name: z.string(),
      told: documentFactSchema,
    }),
  ),
})
export type FactCheck = NonNullable<z.output<typeof nextCheckSchema>['check']>

export const factVerdictSchema = z.object({
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  is_right: z.boolean(),
})
