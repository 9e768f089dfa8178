import { z } from 'zod/mini'

/** Clauses of a draft that may narrow competition, as observations for a comment. Never a statement about intent. */

export const DRAFT_OBSERVATION_KINDS = {
  brand: 'ระบุยี่ห้อ',
  fixed_specification: 'กำหนดคุณลักษณะตายตัว',
  past_work: 'ผลงานขั้นต่ำ',
  delivery: 'กำหนดส่งมอบ',
} as const
type DraftObservationKind = keyof typeof DRAFT_OBSERVATION_KINDS

const draftObservationSchema = z.object({
  kind: z.enum(Object.keys(DRAFT_OBSERVATION_KINDS) as [DraftObservationKind, ...DraftObservationKind[]]),
  /** What the agency may reconsider, in Thai. `sentence`: lines of the document with the clause, on one page. */
  text: z.string(),
  sentence: z.string(),
  page: z.number(),
  document: z.object({ id: z.string(), name: z.string() }),
})
export type DraftObservation = z.output<typeof draftObservationSchema>

/** `GET /projects/{id}/draft-observations`, in document order. `unread` counts documents without usable text. */
export const draftObservationsSchema = z.object({
  observations: z.array(draftObservationSchema),
  read: z.number(),
  unread: z.number(),
})
export type DraftObservations = z.output<typeof draftObservationsSchema>
