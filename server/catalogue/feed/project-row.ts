import type { Doubt } from '#contract/catalogue/doubt.ts'
import type { SourcedFact } from '#contract/catalogue/fact-source.ts'

/** Rows as the tables of `0001_foundation.sql` hold them; the property names are the column names, so that they travel as JSON. */
export type ProjectRow = {
  readonly project_id: string
  readonly name: string
  readonly name_search: string
  readonly name_spaced: string
  /** Name, unit and province stand in `departments`; the stored row has its number. */
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
  /** No source dates the movement: `movement_on` is the latest day on which it can have happened. */
  readonly is_movement_undated: boolean
  readonly criteria: string
  readonly method: string
  readonly method_type: string
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
  readonly winner_name: string | null
  readonly winner_count: number
  /** Names of the winners beside `winner_name`, one a line; natural persons are left out. Null: none. */
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

/** A tracked field that changed; values in wire form, null for unknown. */
export type ChangeRow = {
  readonly project_id: string
  readonly field: string
  readonly old_value: string | null
  readonly new_value: string | null
}

/** Source and load of each fact that is not from the source that brought the project (`contract/catalogue/fact-source.ts`). */
export type FieldSources = Readonly<Partial<Record<SourcedFact, readonly [source: string, loadId: number]>>>

/** A doubt with who brought it: the next load of that source states the project anew. */
export type StoredDoubt = Doubt & { readonly source: string; readonly load: number }

/** What the import keeps of a project beside its facts. */
export type IntakeNotes = {
  readonly doubts: readonly StoredDoubt[]
  /** When the source stated what is stored, UTC ISO. */
  readonly stated_at: string | null
}

/** All that is stored of one project before a load touches it. */
export type KnownProject = {
  readonly row: ProjectRow
  /** The source that brought it. */
  readonly source: string
  readonly fieldSources: FieldSources
  readonly doubts?: readonly StoredDoubt[] | undefined
  readonly statedAt?: string | undefined
  readonly firstLoad: number
  readonly contracts: readonly ContractRow[]
  readonly bidders: readonly BidderRow[]
  readonly attachments: readonly AttachmentRow[]
  readonly announcements: readonly AnnouncementRow[]
}
