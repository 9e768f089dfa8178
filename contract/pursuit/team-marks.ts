import { z } from 'zod/mini'
import { teamLabelsSchema } from './team-label.ts'
import { teamViewsSchema } from './team-view.ts'

/** `GET /team-marks`: all that a team shares beside its pursuits, in one answer, because the report asks for all of it at once. */
export const teamMarksSchema = z.object({ ...teamLabelsSchema.shape, ...teamViewsSchema.shape })
export type TeamMarks = z.output<typeof teamMarksSchema>
