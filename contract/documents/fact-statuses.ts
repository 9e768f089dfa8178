import { z } from 'zod/mini'
import { documentFactSchema } from './document.ts'

/**
 * Minimum number of manually verified readings, and minimum share of correct ones among them, before the values of a
 * kind of fact are trusted.
 */
export const MIN_VERIFIED_DOCUMENT_FACT_READINGS = 50
export const MIN_CORRECT_DOCUMENT_FACT_SHARE = 0.95

export const isDocumentFactAccuracyTrusted = ({
  right,
  wrong,
}: {
  readonly right: number
  readonly wrong: number
}): boolean =>
  right + wrong >= MIN_VERIFIED_DOCUMENT_FACT_READINGS && right >= MIN_CORRECT_DOCUMENT_FACT_SHARE * (right + wrong)

const factSchema = z.object({
  fact: z.string(),
  label: z.string(),
  is_on: z.boolean(),
  /**
   * Who last switched the fact. `unsure`: it was disabled automatically because the share of unsure readings grew.
   * Null: it was never switched.
   */
  switched_by: z.nullable(z.enum(['operator', 'unsure'])),
  switched_at: z.nullable(z.string()),
  /** Number of correct readings among those verified manually under the current rule. */
  right: z.number(),
  wrong: z.number(),
  waiting: z.number(),
  /** Share of unsure readings among the last 200, 0 to 1; null without readings. */
  unsure_share: z.nullable(z.number()),
})
export type DocumentFactStatus = z.output<typeof factSchema>

/**
 * `GET /operation/documents`: status of all facts, in the order of the documents screen, and of OCR, with the pages
 * read today for all organisations.
 */
export const documentFactStatusesSchema = z.object({
  facts: z.array(factSchema),
  pictures: z.object({
    is_on: z.boolean(),
    read_today: z.number(),
    a_day: z.number(),
    waiting_documents: z.number(),
    waiting_pages: z.number(),
  }),
})
export type DocumentFactStatuses = z.output<typeof documentFactStatusesSchema>

/** `GET /operation/documents/{fact}/next`: a reading that has not been verified yet; null when none is left. */
export const nextDocumentFactCheckSchema = z.object({
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
export type DocumentFactCheck = NonNullable<z.output<typeof nextDocumentFactCheckSchema>['check']>

export const documentFactVerdictSchema = z.object({
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  is_right: z.boolean(),
})
