import { z } from 'zod/mini'

const texts = z.array(z.string())
const byRegion = z.record(z.string(), texts)
const moneyRange = z.tuple([z.nullable(z.number()), z.nullable(z.number())])
const dateRange = z.tuple([z.nullable(z.string()), z.nullable(z.string())])

/**
 * The filter object of a saved filter: the specification's lists by their names. Money in baht, dates ISO or days from today
 * (`@7`), an open side null. `negated` names the lists that mean "is not"; `hidden` is the view of hidden projects, `sinceVisit` what came since the user's last visit; those of pursuits are the team's work,
 * `endsWithin` days, `deepFrom` percent.
 */
export const filterFields = {
  isArchived: z.optional(z.boolean()),
  bidding: z.optional(texts),
  provinces: z.optional(byRegion),
  provincesDepartment: z.optional(byRegion),
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
export type FilterKey = Exclude<keyof typeof filterFields, 'negated'>

const searchItemSchema = z.object({
  key: z.string(),
  value: z.union([z.string(), texts]),
  negation: z.boolean(),
  isIgnoreEncode: z.optional(z.boolean()),
})

/** `filterData` (specification section 3): a filter object and a search list. */
export const filterDataSchema = z.object({ filter: z.object(filterFields), search: z.array(searchItemSchema) })
export type FilterData = z.output<typeof filterDataSchema>

/** The same as it may be read back: a filter that only a newer version knows stays, so that applying it can say that it does not filter. */
export const storedFilterDataSchema = z.object({ ...filterDataSchema.shape, filter: z.looseObject(filterFields) })
