import { z } from 'zod/mini'
import { attachmentSchema } from '../catalogue/attachment.ts'
import { doubtSchema } from '../catalogue/doubt.ts'
import { fieldChangeSchema } from '../catalogue/field-change.ts'
import { freshnessSchema } from '../catalogue/freshness.ts'
import { matchReasonSchema } from '../matching/match-reason.ts'

/** Answer shapes of `GET /projects` and `GET /projects/facets`. Money is baht with at most two decimals; dates are ISO `YYYY-MM-DD`; unknown is null, never 0. */

const date = z.nullable(z.string())
const money = z.nullable(z.number())

/**
 * `Prefer` of `GET /projects` (RFC 7240): each row has `attachment_summary` in place of `attachments`, which are half of the answer and are read where one
 * of them is to be opened. A server that does not know it answers all of them.
 */
export const ATTACHMENTS_COUNTED = 'attachments=counted'

/** What the values of `ai_deep_search__in` were searched as. */
export const deepSearchSchema = z.object({
  /** Which engine found the terms, as settings and help name it. */
  engine: z.string(),
  sentences: z.array(
    z.object({
      sentence: z.string(),
      /** False: no part of it stands in the learned vocabulary, so it finds only its own letters. */
      known: z.boolean(),
      /** The terms searched for, the closest first. */
      terms: z.array(z.string()),
    }),
  ),
})
export type DeepSearch = z.output<typeof deepSearchSchema>

/** One row of the report: the columns, why it matched, and what changed. */
export const reportRowSchema = z.object({
  project_id: z.string(),
  change_status: z.enum(['new', 'updated', 'no_change']),
  changes: z.array(fieldChangeSchema),
  name: z.string(),
  /** Words of the watch lists that matched, to be highlighted in `name`. */
  matched_words: z.array(z.string()),
  /** The lists that let it in; `name` also where a word of it stands in a document alone (`match_reasons`). */
  matched_by: z.array(z.enum(['name', 'ai', 'deptsub'])),
  match_reasons: z.array(matchReasonSchema),
  /** The exclusion that would keep it out, had somebody not rescued it. */
  rescued_from: z.nullable(z.string()),
  /** Only of `ai_deep_search__in`: how close it is, 0 to 1, and the terms that stand in the name. */
  deep: z.nullable(z.object({ score: z.number(), phrases: z.array(z.string()) })),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  dept_region: z.nullable(z.string()),
  dept_province: z.nullable(z.string()),
  project_region: z.nullable(z.string()),
  project_province: z.nullable(z.string()),
  budget: money,
  estimate_budget: money,
  criteria: z.string(),
  movement: z.string(),
  movement_date: date,
  /** True where no source dates the movement: `movement_date` is then the latest day on which it can have happened. */
  is_movement_undated: z.optional(z.boolean()),
  draft_published_date: date,
  draft_discussion_end_date: date,
  bidding_invite_date: date,
  submission_end_date: date,
  /** `HH:mm` or `HH:mm-HH:mm`, Bangkok time. */
  submission_time: z.nullable(z.string()),
  status: z.string(),
  winner_name: z.nullable(z.string()),
  /** Whether that winner has a page of figures: absent of a natural person. */
  is_winner_company: z.optional(z.boolean()),
  /** Number of winners; `winner_name` is the one with the largest contract. */
  winner_count: z.number(),
  /** Names of the other winners; natural persons are left out, so there may be fewer than `winner_count` says. Absent: none. */
  other_winners: z.optional(z.array(z.string())),
  /** Sum of the agreed contract amounts. */
  winner_budget: money,
  method: z.string(),
  method_type: z.string(),
  remark: z.nullable(z.string()),
  winner_announce_date: date,
  /** Absent where the caller asked for `ATTACHMENTS_COUNTED`. */
  attachments: z.optional(z.array(attachmentSchema)),
  /** Then how many there are, and the newest address in e-GP among them. */
  attachment_summary: z.optional(z.object({ count: z.number(), egp: z.nullable(z.string()) })),
  /** Days on which contracts under way end, the first one first; absent: none is known. */
  contract_ends: z.optional(z.array(z.string())),
  is_archived: z.boolean(),
  is_sme: z.boolean(),
  /** What the team does about it; null while it is neither on the board nor has a note. Absent for an API key without the scope `pursuits`. */
  pursuit: z.optional(
    z.nullable(
      z.object({
        /** Id and name of its stage; null where there are only notes. */
        stage: z.nullable(z.string()),
        stage_name: z.nullable(z.string()),
        /** Number and name of the member who looks after it. */
        owner: z.nullable(z.number()),
        owner_name: z.nullable(z.string()),
        notes: z.number(),
      }),
    ),
  ),
  /** Fields that a document of e-GP filled, by name, with its page from 1; absent: none. */
  from_documents: z.optional(z.array(z.object({ field: z.string(), page: z.number() }))),
  /** What the import repaired, left out or doubts; absent: nothing. An amount in doubt is null above and in every figure. */
  doubts: z.optional(z.array(doubtSchema)),
})
export type ReportRow = z.output<typeof reportRowSchema>

/** How many files a row has, whether it lists or counts them. */
export const attachmentCount = ({
  attachments,
  attachment_summary: summary,
}: Pick<ReportRow, 'attachments' | 'attachment_summary'>): number => attachments?.length ?? summary?.count ?? 0

export const reportPageSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  total_project: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(reportRowSchema),
  /** Sum of the budgets of all `total_project` projects; projects without a budget add nothing. */
  total_budget: z.number(),
  /** When the data shown was last loaded, UTC ISO; null before the first load. */
  data_time: z.nullable(z.string()),
  /** Version of the organisation's board as the rows say it; as in the change poll. */
  pursuit_version: z.optional(z.nullable(z.number())),
  /** Only where real sources are asked. */
  freshness: z.optional(freshnessSchema),
  report_window: z.object({ start: date, end: date }),
  /** Over the whole tab (active or delivered) without what the user hid, whatever the filters. `submission_7d` and `discussion_7d`: near deadlines by `dueKindOf`. `hidden`: kept out by exclusion words in the latest load. `hidden_by_user`: what the user hid in this tab. `since_visit` alone is counted within the filters. */
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
  /** When the visit before this one ended, UTC ISO; null on the first. `since_visit` counts what loads published after it brought or changed (D4). */
  previous_visit_at: z.nullable(z.string()),
  /** Only with `ai_deep_search__in`: what each of its values was searched as. */
  deep_search: z.nullable(deepSearchSchema),
  /** Only when nothing was found although the tab is not empty: the one filter whose removal brings most rows back. */
  filter_to_relax: z.nullable(z.object({ parameter: z.string(), total: z.number() })),
  /** Only when the tab is empty: whether the organisation has any rule at all, and the newest date that matched outside the window. */
  rules: z.object({ has_rules: z.boolean(), last_match_date: date }),
  /** Names of query parameters that this version does not know; they did not filter. */
  ignored_parameters: z.array(z.string()),
})
export type ReportPage = z.output<typeof reportPageSchema>

/** `GET /projects/ids`: the first ids of a search in its order, for selecting across pages; `total` is how many there are. */
export const reportIdsSchema = z.object({ ids: z.array(z.string()), total: z.number() })
export type ReportIds = z.output<typeof reportIdsSchema>

/**
 * `GET /projects/suggestions`: the first few projects that a search finds anywhere in the organisation's report, in both tabs and among what the
 * user hid: those of the active tab first, the newest of each first.
 */
export const projectSuggestionsSchema = z.object({
  results: z.array(
    z.object({
      project_id: z.string(),
      name: z.string(),
      dept_sub_name: z.string(),
      budget: money,
      /** It stands in the tab of delivered work. */
      is_archived: z.boolean(),
      /** The user hid it. */
      is_hidden: z.boolean(),
    }),
  ),
})
export type ProjectSuggestion = z.output<typeof projectSuggestionsSchema>['results'][number]

export const facetOptionSchema = z.object({ value: z.string(), count: z.number() })
export type FacetOption = z.output<typeof facetOptionSchema>

export const reportFacetsSchema = z.object({
  /** By list or flag parameter name; each count has all the *other* filters applied. Options with count 0 are left out, closed lists are completed by the client. */
  options: z.record(z.string(), z.array(facetOptionSchema)),
  /** By money parameter name: largest value allowed in the slider (baht) and counts in the log-scaled bins of `MONEY_BINS`. */
  money: z.record(z.string(), z.object({ max: z.number(), bins: z.array(z.number()) })),
  /** By date parameter name: counts for the presets of `DATE_PRESETS`, by their printed value. */
  dates: z.record(z.string(), z.array(facetOptionSchema)),
  /**
   * Near deadlines by `dueKindOf`, with every filter but the bid states and the date in question applied. Projects that fail both of these are not counted. Absent from
   * servers before it was added.
   */
  due: z.optional(z.object({ closing: z.number(), comment: z.number() })),
})
export type ReportFacets = z.output<typeof reportFacetsSchema>

/**
 * Upper bounds (baht, included) of the histogram's bins: four a decade from 100 thousand to a thousand million, in round numbers. The
 * first bin is everything up to 100 thousand, the one after the last bound everything above it.
 */
export const MONEY_BINS: readonly number[] = [
  100_000, 180_000, 320_000, 560_000, 1_000_000, 1_800_000, 3_200_000, 5_600_000, 10_000_000, 18_000_000, 32_000_000,
  56_000_000, 100_000_000, 180_000_000, 320_000_000, 560_000_000, 1_000_000_000,
]

/** Ranges offered with a count beside each date filter; values are those of the address. */
export const DATE_PRESETS: readonly { value: string; th: string }[] = [
  { value: '@0,@0', th: 'วันนี้' },
  { value: '@0,@3', th: 'ภายใน 3 วัน' },
  { value: '@0,@7', th: 'ภายใน 7 วัน' },
  { value: '@0,@14', th: 'ภายใน 14 วัน' },
  { value: '@0,@30', th: 'ภายใน 30 วัน' },
  { value: '@-7,@0', th: '7 วันที่ผ่านมา' },
  { value: '@-30,@0', th: '30 วันที่ผ่านมา' },
]
