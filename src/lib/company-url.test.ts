import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeNameFromUrlPath, encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import { getCompanyHref } from './company-url.ts'
import { formatQueryString, parseQueryString } from './flat-search-params.ts'

const company = (name: string) => ({ name, tax_id: '0105556012345', is_shared_name: false })
/** Names as the database returns them: normalised to NFC. */
const names = fc
  .array(
    fc.constantFrom(
      '/',
      '%',
      '?',
      '#',
      '\\',
      '.',
      '~',
      '2E',
      '7E',
      '%2F',
      ' ',
      '+',
      '&',
      'ก',
      'น้ำ',
      'กำ',
      'Co',
      '😀',
      '..',
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => parts.join('').trim())
  .filter((name) => name !== '')
const NASTY = [
  '.',
  '..',
  '...',
  '/',
  'a/b',
  'a/../b',
  '../a',
  '.NET',
  'a//b',
  '100%',
  '%2F',
  '%252F',
  'a?b',
  'a#b',
  'a\\b',
  '~2E',
  '~7E2E',
  'a b+c&d',
  'บจก. น้ำ (1)',
  '[x]',
  'a;b=c',
  ':x',
  '@',
  'หจก.',
  'บริษัท ก จำกัด (มหาชน)',
  'ร้าน//ก///ข',
  '\\\\server\\x',
  'ก!',
]

async function opened(address: string): Promise<{ route: string; name: string | undefined }> {
  const root = createRootRoute()
  const list = createRoute({ getParentRoute: () => root, path: '/companies' })
  const detail = createRoute({ getParentRoute: () => root, path: '/companies/$name' })
  const slash = createRoute({ getParentRoute: () => root, path: '/companies/$first/$second/$' })
  const router = createRouter({
    routeTree: root.addChildren([list, detail, slash]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: parseQueryString,
    stringifySearch: formatQueryString,
  })
  await router.load()
  const match = router.state.matches.at(-1)!
  const { name, first, second, _splat } = match.params as Record<string, string | undefined>
  const part = name ?? [first, second, _splat].filter(Boolean).join('/')
  return { route: match.routeId, name: part === '' ? undefined : decodeNameFromUrlPath(part) }
}

describe('a company name in an address', () => {
  test('round-trips for any name', () => {
    fc.assert(
      fc.property(fc.oneof(names, fc.string({ unit: 'grapheme-ascii', minLength: 1 })), (name) => {
        expect(decodeNameFromUrlPath(encodeNameForUrlPath(name))).toBe(name)
        expect(encodeNameForUrlPath(name)).not.toMatch(/(^|\/)\./)
      }),
    )
  })

  test.each(NASTY)('%s opens by its link, also after the browser has normalised it', async (name) => {
    const { pathname, search } = new URL(getCompanyHref(company(name), { year_from: '2568' }), 'https://x.example')
    expect(await opened(pathname + search)).toEqual({ route: '/companies/$name', name })
  })

  test('opens by its link for any name', async () => {
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const { pathname } = new URL(getCompanyHref(company(name)), 'https://x.example')
        expect(await opened(pathname)).toEqual({ route: '/companies/$name', name })
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['a%2Fb', 'a/b'],
    ['a/b', 'a/b'],
    ['a/~2Eb', 'a/.b'],
    ['a/b/c/d', 'a/b/c/d'],
  ])('opens by an older link without ~2F for slashes: %s', async (part, name) => {
    expect(await opened(`/companies/${part}`)).toMatchObject({ name })
  })

  /** Transforms a path as nginx does if `proxy_pass` includes a path: decodes it once and merges slashes. */
  const byNginx = (path: string) => decodeURIComponent(path).replaceAll(/\/{2,}/g, '/')

  test.each(NASTY)(
    '%s survives a proxy that decodes and merges slashes, and a chat that cuts a final sign',
    async (name) => {
      const { pathname } = new URL(getCompanyHref(company(name)), 'https://x.example')
      expect(pathname).not.toMatch(/[.)!'*]$/)
      expect(await opened(encodeURI(byNginx(pathname)))).toEqual({ route: '/companies/$name', name })
    },
  )

  test.each(['/companies', '/companies/', '/companies?page=2'])('%s opens the company list', async (address) => {
    expect(await opened(address)).toEqual({ route: '/companies', name: undefined })
  })

  test('is the same in both encodings of sara am, also with a tone mark between its halves', () => {
    expect(decodeNameFromUrlPath('น\u0e49\u0e4d\u0e32')).toBe(decodeNameFromUrlPath('น\u0e49\u0e33'))
    expect(decodeNameFromUrlPath('น\u0e4d\u0e49\u0e32')).toBe('น\u0e49\u0e33')
    expect(decodeNameFromUrlPath('ทํา')).toBe('ทำ')
  })

  test('includes the tax id only if another company has the same name', () => {
    expect(getCompanyHref(company('ก'))).toBe('/companies/%E0%B8%81')
    expect(getCompanyHref({ ...company('ก'), is_shared_name: true }, { scope: 'watch' })).toBe(
      '/companies/%E0%B8%81?tin=0105556012345&scope=watch',
    )
    expect(getCompanyHref({ name: 'ก', tax_id: null, is_shared_name: true })).toBe('/companies/%E0%B8%81?tin=-')
  })
})
