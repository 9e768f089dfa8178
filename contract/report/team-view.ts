import { z } from 'zod/mini'
import { savedFilterSchema } from '../account/saved-filter.ts'

const teamViewSchema = z.object({
  ...z.pick(savedFilterSchema, { id: true, filterName: true, filterData: true }).shape,
  owner: z.number(),
  owner_name: z.string(),
})
export type TeamView = z.output<typeof teamViewSchema>

/**
 * Response of `PATCH /team-views`: views that colleagues share, without the caller's own. In a separate file from the
 * actions because the report needs this schema on its first load.
 */
export const teamViewsSchema = z.object({ views: z.array(teamViewSchema) })
export type TeamViews = z.output<typeof teamViewsSchema>
