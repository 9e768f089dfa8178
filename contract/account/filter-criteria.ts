import { z } from 'zod/mini'

const texts = z.array(z.string())
const byRegion = z.record(z.string(), texts)
const moneyRange = z.tuple([z.nullable(z.number()), z.nullable(z.number())])
const dateRange = z.tuple([z.nullable(z.string()), z.nullable(z.string())])

/**
 * Filter object of a saved filter, with the specification's list names. Money is in baht; dates are ISO or days from
 * today (`@7`); null is an open end. `negated` lists the filters that mean "is not". `hidden` shows hidden projects and
 * `sinceVisit` projects new since the user's last visit. `pursuit…` filters apply to the team's work, `endsWithin` is
 * in days and `deepFrom` in percent.
 */
const savedFilterFieldSchemas = {
  isArchived: z.optional(z.boolean()),
  bidding: z.optional(texts),
  provinces: z.optional(byRegion),
  provincesDepartment: z.optional(byRegion),
  packageProvince: z.optional(z.boolean()),
  agency: z.optional(texts),
  eligibility: z.optional(texts),
  status: z.optional(texts),
  budget: z.optional(moneyRange),
  movement: z.optional(texts),
  criteriaForConsideration: z.optional(texts),
  estimatedBudget: z.optional(moneyRange),
  winnerBudget: z.optional(moneyRange),
  draftPublishedDate: z.optional(dateRange),
  draftDiscussEndedDate: z.optional(dateRange),
  biddingInvitedDate: z.optional(dateRange),
  submissionEndedDate: z.optional(dateRange),
  announceWinnerDate: z.optional(dateRange),
  method: z.optional(texts),
  methodType: z.optional(texts),
  changeStatus: z.optional(texts),
  bookmark: z.optional(z.boolean()),
  checkSME: z.optional(z.boolean()),
  projectLabel: z.optional(texts),
  hidden: z.optional(z.boolean()),
  sinceVisit: z.optional(z.boolean()),
  teamLabel: z.optional(texts),
  pursuitStage: z.optional(texts),
  pursuitOwner: z.optional(texts),
  pursuitNotes: z.optional(z.boolean()),
  endsWithin: z.optional(z.number()),
  deepFrom: z.optional(z.number()),
  negated: z.optional(texts),
}
export type SavedFilterFieldName = Exclude<keyof typeof savedFilterFieldSchemas, 'negated'>

const searchItemSchema = z.object({
  key: z.string(),
  value: z.union([z.string(), texts]),
  negation: z.boolean(),
  isIgnoreEncode: z.optional(z.boolean()),
})

/** Content of a saved filter: filter fields and search chips (`filterData` in section 3 of the specification). */
export const filterCriteriaSchema = z.object({
  filter: z.object(savedFilterFieldSchemas),
  search: z.array(searchItemSchema),
})
export type FilterCriteria = z.output<typeof filterCriteriaSchema>

/**
 * Content of a saved filter in the database. Unknown filters from a newer release are accepted, so that the client can
 * report that they have no effect.
 */
export const storedFilterCriteriaSchema = z.object({
  ...filterCriteriaSchema.shape,
  filter: z.looseObject(savedFilterFieldSchemas),
})
