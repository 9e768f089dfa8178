import type { DataIssue } from '#contract/catalogue/data-issue.ts'
import type { SourcedProjectFact } from '#contract/catalogue/fact-source.ts'
import type { PROJECT_FACTS, StoredFactColumns } from '#contract/catalogue/project-facts.ts'

/** Rows of the tables of `0001_foundation.sql`; property names equal column names, so rows can be sent as JSON. */
export type ProjectRow = StoredFactColumns<typeof PROJECT_FACTS> & {
  readonly project_id: string
  readonly name_search: string
  readonly name_spaced: string
  readonly is_movement_undated: boolean
  /** Winners other than `winner_name`, one per line, without natural persons. Null means none. */
  readonly other_winners: string | null
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

export type ProjectImportNotes = {
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
