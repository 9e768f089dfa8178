import { z } from 'zod/mini'

/**
 * Error responses of the API. 400/403/409/413/415/429/503: `non_field_errors` and field lists in Thai; 401, 404 and
 * 5xx: `code`. `docs/api.md` defines when each status is used.
 */
export const apiProblemSchema = z.object({
  code: z.optional(z.string()),
  /** Message for the `code`. Only the password reset returns both (specification section 7). */
  error: z.optional(z.string()),
  non_field_errors: z.optional(z.array(z.string())),
  /** A list of messages, or problems by watch list (contract/matching/keyword.ts). */
  errors: z.optional(z.union([z.array(z.string()), z.record(z.string(), z.unknown())])),
  request_id: z.optional(z.string()),
})
export type ApiProblem = z.output<typeof apiProblemSchema>
