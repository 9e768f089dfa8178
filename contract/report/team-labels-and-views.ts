import { z } from 'zod/mini'
import { packedTeamLabelsSchema, type TeamLabels } from './team-label.ts'
import { type TeamViews, teamViewsSchema } from './team-view.ts'

/**
 * `GET /team-marks`: everything a team shares besides its pursuits, in one response because the report needs all of it
 * at once.
 */
export const teamLabelsAndViewsSchema = z.object({ ...packedTeamLabelsSchema.shape, ...teamViewsSchema.shape })
export type TeamLabelsAndViews = TeamLabels & TeamViews
