import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { z } from 'zod/mini'
import type { RouteApp } from '#server/platform/route/route-app.ts'

/** Where browsers tell what the Content Security Policy kept them from: the old form (`report-uri`) and that of the Reporting API (`report-to`). */
export const REPORT_PATH = '/api/v2/policy-reports'

/** A report is 1 kB, and the Reporting API sends what gathered in a minute together. */
const MOST_BYTES = 65_536
const MOST_REPORTS = 20
/** Lines of the log a minute: one broken page of a crowd says the same thousands of times. */
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
  /** Name of a directive of our policy; `other` for any other text. */
  readonly directive: string
  /** `inline`, `eval`, `data`, or the origin that was kept out; no path and no query. */
  readonly blocked: string
  /** Path of the page without its query, which holds what somebody searches for. */
  readonly page: string
  readonly source: string
}

/** What a browser may say of itself and nobody of us asked for: extensions, which change pages that are not theirs. */
const EXTENSION = /^(?:chrome|moz|safari(?:-web)?|ms-browser)-extension/

/** The violations of a body, as our log may hold them; of another shape: none. Those of a browser's extensions are left out. */
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

/** Of an address its origin; of a keyword the keyword. */
function originOf(blocked: string): string {
  if (/^[a-z-]{1,20}$/.test(blocked)) return blocked
  const { protocol, origin } = URL.parse(blocked) ?? {}
  if (origin === undefined) return 'unknown'
  return (origin === 'null' ? protocol!.slice(0, -1) : origin).slice(0, 100)
}

/** Ids of the path are left in: they are public numbers of projects. */
const pathOf = (address: string): string => (URL.parse(address)?.pathname ?? '').slice(0, 200)

/** `policy_violations_total` by directive, on `/metrics`. */
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
 * Takes reports of browsers: each is counted, and some a minute are written to the log. Whoever sends something else gets 204 all the same: nobody reads the answer.
 * The route has media types of its own, so it is a scope of its own.
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
