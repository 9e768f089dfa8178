import { z } from 'zod/mini'

/**
 * `GET /readyz`. `sample` is the progress of loading the demo data on first start, otherwise absent. `stopped`: it
 * failed and resumes at the next server start.
 */
export const readinessSchema = z.object({
  status: z.string(),
  sample: z.optional(z.object({ done: z.number(), total: z.number(), stopped: z.optional(z.literal(true)) })),
})
export type DemoDataProgress = NonNullable<z.output<typeof readinessSchema>['sample']>
