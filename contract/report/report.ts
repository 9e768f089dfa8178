import { z } from 'zod/mini'
import { attachmentSchema } from '../catalogue/attachment.ts'
import { dataIssueSchema } from '../catalogue/data-issue.ts'
import { fieldChangeSchema } from '../catalogue/field-change.ts'
import { dataFreshnessSchema } from '../catalogue/freshness.ts'
import {
  type ProjectFact,
  type ProjectFactType,
  REPORT_FACT_NAMES,
  REPORT_FACTS,
  type ReportFactName,
} from '../catalogue/project-facts.ts'
import { createRecord } from '../create-record.ts'
import { fitEvidenceSchema, projectFitSchema } from '../matching/fit.ts'
import { matchReasonSchema } from '../matching/match-reason.ts'
import { REPORT_FACET_NAMES } from './report-params.ts'

/**
 * Responses of `GET /projects` and `GET /projects/facets`. Money is baht with at most two decimals; dates are ISO
 * `YYYY-MM-DD`; unknown is null, never 0.
 */

const date = z.nullable(z.string())
const money = z.nullable(z.number())

/**
 * Value of the `Prefer` header of `GET /projects` (RFC 7240): rows contain `attachment_summary` instead of
 * `attachments`, which are half of the response and needed only once a user opens them. Servers that do not support the
 * header return all attachments.
 */
export const ATTACHMENT_COUNTS_PREFERENCE = 'attachments=counted'

const semanticSearchSummarySchema = z.object({
  engine: z.string(),
  sentences: z.array(
    z.object({
      sentence: z.string(),
      /** False if no part of the value is in the learned vocabulary, so that only literal matches are found. */
      known: z.boolean(),
      terms: z.array(z.string()),
    }),
  ),
})
export type SemanticSearchSummary = z.output<typeof semanticSearchSummarySchema>

const FACT_SCHEMAS = {
  text: z.string(),
  enumeration: z.string(),
  money: z.number(),
  day: z.string(),
  time: z.string(),
  province: z.string(),
  region: z.string(),
  number: z.number(),
  flag: z.boolean(),
  coordinate: z.number(),
} satisfies Record<ProjectFactType, z.ZodMiniType>
type FactSchema<Fact extends ProjectFact> = Fact extends { readonly unknown: unknown }
  ? (typeof FACT_SCHEMAS)[Fact['type']]
  : z.ZodMiniNullable<(typeof FACT_SCHEMAS)[Fact['type']]>
const factSchemas = Object.fromEntries(
  REPORT_FACT_NAMES.map((name) => {
    const fact: ProjectFact = REPORT_FACTS[name]
    const schema = FACT_SCHEMAS[fact.type]
    return [name, fact.unknown === undefined ? z.nullable(schema) : schema]
  }),
) as { readonly [Name in ReportFactName]: FactSchema<(typeof REPORT_FACTS)[Name]> }

export const reportRowSchema = z.object({
  project_id: z.string(),
  change_status: z.enum(['new', 'updated', 'no_change']),
  changes: z.array(fieldChangeSchema),
  matched_words: z.array(z.string()),
  /** Watch lists that match the project; `name` includes words that occur only in a document (`match_reasons`). */
  matched_by: z.array(z.enum(['name', 'ai', 'deptsub'])),
  match_reasons: z.array(matchReasonSchema),
  /** The exclusion word that a user has overridden for this project; null if none. */
  rescued_from: z.nullable(z.string()),
  /** Set only with `ai_deep_search__in`: similarity from 0 to 1, and the matching terms in the name. */
  deep: z.nullable(z.object({ score: z.number(), phrases: z.array(z.string()) })),
  /** Set only with `ordering=fit`, for a project that can still be acted on. */
  fit: z.optional(projectFitSchema),
  ...factSchemas,
  /** True if no source dates the movement; `movement_date` is then the latest possible day. */
  is_movement_undated: z.optional(z.boolean()),
  /** Whether the winner in `winner_name` has a company page; absent for a natural person. */
  is_winner_company: z.optional(z.boolean()),
  /**
   * Names of the other winners, without natural persons, so there may be fewer than `winner_count` implies. Absent
   * means none.
   */
  other_winners: z.optional(z.array(z.string())),
  /** Those of `other_winners` without a company page: shops that trade under their owner's id. Absent means none. */
  other_winners_without_page: z.optional(z.array(z.string())),
  attachments: z.optional(z.array(attachmentSchema)),
  /** Replaces `attachments` with their number and the newest e-GP URL; see `ATTACHMENT_COUNTS_PREFERENCE`. */
  attachment_summary: z.optional(z.object({ count: z.number(), egp: z.nullable(z.string()) })),
  /** End dates of running contracts, earliest first; absent when unknown. */
  contract_ends: z.optional(z.array(z.string())),
  /**
   * The team's work on the project; null if the project is not on the board and has no notes. Absent for an API key
   * without the scope `pursuits`.
   */
  pursuit: z.optional(
    z.nullable(
      z.object({
        stage: z.nullable(z.string()),
        stage_name: z.nullable(z.string()),
        owner: z.nullable(z.number()),
        owner_name: z.nullable(z.string()),
        notes: z.number(),
      }),
    ),
  ),
  /** Names of fields filled from an e-GP document, with the page number from 1. Absent means none. */
  from_documents: z.optional(z.array(z.object({ field: z.string(), page: z.number() }))),
  /**
   * What the import repaired, omitted or considers doubtful; absent if there is nothing. A doubtful amount is null in
   * the fields above and in every figure.
   */
  doubts: z.optional(z.array(dataIssueSchema)),
})
export type ReportRow = z.output<typeof reportRowSchema>

export const getAttachmentCount = ({
  attachments,
  attachment_summary: summary,
}: Pick<ReportRow, 'attachments' | 'attachment_summary'>): number => attachments?.length ?? summary?.count ?? 0

/** Returns the watch words that match the project, or for matches without stored reasons the terms in its name. */
export const listMatchedWatchWords = ({
  match_reasons: reasons,
  matched_words: terms,
}: Pick<ReportRow, 'match_reasons' | 'matched_words'>): string[] => [
  ...new Set(reasons.length > 0 ? reasons.map(({ word }) => word) : terms),
]

export const reportPageSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  total_project: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(reportRowSchema),
  total_budget: z.number(),
  amounts_in_doubt: z.optional(z.number()),
  data_time: z.nullable(z.string()),
  /** Board version that these rows reflect; comparable with the version returned by the change-polling endpoint. */
  pursuit_version: z.optional(z.nullable(z.number())),
  freshness: z.optional(dataFreshnessSchema),
  report_window: z.object({ start: date, end: date }),
  /**
   * Counts of the whole scope (active or archived) without the user's hidden projects, ignoring filters; only
   * `since_visit` applies the filters. `submission_7d` and `discussion_7d`: near deadlines by `getNearDeadlineKind`.
   * `hidden`: excluded by exclusion words in the latest load. `hidden_by_user`: the user's hidden projects in this scope.
   */
  counts: z.object({
    all: z.number(),
    new: z.number(),
    updated: z.number(),
    discussion_7d: z.number(),
    submission_7d: z.number(),
    hidden: z.number(),
    hidden_by_user: z.number(),
    since_visit: z.nullable(z.number()),
  }),
  /**
   * End of the user's previous visit, UTC ISO; null on the first visit. `since_visit` counts projects added or changed
   * by loads published after this time (D4).
   */
  previous_visit_at: z.nullable(z.string()),
  deep_search: z.nullable(semanticSearchSummarySchema),
  /** Set only with `ordering=fit`. */
  fit: z.optional(fitEvidenceSchema),
  /** Only for an empty result in a non-empty scope: the filter whose removal restores the most rows. */
  filter_to_relax: z.nullable(z.object({ parameter: z.string(), total: z.number() })),
  /**
   * Only for an empty scope: whether the organisation has any rule, and the newest date of a match outside the report
   * window.
   */
  rules: z.object({ has_rules: z.boolean(), last_match_date: date }),
  ignored_parameters: z.array(z.string()),
})
export type ReportPageResponse = z.output<typeof reportPageSchema>

/** `GET /projects/ids`: the first ids of a search in order, for selecting across pages. `total` counts all matches. */
export const reportProjectIdsSchema = z.object({ ids: z.array(z.string()), total: z.number() })
export type ReportProjectIds = z.output<typeof reportProjectIdsSchema>

/**
 * `GET /projects/suggestions`: the first matches in the organisation's report, in both scopes and including hidden
 * projects; active ones first, each group newest first.
 */
export const projectSuggestionsSchema = z.object({
  results: z.array(
    z.object({
      project_id: z.string(),
      name: z.string(),
      dept_sub_name: z.string(),
      budget: money,
      is_archived: z.boolean(),
      is_hidden: z.boolean(),
    }),
  ),
})
export type ProjectSuggestion = z.output<typeof projectSuggestionsSchema>['results'][number]

const facetOptionSchema = z.object({ value: z.string(), count: z.number() })
export type FacetOption = z.output<typeof facetOptionSchema>

export const reportFacetsSchema = z.object({
  /**
   * Options by parameter; a key without the scope `pursuits` lacks the confidential ones. Each count applies all the
   * *other* filters. Options with count 0 are omitted; the client adds the missing options of closed lists.
   */
  options: z.object(createRecord(REPORT_FACET_NAMES.options, () => z.optional(z.array(facetOptionSchema)))),
  /** By money parameter: the slider's maximum in baht, and the counts per bin of `MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT`. */
  money: z.object(
    createRecord(REPORT_FACET_NAMES.money, () => z.optional(z.object({ max: z.number(), bins: z.array(z.number()) }))),
  ),
  dates: z.object(createRecord(REPORT_FACET_NAMES.dates, () => z.optional(z.array(facetOptionSchema)))),
  /**
   * Near deadlines by `getNearDeadlineKind`, with all filters except the bid states and the date in question; projects
   * excluded by both are not counted. Absent if the server is older than this field.
   */
  due: z.optional(z.object({ closing: z.number(), comment: z.number() })),
})
export type ReportFacets = z.output<typeof reportFacetsSchema>

/**
 * `GET /projects/agencies`: values of `project_agency__in` with their counts, each with all *other* filters applied. Most
 * projects first, at most `MAX_AGENCY_OPTIONS`, plus the selected values. `total` counts the values that the text finds.
 */
export const agencyOptionsSchema = z.object({ total: z.number(), results: z.array(facetOptionSchema) })
export type AgencyOptions = z.output<typeof agencyOptionsSchema>
export const MAX_AGENCY_OPTIONS = 50
export const MAX_AGENCY_TEXT_LENGTH = 200

/**
 * Upper bounds (baht, inclusive) of the histogram bins: four per decade from 100 thousand to a thousand million, in
 * round numbers. The first bin is everything up to 100 thousand; one more bin follows the last bound.
 */
export const MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT: readonly number[] = [
  100_000, 180_000, 320_000, 560_000, 1_000_000, 1_800_000, 3_200_000, 5_600_000, 10_000_000, 18_000_000, 32_000_000,
  56_000_000, 100_000_000, 180_000_000, 320_000_000, 560_000_000, 1_000_000_000,
]

export const REPORT_DATE_PRESETS: readonly { value: string; th: string }[] = [
  { value: '@0,@0', th: 'วันนี้' },
  { value: '@0,@3', th: 'ภายใน 3 วัน' },
  { value: '@0,@7', th: 'ภายใน 7 วัน' },
  { value: '@0,@14', th: 'ภายใน 14 วัน' },
  { value: '@0,@30', th: 'ภายใน 30 วัน' },
  { value: '@-7,@0', th: '7 วันที่ผ่านมา' },
  { value: '@-30,@0', th: '30 วันที่ผ่านมา' },
]
