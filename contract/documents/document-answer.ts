import { z } from 'zod/mini'
import { documentExcerptSchema } from './document-search.ts'

/**
 * Limits, requests and responses of questions about a tender's documents, which are answered with quotations (decision
 * 0098). A language model only selects sentences: each is shown verbatim from its page, or not at all.
 */

const MIN_DOCUMENT_QUESTION_LENGTH = 3
export const MAX_DOCUMENT_QUESTION_LENGTH = 300
export const MAX_PAGES_SENT_TO_MODEL = 8

export const documentAnswerSettingsSchema = z.object({
  /**
   * `unavailable`: the operator has configured no model; `off`: no super user of the organisation has accepted this
   * host and model.
   */
  state: z.enum(['unavailable', 'off', 'on']),
  /**
   * Host that receives the question and the pages, null if no model is configured. `is_here`: it is the server's own
   * machine, so no data leaves it.
   */
  host: z.nullable(z.string()),
  model: z.nullable(z.string()),
  is_here: z.boolean(),
  left_today: z.number(),
})
export type DocumentAnswerSettings = z.output<typeof documentAnswerSettingsSchema>

/** Host and model as displayed to the super user. The server rejects consent if either has changed in between. */
export const documentAnswerConsentSchema = z.object({ is_on: z.boolean(), host: z.string(), model: z.string() })

export const documentQuestionSchema = z.object({
  question: z
    .string()
    .check(
      z.trim(),
      z.minLength(MIN_DOCUMENT_QUESTION_LENGTH, 'พิมพ์คำถาม'),
      z.maxLength(MAX_DOCUMENT_QUESTION_LENGTH, `คำถามยาวได้ไม่เกิน ${MAX_DOCUMENT_QUESTION_LENGTH} ตัวอักษร`),
    ),
})

const placeSchema = z.object({ document_id: z.string(), document_name: z.string(), page: z.number() })
export type CitationLocation = z.output<typeof placeSchema>

const quotationSchema = z.extend(placeSchema, {
  quote: z.string(),
  /**
   * The lines around the quote, joined into one, and the position of the quote in them, so that the user sees its
   * context.
   */
  excerpt: documentExcerptSchema,
})
export type AnswerCitation = z.output<typeof quotationSchema>

export const documentAnswerSchema = z.object({
  quotations: z.array(quotationSchema),
  /** Number of sentences returned by the model that do not occur on the cited page. */
  dropped: z.number(),
  sent: z.array(placeSchema),
  page_count: z.number(),
  left_today: z.number(),
})
export type DocumentAnswer = z.output<typeof documentAnswerSchema>
