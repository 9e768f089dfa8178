import { z } from 'zod/mini'

/**
 * Error answers of the API. 400/403/409/413/415/429/503: `non_field_errors` and field lists in Thai; 401, 404 and 5xx: `code`.
 * One table for the whole product: `docs/architecture.md` says when each status is used.
 */
export const problemSchema = z.object({
  code: z.optional(z.string()),
  /** Beside `code`, where a call answers a code and its text (specification section 7, reset). */
  error: z.optional(z.string()),
  non_field_errors: z.optional(z.array(z.string())),
  /** A list, or what is wrong by watch list (contract/matching/keyword.ts). */
  errors: z.optional(z.union([z.array(z.string()), z.record(z.string(), z.unknown())])),
  request_id: z.optional(z.string()),
})
export type Problem = z.output<typeof problemSchema>
