import type { FastifyRequest } from 'fastify'
import { ATTACHMENT_COUNTS_PREFERENCE } from '#contract/report/report.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'

/** A refusal for the assistant's model: a Thai text that states what is wrong and how to fix it. */
export class McpToolError extends Error {
  override readonly name = 'McpToolError'
}

/** Reads a GET route of `/api/v2` with the caller's key. Throws McpToolError unless the route answers 200. */
export type McpApi = <Answer>(path: string, query?: Readonly<Record<string, string>>, hint?: string) => Promise<Answer>

/**
 * Calls routes in process as requests of their own, so that rate limits, turns, deadlines, tenancy, scopes, request
 * logs and revocation apply as to any request with the key.
 */
export function createMcpApi(app: RouteApp, { headers: { authorization = '' }, ip }: FastifyRequest): McpApi {
  return async <Answer>(path: string, query: Readonly<Record<string, string>> = {}, hint = ''): Promise<Answer> => {
    const search = new URLSearchParams(query).toString()
    const answer = await app.inject({
      url: `/api/v2${path}${search === '' ? '' : `?${search}`}`,
      headers: { authorization, prefer: ATTACHMENT_COUNTS_PREFERENCE },
      remoteAddress: ip,
    })
    if (answer.statusCode === 200) return answer.json<Answer>()
    const retryAfter = answer.headers['retry-after']
    throw new McpToolError(refusalText(answer.statusCode, parseProblem(answer.body), { hint, retryAfter }))
  }
}

type Problem = Readonly<Record<string, unknown>>

function parseProblem(body: string): Problem {
  try {
    return JSON.parse(body) as Problem
  } catch {
    return {}
  }
}

function refusalText(
  status: number,
  problem: Problem,
  { hint, retryAfter }: { readonly hint: string; readonly retryAfter: unknown },
): string {
  if (status === 401) return 'คีย์นี้ใช้ไม่ได้แล้ว สร้างคีย์ใหม่ที่ ตั้งค่า → เชื่อมต่อ → คีย์ API แล้วใส่ในโปรแกรมนี้'
  if (status === 404) return `ไม่พบข้อมูลนี้ในองค์กรของคีย์ ${hint}`.trim()
  const { non_field_errors: general, request_id: requestId, ...fields } = problem
  const named = Object.entries(fields).flatMap(([name, texts]) => listOf(texts).map((text) => `${name}: ${text}`))
  const texts = named.length > 0 ? named : listOf(general)
  if (texts.length === 0) return `ระบบขัดข้อง ลองใหม่ ถ้ายังพบให้แจ้งผู้ดูแลระบบ (${String(requestId ?? status)})`
  return [...texts, ...(retryAfter === undefined ? [] : [`ลองใหม่ในอีก ${String(retryAfter)} วินาที`])].join('\n')
}

const listOf = (texts: unknown): string[] =>
  Array.isArray(texts) ? texts.filter((text): text is string => typeof text === 'string') : []
