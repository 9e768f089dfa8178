import type { HttpSettings } from './http-settings.ts'
import { CSP_REPORT_PATH } from './operate/csp-reports.ts'

const ONE_YEAR_SECONDS = 31_536_000

export const hasHttpsPublicUrl = ({ publicUrl }: Pick<HttpSettings, 'publicUrl'>): boolean =>
  publicUrl?.startsWith('https:') ?? false

/** Headers of every response (R37), including responses to requests that the router refuses before any hook runs. */
export function createSecurityHeaders(
  settings: Pick<HttpSettings, 'publicUrl' | 'sentryDsn'>,
): Readonly<Record<string, string>> {
  return {
    'content-security-policy': clientPolicy(settings),
    'reporting-endpoints': `policy="${CSP_REPORT_PATH}"`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // URLs contain the report's filters and, in reset links, the token (R21), so they must not reach other sites.
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-dns-prefetch-control': 'off',
    'x-permitted-cross-domain-policies': 'none',
    ...(hasHttpsPublicUrl(settings)
      ? { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}; includeSubDomains` }
      : {}),
  }
}

/**
 * Content-Security-Policy of the client: it runs nothing inline, and Trusted Types allow only the worker's URL. That
 * makes tokens readable by scripts acceptable (C1).
 */
function clientPolicy({ publicUrl, sentryDsn }: Pick<HttpSettings, 'publicUrl' | 'sentryDsn'>): string {
  const sentry = sentryDsn ? ` ${new URL(sentryDsn).origin}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${sentry}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    // Allows the preview of the report email, which is a page of our own that may run no scripts.
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The only Trusted Types policy, allowed once: the worker's URL (src/shell/installed-app/app-update.ts, R73).
    'trusted-types worker',
    ...(hasHttpsPublicUrl({ publicUrl }) ? ['upgrade-insecure-requests'] : []),
    `report-uri ${CSP_REPORT_PATH}`,
    'report-to policy',
  ].join('; ')
}

/**
 * Swagger UI uses inline styles and innerHTML, so only its pages drop the two rules against them. Scripts are still
 * limited to our own files.
 */
export const API_DOCS_CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
