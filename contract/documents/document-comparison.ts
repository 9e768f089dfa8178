import { z } from 'zod/mini'
import { DOCUMENT_KINDS, type DocumentKind, FACT_NAMES, type FactName, factValueSchema } from './document.ts'
import type { ProjectDocument } from './project-document.ts'

/** Two readings of a tender's document beside each other: its draft and what came of it, or an older and a newer file. */

/** Most differences that are listed; `total` counts on. */
export const MOST_DIFFERENCES = 300

/** A stretch of a sentence: in both documents, in the older alone, in the newer alone. */
const pieceSchema = z.object({ kind: z.enum(['same', 'gone', 'new']), text: z.string() })
export type ComparedPiece = z.output<typeof pieceSchema>

/** What a change touches, told by the words of its clause. `other` where none of them stands in it. */
export const CHANGE_TOPICS = { qualification: 'กระทบคุณสมบัติ', cost: 'กระทบต้นทุน', time: 'กระทบเวลา', other: '' } as const
export type ChangeTopic = keyof typeof CHANGE_TOPICS

/** Where something stands in one of the documents: page from 1, and the lines there, as the reader marks them. */
const placeSchema = z.object({ page: z.number(), sentence: z.string() })

const differenceSchema = z.object({
  kind: z.enum(['changed', 'moved', 'new', 'gone']),
  /** `4.10`, `5.3.4 1)`; empty where the clause has none. */
  number: z.string(),
  /** The heading that it stands under; empty where none is known. */
  section: z.string(),
  topic: z.enum(Object.keys(CHANGE_TOPICS) as [ChangeTopic, ...ChangeTopic[]]),
  /** Whether the one number that changed became more or less. */
  direction: z.optional(z.enum(['more', 'less'])),
  pieces: z.array(pieceSchema),
  before: z.optional(placeSchema),
  after: z.optional(placeSchema),
})
export type Difference = z.output<typeof differenceSchema>

const statedSchema = z.object({ value: factValueSchema, page: z.number(), sentence: z.string() })
/** A fact of which both documents clearly say something, and not the same. */
const changedFactSchema = z.object({
  fact: z.enum(FACT_NAMES as [FactName, ...FactName[]]),
  before: statedSchema,
  after: statedSchema,
})
export type ChangedFact = z.output<typeof changedFactSchema>

const sideSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.nullable(z.enum(DOCUMENT_KINDS)),
  added_at: z.string(),
})

/** GET /documents/{id}/comparison?before= */
export const documentComparisonSchema = z.object({
  before: sideSchema,
  after: sideSchema,
  /** `different`: too little stands in both for a comparison clause by clause; facts alone are compared. */
  outcome: z.enum(['compared', 'different']),
  /** Clauses of the newer document. */
  clauses: z.number(),
  facts: z.array(changedFactSchema),
  /** In the order changed, moved, new, gone, each in the order of its document. */
  differences: z.array(differenceSchema),
  /** Of all differences, also those beyond `MOST_DIFFERENCES`. */
  total: z.number(),
})
export type DocumentComparison = z.output<typeof documentComparisonSchema>

/** Kinds that follow each other in the life of a tender: a draft becomes the invitation, everything else its own newer file. */
const PREDECESSORS: Readonly<Partial<Record<DocumentKind, readonly DocumentKind[]>>> = {
  invitation: ['draft', 'invitation'],
  draft: ['draft'],
  tor: ['tor'],
  'bidding-document': ['bidding-document'],
}

type Comparable = Pick<ProjectDocument, 'id' | 'kind' | 'state' | 'added_at'>

/** What a document is naturally compared with: the newest that was there before it, of the kind that comes before its own. Only documents that have text. */
export function predecessorOf<One extends Comparable>(document: Comparable, others: readonly One[]): One | undefined {
  const kinds = document.kind === null ? undefined : PREDECESSORS[document.kind]
  if (kinds === undefined || document.state !== 'read') return undefined
  return others
    .filter(
      ({ id, kind, state, added_at }) =>
        id !== document.id &&
        state === 'read' &&
        kind !== null &&
        kinds.includes(kind) &&
        // A draft came before its invitation, whichever of the two was dropped in first.
        ((kind === 'draft' && document.kind !== 'draft') || added_at < document.added_at),
    )
    .toSorted((a, b) => (a.added_at < b.added_at ? 1 : -1))[0]
}
