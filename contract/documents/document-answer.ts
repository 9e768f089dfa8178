import { z } from 'zod/mini'

/**
 * Questions about a tender's documents, answered with quotations (decision 0098). A language model only selects
 * sentences: each is shown verbatim from its page, or not at all.
 */

export const SHORTEST_QUESTION = 3
export const LONGEST_QUESTION = 300
export const MOST_PAGES_SENT = 8
/** Timeout of the model, below the 60 s after which proxies close a connection. */
export const MOST_WAIT_SECONDS = 55

export const documentAnswerSettingsSchema = z.object({
  /**
   * `unavailable`: the operator has configured no model; `off`: no super user of the organisation has accepted this
   * host and model.
   */
  state: z.enum(['unavailable', 'off', 'on']),
  /** Destination of question and pages; null without a configured model. */
  host: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** The model runs on the server's machine, so no data leaves it. */
  is_here: z.boolean(),
  /** Remaining questions of the organisation today, Bangkok time. */
  left_today: z.number(),
})
export type DocumentAnswerSettings = z.output<typeof documentAnswerSettingsSchema>

/** Host and model as displayed, so that consent never covers a model that was changed since. */
export const documentAnswerSwitchSchema = z.object({ is_on: z.boolean(), host: z.string(), model: z.string() })

export const documentQuestionSchema = z.object({
  question: z
    .string()
    .check(
      z.trim(),
      z.minLength(SHORTEST_QUESTION, 'พิมพ์คำถาม'),
      z.maxLength(LONGEST_QUESTION, `คำถามยาวได้ไม่เกิน ${LONGEST_QUESTION} ตัวอักษร`),
    ),
})

const placeSchema = z.object({ document_id: z.string(), document_name: z.string(), page: z.number() })
export type AnswerPlace = z.output<typeof placeSchema>

const quotationSchema = z.extend(placeSchema, {
  /** Verbatim, including line breaks. */
  quote: z.string(),
  /**
   * The surrounding lines joined into one, and the position of the quote in them, so that omitted context is visible.
   */
  excerpt: z.object({ text: z.string(), marks: z.array(z.object({ from: z.number(), to: z.number() })) }),
})
export type AnswerQuotation = z.output<typeof quotationSchema>

export const documentAnswerSchema = z.object({
  /** Empty: ไม่พบในเอกสาร. */
  quotations: z.array(quotationSchema),
  /** Sentences returned by the model that do not occur on the given page. */
  dropped: z.number(),
  sent: z.array(placeSchema),
  /** Pages with text in the tender's documents. */
  page_count: z.number(),
  left_today: z.number(),
})
export type DocumentAnswer = z.output<typeof documentAnswerSchema>
