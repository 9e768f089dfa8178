import { z } from 'zod/mini'
import { documentFactSchema } from './document.ts'

/** A kind of fact is believed once so many readings of fetched documents were checked by hand, and so many of them were right. */
export const CHECKS_NEEDED = 50
export const RIGHT_NEEDED = 0.95

export const isProven = ({ right, wrong }: { readonly right: number; readonly wrong: number }): boolean =>
  right + wrong >= CHECKS_NEEDED && right >= RIGHT_NEEDED * (right + wrong)

const factSchema = z.object({
  fact: z.string(),
  label: z.string(),
  is_on: z.boolean(),
  /** `unsure`: it was undone by itself, as readings became unsure more often. Null: never switched. */
  switched_by: z.nullable(z.enum(['operator', 'unsure'])),
  /** UTC ISO. */
  switched_at: z.nullable(z.string()),
  /** Checked by hand, of the rule of today. */
  right: z.number(),
  wrong: z.number(),
  /** Readings that could be checked yet. */
  waiting: z.number(),
  /** Part of unsure among the last 200 readings, 0 to 1; null: none yet. */
  unsure_share: z.nullable(z.number()),
})
export type OperatedFact = z.output<typeof factSchema>

/** `GET /operation/documents`: each kind of fact, in the order of the documents' screen. */
export const operatedFactsSchema = z.object({
  facts: z.array(factSchema),
  /** Reading of pictures: whether it is set up, pages that were read today for all organisations, how many may be, and what waits. */
  pictures: z.object({
    is_on: z.boolean(),
    read_today: z.number(),
    a_day: z.number(),
    waiting_documents: z.number(),
    waiting_pages: z.number(),
  }),
})
export type OperatedFacts = z.output<typeof operatedFactsSchema>

/** `GET /operation/documents/{fact}/next`: a reading that nobody has checked; null: none is left. */
export const nextCheckSchema = z.object({
  check: z.nullable(
    z.object({
      /** SHA-256 of the document, by which its file is asked for. */
      hash: z.string(),
      project_id: z.string(),
      name: z.string(),
      told: documentFactSchema,
    }),
  ),
})
export type FactCheck = NonNullable<z.output<typeof nextCheckSchema>['check']>

/** `POST /operation/documents/{fact}/checks` */
export const factVerdictSchema = z.object({
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  is_right: z.boolean(),
})
