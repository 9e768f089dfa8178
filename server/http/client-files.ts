import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ORGANISATION_LOGIN_TAG } from '#contract/account/organisation-login.ts'
import { screenAtPath, screenTitleAtPath } from '#contract/screen.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { HttpSettings } from './http-settings.ts'

type PageSettings = Pick<
  HttpSettings,
  'sentryDsn' | 'contactUrl' | 'sampleLogin' | 'sampleProgress' | 'organisationLogin'
> & {
  /** Base URL of links in previews; never derived from the request's Host header. */
  readonly baseUrl: () => string
}

/** Output of `scripts/screen-preloads.ts`: the scripts each screen needs in its first second, by screen path. */
type Preloads = Readonly<
  Record<string, readonly { readonly file: string; readonly media?: string; readonly isLater?: true }[]>
>
/**
 * Output of `scripts/first-paint.ts`. `*` is the fallback for screens behind the login that have no drawing of their
 * own.
 */
type FirstPaint = { readonly account: Readonly<Record<string, string>>; readonly login: string }
type Build = {
  readonly changedAt: number
  readonly html: string
  readonly preloads: Preloads
  readonly firstPaint: FirstPaint | undefined
}

/**
 * Returns a renderer for `index.html` that inserts the settings, the script preloads and the first-paint shape of the
 * requested screen. Re-reads the file when its mtime changes, as after a build under a running server. Renders
 * undefined if the client has not been built.
 */
function createIndexPage(distDir: string, settings: PageSettings): (url: string) => Promise<string | undefined> {
  const file = path.join(distDir, 'index.html')
  let cachedBuild: Build | undefined
  return async (url) => {
    const changedAt = await stat(file).then(
      (stats) => stats.mtimeMs,
      () => undefined,
    )
    if (changedAt === undefined) return undefined
    if (cachedBuild?.changedAt !== changedAt) {
      const html = insertPageSettings(await readFile(file, 'utf8'), settings)
      const readManifest = async (name: string) =>
        JSON.parse(await readFile(path.join(distDir, '.vite', name), 'utf8').catch(() => '{}')) as unknown
      const preloads = (await readManifest('preloads.json')) as Preloads
      const shapes = (await readManifest('first-paint.json')) as Partial<FirstPaint>
      cachedBuild = {
        changedAt,
        html,
        preloads,
        firstPaint: shapes.login === undefined ? undefined : (shapes as FirstPaint),
      }
    }
    const { preloads, firstPaint } = cachedBuild
    const html = firstPaint ? withFirstPaint(cachedBuild.html, firstPaint, url) : cachedBuild.html
    const arrives = settings.sampleProgress?.() === undefined ? '' : metaTag('sample-arrives', 'true')
    return html.replace('</head>', () => `${arrives}${preloadTags(preloads, url)}</head>`)
  }
}

/** Media queries of the table layout and the card layout (scripts/screen-preloads.ts). */
const [WIDE, NARROW] = ['(min-width: 48rem)', '(max-width: 47.99rem)']

/** The demo link opens the report without a form, so its page preloads the report's code. */
const isDemoLink = (url: string) => /^\/login\/?\?(.*&)?refkey=/.test(url)

/**
 * True if `public/theme.js` requests the first project names before any bundle loads: for the demo link, the report
 * without parameters and the usual start view.
 */
const hasEarlyNames = (url: string) =>
  isDemoLink(url) || ['/report', '/report?project_bidding__in=open&ordering=submission_end_date'].includes(url)

function preloadTags(preloads: Preloads, url: string): string {
  const screen = isDemoLink(url) ? '/report' : screenAtPath(pathOf(url))?.path
  const isCodeDeferred = hasEarlyNames(url)
  const scripts = (screen && preloads[screen]) || []
  return scripts
    .map(({ file, media, isLater }) => {
      // `public/theme.js` turns this into a prefetch once the current screen has its code.
      if (isLater) return `<link data-later as="script" crossorigin href="/${file}">`
      // Low priority, after the style sheet: first paint needs only the styles, and the code starts after it
      // (`src/main.tsx`). At equal priority the scripts delayed the first paint of a phone by a second.
      const link = (media: string | undefined) =>
        `crossorigin fetchpriority="low" href="/${file}"${media === undefined ? '' : ` media="${media}"`}>`
      if (!isCodeDeferred || media === WIDE) return `<link rel="modulepreload" ${link(media)}`
      // Phones load the first names before any code; `public/theme.js` requests this script after them.
      const deferredLink = `<link data-code ${link(media ?? NARROW)}`
      return media === NARROW ? deferredLink : `<link rel="modulepreload" ${link(WIDE)}${deferredLink}`
    })
    .join('')
}

/**
 * Inserts the first-paint shape of the screen: the screen's own for a signed-in user, the login's for a visitor of a
 * protected screen, and the report's for the demo link. Pages without a shape show the product name.
 */
function withFirstPaint(html: string, { account, login }: FirstPaint, url: string): string {
  const screen = screenAtPath(pathOf(url))
  const shapes = isDemoLink(url)
    ? [shape('visitor', account['/report'] ?? '')]
    : screen?.needsLogin || screen?.path === '/' || screen?.path === '/login'
      ? [
          shape('account', account[screen.needsLogin ? screen.path : '/report'] ?? account['*'] ?? ''),
          shape('visitor', login),
        ]
      : []
  const from = html.indexOf(ROOT) + ROOT.length
  const to = html.indexOf('<noscript>')
  if (shapes.length === 0 || from < ROOT.length || to < from) return html
  return `${html.slice(0, from)}${shapes.join('')}</div>${html.slice(to)}`
}

const ROOT = '<div id="root">'
const shape = (audience: 'account' | 'visitor', html: string) =>
  `<div data-first-paint="${audience}" aria-hidden="true">${html}</div>`

export function insertPageSettings(
  html: string,
  { sentryDsn, contactUrl, sampleLogin, organisationLogin }: Omit<PageSettings, 'baseUrl'>,
): string {
  const tags =
    metaTag('sentry-dsn', sentryDsn) +
    metaTag('contact-url', contactUrl) +
    metaTag(
      ORGANISATION_LOGIN_TAG,
      organisationLogin && Object.values(organisationLogin).some(Boolean) ? 'on' : undefined,
    ) +
    metaTag('sample-login', sampleLogin && JSON.stringify(sampleLogin))
  return html.replace('</head>', () => `${tags}</head>`)
}

function metaTag(name: string, value: string | undefined, attribute: 'name' | 'property' = 'name'): string {
  if (!value) return ''
  const content = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<meta ${attribute}="${name}" content="${content}">`
}

/**
 * Returns the link preview tags for chat programs. They have no session and cache what they read, so the tags name only
 * the screen and are the same for every link, including links that do not exist (decision 0041).
 */
export function linkPreviewTags(pathname: string, baseUrl: string): string {
  const tags = {
    'og:site_name': 'ตามงาน',
    'og:type': 'website',
    'og:locale': 'th_TH',
    'og:title': screenTitleAtPath(pathname),
    'og:description': 'โครงการจัดซื้อจัดจ้างภาครัฐที่ตรงกับธุรกิจของคุณ เข้าสู่ระบบเพื่อเปิดดู',
    'og:image': new URL('/preview.png', baseUrl).href,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'ตามงาน ติดตามโครงการจัดซื้อจัดจ้างภาครัฐ',
  }
  const openGraphTags = Object.entries(tags).map(([name, content]) => metaTag(name, content, 'property'))
  return `${openGraphTags.join('')}${metaTag('twitter:card', 'summary_large_image')}`
}

const FOREVER = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
/**
 * Cache lifetime of the installed app's icon. The tab icon is inlined in the page instead, because browsers requested
 * it at every URL change, i.e. with every filter click.
 */
const A_DAY = 'public, max-age=86400'

function cacheControlOf(file: string): string {
  if (/[/\\]assets[/\\]/.test(file)) return FOREVER
  return /[/\\]icon\.svg/.test(file) ? A_DAY : REVALIDATE
}

export type ClientFiles = {
  /**
   * Answers a navigation with the client's `index.html`: 200 for a known screen, 404 with the same page for an unknown
   * one or when `status` is 404 (the client then shows its not-found screen). Resolves to false when the request is not
   * a navigation or the client has not been built.
   */
  sendPage(request: FastifyRequest, reply: FastifyReply, status?: 404): Promise<boolean>
}

export async function serveClient(app: RouteApp, distDir: string, settings: PageSettings): Promise<ClientFiles> {
  const indexPage = createIndexPage(distDir, settings)
  const sendPage: ClientFiles['sendPage'] = async (request, reply, status) => {
    const html = isPageRequest(request) ? await indexPage(request.url) : undefined
    if (html === undefined) return false
    const isScreen = status === undefined && screenAtPath(pathOf(request.url)) !== undefined
    void reply
      .code(isScreen ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', REVALIDATE)
      .send(html.replace('</title>', () => `</title>${linkPreviewTags(pathOf(request.url), settings.baseUrl())}`))
    return true
  }
  // The file server answers `\\`, `//` and dot segments with 403, but they also occur in company names and mistyped
  // URLs, so handle them here.
  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.url !== '/*' || isFilePath(pathOf(request.url))) return
    if (await sendPage(request, reply)) return reply
    throw new ProblemError('not_found')
  })
  await app.register(fastifyStatic, {
    root: distDir,
    index: false,
    redirect: false,
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    // Folders have no page, and index.html is never served as is because it needs the operator's settings.
    allowedPath: (name) => !name.endsWith('/') && name !== '/index.html',
    setHeaders: (reply, file) => {
      reply.header('cache-control', cacheControlOf(file))
      // Allows the service worker to control the whole site; browsers revalidate it at each update check.
      if (/[/\\]worker\.js/.test(file)) reply.header('service-worker-allowed', '/')
    },
  })
  return { sendPage }
}

/** True if the path has the one canonical spelling that `@fastify/static` requires. */
function isFilePath(pathname: string): boolean {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return false
  }
  return !decoded.includes('\\') && path.posix.normalize(decoded) === decoded
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

/**
 * Returns true if the request is a user's navigation rather than a request for a missing file: no dotfile, nothing
 * under /assets/, and a client that accepts HTML.
 */
export function isPageRequest({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  const pathname = pathOf(url)
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(api|assets)(\/|$)/.test(pathname) || /\/(\.|%2e)/i.test(pathname)) return false
  // The service worker cannot navigate; it fetches the page to cache it for offline use, so accept its request too.
  if (headers.accept === 'text/html') return true
  if (headers['sec-fetch-mode'] !== undefined) return headers['sec-fetch-mode'] === 'navigate'
  if (headers.accept?.includes('text/html')) return true
  return headers.accept === undefined || headers.accept.includes('*/*') ? !/\.[a-z0-9]{1,5}$/i.test(pathname) : false
}
