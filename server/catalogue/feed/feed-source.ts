import type { Doubt } from '#contract/catalogue/doubt.ts'

/**
 * What every source of projects yields: one normalised record, whatever the file or service looked like.
 *
 * In a record a property that is absent or `undefined` means "this source does not say": what is already known stays.
 * `null` means "known to be empty" and overwrites. Money is whole satang, dates are ISO `YYYY-MM-DD` (Gregorian),
 * provinces are DOPA codes, and methods, types and movements are codes of `contract/catalogue/project.ts`, or the source's own
 * text when no code stands for it.
 */
export type FeedRecord = {
  /** The e-GP project number, 11 digits; text, since other sources use other shapes. */
  readonly projectId: string
  /** As published, whitespace collapsed. e-GP titles end in "โดยวิธี…"; that belongs to the title and is kept. */
  readonly name?: string | undefined
  readonly deptName?: string | undefined
  /** The lowest purchasing unit (D9). Unknown for a new project: the department itself stands in. */
  readonly deptSubName?: string | undefined
  readonly deptProvince?: number | null | undefined
  readonly projectProvince?: number | null | undefined
  readonly district?: string | null | undefined
  readonly subdistrict?: string | null | undefined
  readonly latitude?: number | null | undefined
  readonly longitude?: number | null | undefined
  /** Buddhist year (D15). Unknown for a new project: derived from its dates. */
  readonly fiscalYear?: number | null | undefined
  /** e-GP status text or a code of `PROJECT_STATUSES`; the load derives the project's status from it (D1). */
  readonly status?: string | null | undefined
  readonly criteria?: string | undefined
  readonly method?: string | undefined
  readonly methodType?: string | undefined
  readonly budgetSatang?: number | null | undefined
  readonly estimateSatang?: number | null | undefined
  /** Agreed total as the source states it; absent: the sum of the contracts. */
  readonly winnerSatang?: number | null | undefined
  /** Winner that was announced but has no contract yet; contracts, once there, take its place. */
  readonly winnerName?: string | null | undefined
  readonly draftPublishedOn?: string | null | undefined
  readonly draftDiscussionEndsOn?: string | null | undefined
  readonly biddingInvitedOn?: string | null | undefined
  readonly submissionEndsOn?: string | null | undefined
  /** `HH:mm` or `HH:mm-HH:mm`, Bangkok time. */
  readonly submissionTime?: string | null | undefined
  readonly winnerAnnouncedOn?: string | null | undefined
  readonly contractSignedOn?: string | null | undefined
  readonly remark?: string | null | undefined
  readonly isSme?: boolean | undefined
  /** Announcement steps seen; merged into those that are known. Steps that a date above implies need not be repeated. */
  readonly announcements?: readonly FeedAnnouncement[] | undefined
  /** Merged by contract number: a contract that is not listed stays. */
  readonly contracts?: readonly FeedContract[] | undefined
  /** The whole list of bidders, in order; replaces the known one. */
  readonly bidders?: readonly FeedBidder[] | undefined
  /** Merged by address: an attachment that is not listed stays. */
  readonly attachments?: readonly FeedAttachment[] | undefined
  /** What was repaired, left out or is doubted of this row. */
  readonly doubts?: readonly Doubt[] | undefined
  /** Line of the source, of a record without a name: it cannot begin a project, and is quarantined where it would. */
  readonly line?: number | undefined
  /** When the source stated all this, UTC ISO; of several records of one project the latest wins, whatever their order. */
  readonly statedAt?: string | undefined
}

export type FeedAnnouncement = { readonly movement: string; readonly announcedOn: string }

export type FeedContract = {
  /** Unique within the project; an empty text is the contract without a number. */
  readonly contractNo: string
  /** 13 digits, or a natural person's as published (`330960000xxxx`). */
  readonly winnerTin?: string | null | undefined
  readonly winnerName?: string | null | undefined
  readonly amountSatang?: number | null | undefined
  readonly signedOn?: string | null | undefined
  readonly endsOn?: string | null | undefined
  /** e-GP text, such as ระหว่างดำเนินการ or สิ้นสุดสัญญา. */
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
  /** Movement code of the step that the document belongs to. */
  readonly step: string
  readonly publishedOn?: string | null | undefined
}

/** One row of the source, taken or rejected, never dropped: rows taken + rows rejected = rows read. */
export type FeedItem =
  | {
      readonly line: number
      readonly record: FeedRecord
      /** Of the file and not of this row, on the first row after what they are about: lines that were skipped, an unusual encoding. */
      readonly notes?: readonly Doubt[] | undefined
    }
  | { readonly line: number; readonly rejected: FeedRejection }

/** `reason` is Thai and says exactly what is wrong; `raw` is the row as it was read. */
export type FeedRejection = { readonly reason: string; readonly raw: string }

/**
 * `line` grows strictly: the line of a text file where the row starts (the first line is 1), or the row's ordinal in a
 * list of a JSON document. `records(n)` yields what comes after line `n`; 0 yields everything, and two calls yield the same.
 * Throws `FeedFormatError` when the source cannot be read at all or breaks off.
 */
export type FeedSource = {
  readonly name: string
  records(resumeAfterLine: number): AsyncIterable<FeedItem>
  /** How much of it the last `records` has read, 0 to 1; absent where that is not known. */
  shareRead?(): number
}

/** The source as a whole is unusable: wrong format, truncated, not readable. The message is Thai and names line or byte. */
export class FeedFormatError extends Error {
  override readonly name = 'FeedFormatError'
}
