import ky from 'ky'
import { z } from 'zod/mini'
import { type ApiProblem, apiProblemSchema } from '#contract/http/problem.ts'
import { InvalidResponseError } from '#src/lib/problem-error.ts'

export const kyClient = ky.create({
  baseUrl: new URL('/api/v2/', location.origin),
  retry: 0,
  timeout: false,
  throwHttpErrors: false,
})

/** Returns the problem details of a refusal; empty if the body is not ours, such as a proxy's page. */
export async function parseProblemResponse(response: Response): Promise<ApiProblem & Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => undefined)
  const problem = z.safeParse(apiProblemSchema, body)
  return problem.success ? { ...(body as Record<string, unknown>), ...problem.data } : {}
}

/** Validates a response. Throws InvalidResponseError for a wrong shape and logs the details. */
export function parseApiResponse<S extends z.core.$ZodType>(
  schema: S,
  body: unknown,
  path: string,
  requestId: string | undefined,
): z.core.output<S> {
  const parsed = z.safeParse(schema, body)
  if (parsed.success) return parsed.data
  console.error(`Unexpected response from ${path}`, parsed.error.issues)
  throw new InvalidResponseError(requestId)
}
