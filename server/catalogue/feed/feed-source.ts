import type { DataIssue } from '#contract/catalogue/data-issue.ts'
import {
  getProjectFact,
  PROJECT_FACT_NAMES,
  type PROJECT_FACTS,
  type ProjectFact,
  type ProjectFactName,
  type StoredFactValue,
} from '#contract/catalogue/project-facts.ts'

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name
type Facts = typeof PROJECT_FACTS
type FedFacts = {
  readonly [Name in ProjectFactName as Facts[Name]['isFed'] extends true ? CamelCase<Facts[Name]['column']> : never]?:
    | StoredFactValue<Facts[Name]>
    | undefined
}

type FedColumns = {
  readonly [Name in ProjectFactName as Facts[Name]['isFed'] extends true
    ? Facts[Name]['column']
    : never]: StoredFactValue<Facts[Name]>
}
type FedFact = ProjectFact & {
  readonly name: ProjectFactName
  readonly key: keyof FedFacts
  readonly column: keyof FedColumns
}
export const SOURCE_STATED_FACTS = PROJECT_FACT_NAMES.flatMap((name) => {
  const fact = getProjectFact(name)
  const key = fact.column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return fact.isFed ? [{ ...fact, name, key } as FedFact] : []
})

/**
 * A normalised record, independent of the source format. An absent or `undefined` property means that the source does
 * not state it, so the stored value stays. `null` means explicitly empty and overwrites. Money is whole satang, dates
 * are ISO `YYYY-MM-DD` (Gregorian), provinces are DOPA codes. Methods, types and movements are codes of
 * `contract/catalogue/project.ts`, or the source's text when no code matches. Names are as published, with whitespace
 * collapsed: the "โดยวิธี…" suffix of e-GP titles belongs to the name.
 */
export type FeedRecord = FedFacts & {
  /** e-GP project number, 11 digits; a string because other sources use other formats. */
  readonly projectId: string
  /** e-GP status text or a `PROJECT_STATUSES` code; the load derives the project status from it (D1). */
  readonly status?: string | null | undefined
  /** Announcement steps, merged into the stored ones. Steps implied by a date above may be omitted. */
  readonly announcements?: readonly FeedAnnouncement[] | undefined
  /** Merged by contract number; contracts not listed here stay. */
  readonly contracts?: readonly FeedContract[] | undefined
  /** Complete list of bidders in order; replaces the stored list. */
  readonly bidders?: readonly FeedBidder[] | undefined
  /** Merged by URL; attachments not listed here stay. */
  readonly attachments?: readonly FeedAttachment[] | undefined
  readonly doubts?: readonly DataIssue[] | undefined
  /** Source line of a record without a name. Such a record cannot create a project; it is quarantined instead. */
  readonly line?: number | undefined
  /**
   * UTC time at which the source stated this record. Among several records of a project the latest wins, regardless of
   * their order.
   */
  readonly statedAt?: string | undefined
}

export type FeedAnnouncement = { readonly movement: string; readonly announcedOn: string }

export type FeedContract = {
  /** Unique within the project; empty for a contract without a number. */
  readonly contractNo: string
  /** 13-digit tax id, or a natural person's masked id as published (`330960000xxxx`). */
  readonly winnerTin?: string | null | undefined
  readonly winnerName?: string | null | undefined
  readonly amountSatang?: number | null | undefined
  readonly signedOn?: string | null | undefined
  readonly endsOn?: string | null | undefined
  /** Contract status as e-GP text, such as ระหว่างดำเนินการ or สิ้นสุดสัญญา. */
  readonly status?: string | null | undefined
}

export type FeedBidder = {
  readonly tin?: string | null | undefined
  readonly name: string
  readonly priceSatang?: number | null | undefined
  readonly isWinner: boolean
  readonly isSme?: boolean | null | undefined
}

export type FeedAttachment = {
  readonly url: string
  readonly name: string
  readonly step: string
  readonly publishedOn?: string | null | undefined
}

/** One source row, accepted or rejected but never dropped: accepted + rejected = read. */
export type FeedRow =
  | {
      readonly line: number
      readonly record: FeedRecord
      /**
       * Notes about the file rather than this row, attached to the first row after their cause: skipped lines, an
       * unusual encoding.
       */
      readonly notes?: readonly DataIssue[] | undefined
    }
  | { readonly line: number; readonly rejected: FeedRejection }

/** `reason` is Thai and specific; `raw` is the row as read. */
export type FeedRejection = { readonly reason: string; readonly raw: string }

/**
 * A source of records. `line` increases strictly: the line of a text file where the row starts (from 1), or the row's
 * position in a JSON list. `records(n)` yields items after line `n` (0 for all) and is repeatable.
 * @throws FeedFormatError when the source is unreadable or truncated.
 */
export type FeedSource = {
  readonly name: string
  records(resumeAfterLine: number): AsyncIterable<FeedRow>
  /** Returns how much of the source the last `records` call has read, 0 to 1; absent when unknown. */
  shareRead?(): number
}

/**
 * The whole source is unusable: wrong format, truncated or unreadable. The message is Thai and names the line or byte.
 */
export class FeedFormatError extends Error {
  override readonly name = 'FeedFormatError'
}
