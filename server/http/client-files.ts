import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ORGANISATION_LOGIN_TAG } from '#contract/account/organisation-login.ts'
import { screenAt, titleAt } from '#contract/screen.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import type { HttpSettings } from './http-settings.ts'

/** Settings of the operator that the client must know; it finds them in `<meta>` tags, and without a tag does without. */
type PageSettings = Pick<
  HttpSettings,
  'sentryDsn' | 'contactUrl' | 'sampleLogin' | 'sampleProgress' | 'organisationLogin'
> & {
  /** Address people use, never that of the request. */
  readonly baseUrl: () => string
}

/** What `scripts/screen-preloads.ts` wrote: by path of a screen, the scripts of its first second. */
type Preloads = Readonly<
  Record<string, readonly { readonly file: string; readonly media?: string; readonly isLater?: true }[]>
>
/** What `scripts/first-paint.ts` drew. `*`: a screen behind the login that has no drawing of its own. */
type FirstPaint = { readonly account: Readonly<Record<string, string>>; readonly login: string }
type Build = {
  readonly changedAt: number
  readonly html: string
  readonly preloads: Preloads
  readonly firstPaint: FirstPaint | undefined
}

/**
 * Reads `index.html` and writes into it the settings, the scripts of the screen at an address and its shape; reads again only when the file changed, as a build under a
 * running server does. Undefined while nothing is built.
 */
function createIndexPage(distDir: string, settings: PageSettings): (url: string) => Promise<string | undefined> {
  const file = path.join(distDir, 'index.html')
  let known: Build | undefined
  return async (url) => {
    const changedAt = await stat(file).then(
      (found) => found.mtimeMs,
      () => undefined,
    )
    if (changedAt === undefined) return undefined
    if (known?.changedAt !== changedAt) {
      const html = withSettings(await readFile(file, 'utf8'), settings)
      const written = async (name: string) =>
        JSON.parse(await readFile(path.join(distDir, '.vite', name), 'utf8').catch(() => '{}')) as unknown
      const preloads = (await written('preloads.json')) as Preloads
      const drawn = (await written('first-paint.json')) as Partial<FirstPaint>
      known = { changedAt, html, preloads, firstPaint: drawn.login === undefined ? undefined : (drawn as FirstPaint) }
    }
    const { preloads, firstPaint } = known
    const html = firstPaint ? withFirstPaint(known.html, firstPaint, url) : known.html
    const arrives = settings.sampleProgress?.() === undefined ? '' : metaTag('sample-arrives', 'true')
    return html.replace('</head>', () => `${arrives}${preloadTags(preloads, url)}</head>`)
  }
}

/** Windows that draw the table, and those that draw cards (scripts/screen-preloads.ts). */
const [WIDE, NARROW] = ['(min-width: 48rem)', '(max-width: 47.99rem)']

/** The demo's link leads to the report without a form, so its page loads the code of the report ahead. */
const isDemoLink = (url: string) => /^\/login\/?\?(.*&)?refkey=/.test(url)

/** Where `public/theme.js` asks for the first names of the report itself: the demo's link, the bare report and the usual start view. */
const hasEarlyNames = (url: string) =>
  isDemoLink(url) || ['/report', '/report?project_bidding__in=open&ordering=submission_end_date'].includes(url)

function preloadTags(preloads: Preloads, url: string): string {
  const screen = isDemoLink(url) ? '/report' : screenAt(pathOf(url))?.path
  const isHeld = hasEarlyNames(url)
  const scripts = (screen && preloads[screen]) || []
  return scripts
    .map(({ file, media, isLater }) => {
      // `public/theme.js` makes it a prefetch once this screen has its own code.
      if (isLater) return `<link data-later as="script" crossorigin href="/${file}">`
      // Behind the style sheet: the shape of the screen needs that alone, and the code starts after it (`src/main.tsx`). As important as the
      // styles they kept the first paint of a phone back by a second.
      const link = (media: string | undefined) =>
        `crossorigin fetchpriority="low" href="/${file}"${media === undefined ? '' : ` media="${media}"`}>`
      if (!isHeld || media === WIDE) return `<link rel="modulepreload" ${link(media)}`
      // A phone reads the first names before any code: `public/theme.js` asks for it behind them.
      const held = `<link data-code ${link(media ?? NARROW)}`
      return media === NARROW ? held : `<link rel="modulepreload" ${link(WIDE)}${held}`
    })
    .join('')
}

/**
 * The page with the shape of its screen: whoever is signed in sees that of the screen, a visitor that of the login, where a screen behind it leads. The demo's
 * link shows that of the report, where it leads. A page that has none keeps the product's name.
 */
function withFirstPaint(html: string, { account, login }: FirstPaint, url: string): string {
  const screen = screenAt(pathOf(url))
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
const shape = (who: 'account' | 'visitor', drawn: string) =>
  `<div data-first-paint="${who}" aria-hidden="true">${drawn}</div>`

/** The page with a tag for each setting that is there. */
export function withSettings(
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
 * What a chat shows beside a link. The programs that ask for it have no session, and keep what they read: it says which screen it is and nothing
 * of what the link holds, the same for every link, also for one that does not exist (decision 0041).
 */
export function previewTags(pathname: string, baseUrl: string): string {
  const tags = {
    'og:site_name': 'ตามงาน',
    'og:type': 'website',
    'og:locale': 'th_TH',
    'og:title': titleAt(pathname),
    'og:description': 'โครงการจัดซื้อจัดจ้างภาครัฐที่ตรงกับธุรกิจของคุณ เข้าสู่ระบบเพื่อเปิดดู',
    'og:image': new URL('/preview.png', baseUrl).href,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'ตามงาน ติดตามโครงการจัดซื้อจัดจ้างภาครัฐ',
  }
  const named = Object.entries(tags).map(([name, content]) => metaTag(name, content, 'property'))
  return `${named.join('')}${metaTag('twitter:card', 'summary_large_image')}`
}

/** Names under /assets/ carry a hash of their content, so they never change. */
const FOREVER = 'public, max-age=31536000, immutable'
/** Everything else is asked about each time, so that a deploy is seen at once. */
const REVALIDATE = 'no-cache'
/** The icon of an installed page. That of a tab stands in the page: browsers asked for it at each change of the address, with every press on a filter. */
const A_DAY = 'public, max-age=86400'

function cacheControlOf(file: string): string {
  if (/[/\\]assets[/\\]/.test(file)) return FOREVER
  return /[/\\]icon\.svg/.test(file) ? A_DAY : REVALIDATE
}

export type ClientFiles = {
  /**
   * Answers a navigation with the client's `index.html`: 200 where a screen is, 404 with the same page where none is or `status`
   * asks for it, and the client says so.
   * False when this is no navigation or nothing is built.
   */
  sendPage(request: FastifyRequest, reply: FastifyReply, status?: 404): Promise<boolean>
}

/** Serves the built client from `distDir`, with the `.br` and `.gz` files beside it. Page addresses go through `sendPage`. */
export async function serveClient(app: RouteApp, distDir: string, settings: PageSettings): Promise<ClientFiles> {
  const indexPage = createIndexPage(distDir, settings)
  const sendPage: ClientFiles['sendPage'] = async (request, reply, status) => {
    const html = isPageRequest(request) ? await indexPage(request.url) : undefined
    if (html === undefined) return false
    const isScreen = status === undefined && screenAt(pathOf(request.url)) !== undefined
    void reply
      .code(isScreen ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', REVALIDATE)
      .send(html.replace('</title>', () => `</title>${previewTags(pathOf(request.url), settings.baseUrl())}`))
    return true
  }
  // The file server refuses `\\`, `//` and dot segments with 403, also in the names of companies and for people who mistyped an address.
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
    // Folders have no page, and index.html is not a file like the others: the operator's settings are filled in.
    allowedPath: (name) => !name.endsWith('/') && name !== '/index.html',
    setHeaders: (reply, file) => {
      reply.header('cache-control', cacheControlOf(file))
      // Asked for anew with each look for an update, and in charge of every screen.
      if (/[/\\]worker\.js/.test(file)) reply.header('service-worker-allowed', '/')
    },
  })
  return { sendPage }
}

/** Whether the built client may have a file at this path: one canonical spelling, as `@fastify/static` demands. */
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

/** A person's navigation, not a missing file: no dotfile, nothing under /assets/, and a client that wants a page. */
export function isPageRequest({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  const pathname = pathOf(url)
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(api|assets)(\/|$)/.test(pathname) || /\/(\.|%2e)/i.test(pathname)) return false
  // The worker cannot navigate, and keeps the page for when there is no network.
  if (headers.accept === 'text/html') return true
  if (headers['sec-fetch-mode'] !== undefined) return headers['sec-fetch-mode'] === 'navigate'
  if (headers.accept?.includes('text/html')) return true
  return headers.accept === undefined || headers.accept.includes('*/*') ? !/\.[a-z0-9]{1,5}$/i.test(pathname) : false
}
