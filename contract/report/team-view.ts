import { z } from 'zod/mini'
import { savedFilterSchema } from '../account/saved-filter.ts'

/** Views of the team: saved filters that their owners share with the organisation. */

const teamViewSchema = z.object({
  ...{ id: savedFilterSchema.shape.id, filterName: savedFilterSchema.shape.filterName },
  filterData: savedFilterSchema.shape.filterData,
  /** Number and name of the member whose filter it is. */
  owner: z.number(),
  owner_name: z.string(),
})
export type TeamView = z.output<typeof teamViewSchema>

/** `PATCH /team-views`: what colleagues share, without the caller's own. Apart from the actions: the report's first load needs it. */
export const teamViewsSchema = z.object({ views: z.array(teamViewSchema) })
export type TeamViews = z.output<typeof teamViewsSchema>
