import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { z } from 'zod/mini'
import type { RouteApp } from '#server/platform/route/route-app.ts'

/** Target of Content Security Policy reports, both the old form (`report-uri`) and the Reporting API (`report-to`). */
export const REPORT_PATH = '/api/v2/policy-reports'

/** A report is about 1 kB, and the Reporting API batches a minute of reports. */
const MOST_BYTES = 65_536
const MOST_REPORTS = 20
/** Log lines per minute: one broken page can produce the same line thousands of times. */
const MOST_LINES = 20
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

export type Violation = {
  readonly directive: string
  /** `inline`, `eval`, `data`, or the blocked origin; never a path or query. */
  readonly blocked: string
  /** Path of the page without its query, which may contain search terms. */
  readonly page: string
  readonly source: string
}

/** Violations caused by browser extensions, which modify pages, are not ours. */
const EXTENSION = /^(?:chrome|moz|safari(?:-web)?|ms-browser)-extension/

/**
 * Returns the violations in a report body, reduced to what may be logged; empty for an unknown shape. Skips those of
 * browser extensions.
 */
export function violationsIn(body: unknown, directives: ReadonlySet<string>): Violation[] {
  const old = oldForm.safeParse(body)
  const raw = old.success
    ? [
        {
          page: old.data['csp-report']['document-uri'],
          directive: old.data['csp-report']['effective-directive'] || old.data['csp-report']['violated-directive'],
          blocked: old.data['csp-report']['blocked-uri'],
          source: old.data['csp-report']['source-file'],
        },
      ]
    : (newForm.safeParse(body).data ?? []).flatMap(({ type, body: said }) =>
        type === 'csp-violation' && said
          ? [
              {
                page: said.documentURL,
                directive: said.effectiveDirective,
                blocked: said.blockedURL,
                source: said.sourceFile,
              },
            ]
          : [],
      )
  return raw
    .slice(0, MOST_REPORTS)
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

/** Ids in the path are not removed: they are public project numbers. */
const pathOf = (address: string): string => (URL.parse(address)?.pathname ?? '').slice(0, 200)

export function createViolationCounter(registry: Registry): (directive: string) => void {
  const counter = new Counter({
    name: 'policy_violations_total',
    help: 'Reports of browsers that the Content Security Policy kept something out',
    labelNames: ['directive'] as const,
    registers: [registry],
  })
  return (directive) => counter.inc({ directive })
}

/**
 * Accepts browser reports: each is counted, and a limited number per minute is logged. Malformed reports also get 204,
 * since no client reads the response. Registered as a separate scope because the route has its own media types.
 */
export async function policyReportRoutes(
  api: RouteApp,
  { policy, count, now }: { policy: string; count(directive: string): void; now(): Date },
): Promise<void> {
  const directives = new Set(policy.split(';').map((part) => part.trim().split(' ', 1)[0]!))
  const tell = createTeller(now)
  await api.register(async (scope: RouteApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json', 'application/json'],
      { parseAs: 'string', bodyLimit: MOST_BYTES },
      (_request, body, done) => {
        try {
          done(null, JSON.parse(String(body)))
        } catch {
          done(null, undefined)
        }
      },
    )
    scope.post('/policy-reports', { schema: { hide: true }, config: { public: true } }, async (request, reply) => {
      for (const violation of violationsIn(request.body, directives)) {
        count(violation.directive)
        tell(request.log, violation)
      }
      return reply.code(204).send()
    })
  })
}

function createTeller(now: () => Date): (log: FastifyBaseLogger, violation: Violation) => void {
  let minuteStartedAt = Number.NEGATIVE_INFINITY
  let told = 0
  return (log, violation) => {
    const at = now().getTime()
    if (at - minuteStartedAt >= MINUTE_MS) {
      minuteStartedAt = at
      told = 0
    }
    told += 1
    if (told <= MOST_LINES) log.warn({ violation }, 'kept out by the content security policy')
  }
}
