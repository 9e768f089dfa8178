import { z } from 'zod/mini'

/**
 * Questions about the documents of one tender, answered by sentences of them (decision 0098). A language model only points at sentences: each is shown as it stands on its page, or not
 * at all.
 */

export const SHORTEST_QUESTION = 3
export const LONGEST_QUESTION = 300
/** Pages of one question that leave for the model. */
export const MOST_PAGES_SENT = 8
/** Longest wait for the model: below the 60 s after which proxies end a connection. */
export const MOST_WAIT_SECONDS = 55

/** GET and PATCH /document-answers. */
export const documentAnswerSettingsSchema = z.object({
  /** `unavailable`: the operator has named no model; `off`: no super user of the organisation has agreed to this host and model. */
  state: z.enum(['unavailable', 'off', 'on']),
  /** Where question and pages go; null while none is named. */
  host: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** The model runs on the machine of the server: nothing leaves it. */
  is_here: z.boolean(),
  /** Questions that the organisation may still ask today, Bangkok time. */
  left_today: z.number(),
})
export type DocumentAnswerSettings = z.output<typeof documentAnswerSettingsSchema>

/** Host and model as the screen showed them: what was agreed to, and nothing that came into its place since. */
export const documentAnswerSwitchSchema = z.object({ is_on: z.boolean(), host: z.string(), model: z.string() })

/** POST /projects/{id}/document-answers */
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
  /** Word for word as it stands on the page, ends of lines included. */
  quote: z.string(),
  /** The lines in which it stands, on one line, and where it stands in them: what was left out around it can be seen. */
  excerpt: z.object({ text: z.string(), marks: z.array(z.object({ from: z.number(), to: z.number() })) }),
})
export type AnswerQuotation = z.output<typeof quotationSchema>

export const documentAnswerSchema = z.object({
  /** Empty: ไม่พบในเอกสาร. */
  quotations: z.array(quotationSchema),
  /** Sentences that the model named and that do not stand where it said. */
  dropped: z.number(),
  /** The pages that left. */
  sent: z.array(placeSchema),
  /** Pages of the tender's documents that have text. */
  page_count: z.number(),
  left_today: z.number(),
})
export type DocumentAnswer = z.output<typeof documentAnswerSchema>
