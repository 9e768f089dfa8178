import { z } from 'zod/mini'

/**
 * `GET /readyz`. `sample`: how many projects of the sample are in while the first start still brings it; absent before and after.
 * `stopped`: it failed, and the next start of the server goes on.
 */
export const readinessSchema = z.object({
  status: z.string(),
  sample: z.optional(z.object({ done: z.number(), total: z.number(), stopped: z.optional(z.literal(true)) })),
})
export type SampleProgress = NonNullable<z.output<typeof readinessSchema>['sample']>
