import { z } from 'zod/mini'
import { packedTeamLabelsSchema, type TeamLabels } from './team-label.ts'
import { type TeamViews, teamViewsSchema } from './team-view.ts'

/** `GET /team-marks`: all that a team shares beside its pursuits, in one answer, because the report asks for all of it at once. */
export const teamMarksSchema = z.object({ ...packedTeamLabelsSchema.shape, ...teamViewsSchema.shape })
export type TeamMarks = TeamLabels & TeamViews
