import { z } from 'zod/mini'
import type { FilterData } from './filter-data.ts'

/**
 * A saved filter in the user's profile. Validates only the outline of its content because every screen loads it; the
 * server never returns anything that `storedFilterDataSchema` refuses.
 */
export const savedFilterSchema = z.object({
  id: z.string(),
  filterName: z.string(),
  isSend: z.boolean(),
  /** Whether the menu and the login open the report with this filter; at most one per user. */
  isStart: z.boolean(),
  isShared: z.optional(z.boolean()),
  filterData: z.object({
    filter: z.looseObject({}),
    search: z.array(z.looseObject({ key: z.string() })),
  }) as unknown as z.ZodMiniType<FilterData, FilterData>,
})
export type SavedFilter = z.output<typeof savedFilterSchema>

export const MAX_SAVED_FILTERS = 30
export const MAX_FILTER_NAME_LENGTH = 60
export const savedFilterCountsSchema = z.object({
  counts: z.record(z.string(), z.object({ total: z.number(), new: z.number() })),
})
