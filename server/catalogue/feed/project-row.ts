import type { DataIssue } from '#contract/catalogue/data-issue.ts'
import type { SourcedProjectFact } from '#contract/catalogue/fact-source.ts'

/** Rows of the tables of `0001_foundation.sql`; property names equal column names, so rows can be sent as JSON. */
export type ProjectRow = {
  readonly project_id: string
  readonly name: string
  readonly name_search: string
  readonly name_spaced: string
  /** Department name, unit and province are stored in `departments`; the stored row references them by id. */
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly dept_province: number | null
  readonly project_province: number | null
  readonly district: string | null
  readonly subdistrict: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly fiscal_year: number | null
  readonly status: string
  readonly movement: string
  readonly movement_on: string | null
  readonly is_movement_undated: boolean
  readonly criteria: string
  readonly method: string
  readonly method_type: string
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
  readonly winner_name: string | null
  readonly winner_count: number
  /** Winners other than `winner_name`, one per line, without natural persons. Null means none. */
  readonly other_winners: string | null
  readonly draft_published_on: string | null
  readonly draft_discussion_ends_on: string | null
  readonly bidding_invited_on: string | null
  readonly submission_ends_on: string | null
  readonly submission_time: string | null
  readonly winner_announced_on: string | null
  readonly contract_signed_on: string | null
  readonly remark: string | null
  readonly is_sme: boolean
  readonly is_archived: boolean
}

export type ContractRow = {
  readonly project_id: string
  readonly contract_no: string
  readonly winner_tin: string | null
  readonly winner_name: string | null
  readonly amount_satang: number | null
  readonly signed_on: string | null
  readonly ends_on: string | null
  readonly status: string | null
}

export type BidderRow = {
  readonly project_id: string
  readonly position: number
  readonly tin: string | null
  readonly name: string
  readonly price_satang: number | null
  readonly is_winner: boolean
  readonly is_sme: boolean | null
}

export type AttachmentRow = {
  readonly project_id: string
  readonly url: string
  readonly name: string
  readonly step: string
  readonly published_on: string | null
}

export type AnnouncementRow = {
  readonly project_id: string
  readonly movement: string
  readonly announced_on: string
}

/** A changed tracked field; values in API form, null means unknown. */
export type FieldChangeRow = {
  readonly project_id: string
  readonly field: string
  readonly old_value: string | null
  readonly new_value: string | null
}

/**
 * Source and load of each fact that is not from the source that created the project
 * (`contract/catalogue/fact-source.ts`).
 */
export type FieldSources = Readonly<Partial<Record<SourcedProjectFact, readonly [source: string, loadId: number]>>>

/** A doubt with its source and load, because the next load of the same source replaces it. */
export type StoredDataIssue = DataIssue & { readonly source: string; readonly load: number }

export type ProjectIntakeNotes = {
  readonly doubts: readonly StoredDataIssue[]
  /** UTC time at which the source stated the stored values. */
  readonly stated_at: string | null
}

export type ExistingProject = {
  readonly row: ProjectRow
  readonly source: string
  readonly fieldSources: FieldSources
  readonly doubts?: readonly StoredDataIssue[] | undefined
  readonly statedAt?: string | undefined
  readonly firstLoad: number
  readonly contracts: readonly ContractRow[]
  readonly bidders: readonly BidderRow[]
  readonly attachments: readonly AttachmentRow[]
  readonly announcements: readonly AnnouncementRow[]
}
