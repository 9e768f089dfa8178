import { z } from 'zod/mini'
import {
  DOCUMENT_FACT_NAMES,
  DOCUMENT_KINDS,
  type DocumentFactName,
  type DocumentKind,
  factValueSchema,
} from './document.ts'
import type { ProjectDocument } from './project-document.ts'

/** Maximum differences in a response; `total` counts all differences, including those omitted. */
export const MAX_CLAUSE_DIFFERENCES = 300

const pieceSchema = z.object({ kind: z.enum(['same', 'gone', 'new']), text: z.string() })
export type ComparedClause = z.output<typeof pieceSchema>

/** Area affected by a change, derived from words of the clause; `other` when none matches. */
export const CLAUSE_CHANGE_TOPICS = {
  qualification: 'กระทบคุณสมบัติ',
  cost: 'กระทบต้นทุน',
  time: 'กระทบเวลา',
  other: '',
} as const
export type ClauseChangeTopic = keyof typeof CLAUSE_CHANGE_TOPICS

/** Page number starting at 1, and the lines to highlight in the reader. */
const placeSchema = z.object({ page: z.number(), sentence: z.string() })

const differenceSchema = z.object({
  kind: z.enum(['changed', 'moved', 'new', 'gone']),
  /** Clause number, such as `4.10` or `5.3.4 1)`; empty when the clause has none. */
  number: z.string(),
  section: z.string(),
  topic: z.enum(Object.keys(CLAUSE_CHANGE_TOPICS) as [ClauseChangeTopic, ...ClauseChangeTopic[]]),
  direction: z.optional(z.enum(['more', 'less'])),
  pieces: z.array(pieceSchema),
  before: z.optional(placeSchema),
  after: z.optional(placeSchema),
})
export type ClauseChange = z.output<typeof differenceSchema>

const statedSchema = z.object({ value: factValueSchema, page: z.number(), sentence: z.string() })
const changedFactSchema = z.object({
  fact: z.enum(DOCUMENT_FACT_NAMES as [DocumentFactName, ...DocumentFactName[]]),
  before: statedSchema,
  after: statedSchema,
})
export type ChangedDocumentFact = z.output<typeof changedFactSchema>

const sideSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.nullable(z.enum(DOCUMENT_KINDS)),
  added_at: z.string(),
})

export const documentComparisonSchema = z.object({
  before: sideSchema,
  after: sideSchema,
  /** `different`: the documents have too little text in common to compare clauses, so only facts are compared. */
  outcome: z.enum(['compared', 'different']),
  clauses: z.number(),
  facts: z.array(changedFactSchema),
  differences: z.array(differenceSchema),
  total: z.number(),
})
export type DocumentComparison = z.output<typeof documentComparisonSchema>

/**
 * Kinds that each kind replaces: an invitation replaces its draft, any other document an older file of its own kind.
 */
const PREDECESSORS: Readonly<Partial<Record<DocumentKind, readonly DocumentKind[]>>> = {
  invitation: ['draft', 'invitation'],
  draft: ['draft'],
  tor: ['tor'],
  'bidding-document': ['bidding-document'],
}

type Comparable = Pick<ProjectDocument, 'id' | 'kind' | 'state' | 'added_at'>

export function findPreviousDocumentVersion<One extends Comparable>(
  document: Comparable,
  candidates: readonly One[],
): One | undefined {
  const kinds = document.kind === null ? undefined : PREDECESSORS[document.kind]
  if (kinds === undefined || document.state !== 'read') return undefined
  return candidates
    .filter(
      ({ id, kind, state, added_at }) =>
        id !== document.id &&
        state === 'read' &&
        kind !== null &&
        kinds.includes(kind) &&
        // A draft counts as older than its invitation, even if it was uploaded later.
        ((kind === 'draft' && document.kind !== 'draft') || added_at < document.added_at),
    )
    .toSorted((a, b) => (a.added_at < b.added_at ? 1 : -1))[0]
}
