import { z } from 'zod/mini'
import type { FilterCriteria } from './filter-criteria.ts'

/**
 * A saved filter in the user's profile. Checks only the rough shape of the content because every screen loads this
 * module; the server validates in full with `storedFilterCriteriaSchema` before it returns a filter.
 */
export const savedFilterSchema = z.object({
  id: z.string(),
  filterName: z.string(),
  isSend: z.boolean(),
  /** True if the menu and the login open the report with this filter; at most one filter per user. */
  isStart: z.boolean(),
  isShared: z.optional(z.boolean()),
  filterData: z.object({
    filter: z.looseObject({}),
    search: z.array(z.looseObject({ key: z.string() })),
  }) as unknown as z.ZodMiniType<FilterCriteria, FilterCriteria>,
})
export type SavedFilter = z.output<typeof savedFilterSchema>

export const MAX_SAVED_FILTERS = 30
export const MAX_SAVED_FILTER_NAME_LENGTH = 60
export const savedFilterCountsSchema = z.object({
  counts: z.record(z.string(), z.object({ total: z.number(), new: z.number() })),
})
