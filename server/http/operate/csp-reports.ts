import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { z } from 'zod/mini'
import type { RouteApp } from '#server/platform/route/route-app.ts'

/** Target of Content Security Policy reports, both the old form (`report-uri`) and the Reporting API (`report-to`). */
export const CSP_REPORT_PATH = '/api/v2/policy-reports'

/** Maximum size of a request: a report is about 1 kB, and the Reporting API batches a minute of reports. */
const MAX_BODY_BYTES = 65_536
const MAX_REPORTS = 20
const MAX_LOG_LINES = 20
const MINUTE_MS = 60_000

const text = z._default(z.catch(z.string(), ''), '')
const oldForm = z.object({
  'csp-report': z.object({
    'document-uri': text,
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
    'source-file': text,
  }),
})
const newForm = z.array(
  z.object({
    type: text,
    body: z.optional(z.object({ documentURL: text, effectiveDirective: text, blockedURL: text, sourceFile: text })),
  }),
)

export type CspViolation = {
  readonly directive: string
  /** What was blocked: `inline`, `eval`, `data`, or an origin; never a path or query. */
  readonly blocked: string
  /** Path of the page, without the query because that may contain search terms. */
  readonly page: string
  readonly source: string
}

const EXTENSION = /^(?:chrome|moz|safari(?:-web)?|ms-browser)-extension/

export function parseCspViolations(body: unknown, directives: ReadonlySet<string>): CspViolation[] {
  const legacy = oldForm.safeParse(body)
  const raw = legacy.success
    ? [
        {
          page: legacy.data['csp-report']['document-uri'],
          directive:
            legacy.data['csp-report']['effective-directive'] || legacy.data['csp-report']['violated-directive'],
          blocked: legacy.data['csp-report']['blocked-uri'],
          source: legacy.data['csp-report']['source-file'],
        },
      ]
    : (newForm.safeParse(body).data ?? []).flatMap(({ type, body: violation }) =>
        type === 'csp-violation' && violation
          ? [
              {
                page: violation.documentURL,
                directive: violation.effectiveDirective,
                blocked: violation.blockedURL,
                source: violation.sourceFile,
              },
            ]
          : [],
      )
  return raw
    .slice(0, MAX_REPORTS)
    .filter(({ blocked, source }) => !EXTENSION.test(blocked) && !EXTENSION.test(source))
    .map(({ page, directive, blocked, source }) => {
      const name = directive.split(' ', 1)[0]!.replace(/-(?:elem|attr)$/, '')
      return {
        directive: directives.has(name) ? name : 'other',
        blocked: originOf(blocked),
        page: pathOf(page),
        source: pathOf(source),
      }
    })
}

function originOf(blocked: string): string {
  if (/^[a-z-]{1,20}$/.test(blocked)) return blocked
  const { protocol, origin } = URL.parse(blocked) ?? {}
  if (origin === undefined) return 'unknown'
  return (origin === 'null' ? protocol!.slice(0, -1) : origin).slice(0, 100)
}

/** Returns the path of a URL. Ids in it are not removed, because they are public project numbers. */
const pathOf = (address: string): string => (URL.parse(address)?.pathname ?? '').slice(0, 200)

export function createCspViolationCounter(registry: Registry): (directive: string) => void {
  const counter = new Counter({
    name: 'policy_violations_total',
    help: 'Browser reports of content blocked by the Content Security Policy',
    labelNames: ['directive'] as const,
    registers: [registry],
  })
  return (directive) => counter.inc({ directive })
}

/**
 * Accepts reports from browsers: counts each, and logs a limited number per minute. Malformed reports also get 204,
 * since no client reads the response. Registered as a separate scope because the route has its own media types.
 */
export async function cspReportRoutes(
  api: RouteApp,
  { policy, count, now }: { policy: string; count(directive: string): void; now(): Date },
): Promise<void> {
  const directives = new Set(policy.split(';').map((part) => part.trim().split(' ', 1)[0]!))
  const logViolation = createViolationLog(now)
  await api.register(async (scope: RouteApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json', 'application/json'],
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => {
        try {
          done(null, JSON.parse(String(body)))
        } catch {
          done(null, undefined)
        }
      },
    )
    scope.post('/policy-reports', { schema: { hide: true }, config: { public: true } }, async (request, reply) => {
      for (const violation of parseCspViolations(request.body, directives)) {
        count(violation.directive)
        logViolation(request.log, violation)
      }
      return reply.code(204).send()
    })
  })
}

function createViolationLog(now: () => Date): (log: FastifyBaseLogger, violation: CspViolation) => void {
  let minuteStartedAt = Number.NEGATIVE_INFINITY
  let logged = 0
  return (log, violation) => {
    const at = now().getTime()
    if (at - minuteStartedAt >= MINUTE_MS) {
      minuteStartedAt = at
      logged = 0
    }
    logged += 1
    if (logged <= MAX_LOG_LINES) log.warn({ violation }, 'blocked by the content security policy')
  }
}
