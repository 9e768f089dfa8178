import { expect, test } from 'vitest'
import {
  buildCacheName,
  findOutdatedCaches,
  getServingStrategy,
  isServerUnavailableStatus,
  markPageOffline,
  pageBelongsToBuild,
  type ServingStrategy,
} from './serving-strategy.ts'

const HOME = 'https://tamngan.example'
const LOOSE = ['/theme.js', '/icon-192.png']

const serving = (path: string, { method = 'GET', mode = 'cors' as RequestMode, origin = HOME } = {}) =>
  getServingStrategy({ method, mode, url: origin + path }, HOME, LOOSE)

test.each<[string, Parameters<typeof serving>[1], ServingStrategy]>([
  ['/report', { mode: 'navigate' }, 'page'],
  ['/report/69119284417?from=x', { mode: 'navigate' }, 'page'],
  ['/login', { mode: 'navigate' }, 'page'],
  // Downloads opened by a link and unknown paths are not pages.
  ['/api/v2/exports/1/file', { mode: 'navigate' }, 'network'],
  ['/no-such-screen', { mode: 'navigate' }, 'network'],
  ['/assets/shell-abc.js', {}, 'file'],
  ['/theme.js', {}, 'loose'],
  ['/icon-512.png', {}, 'network'],
  // The worker never intercepts API requests, whatever their bearer token or method.
  ['/api/v2/users/me', {}, 'network'],
  ['/api/v2/auth/token/refresh/', { method: 'POST' }, 'network'],
  ['/api/v2/projects?page=2', {}, 'network'],
  ['/readyz', {}, 'network'],
  ['/assets/shell-abc.js', { method: 'HEAD' }, 'network'],
  ['/assets/shell-abc.js', { origin: 'https://elsewhere.example' }, 'network'],
])('R73: %s %o is served by %s', (path, request, expected) => {
  expect(serving(path, request)).toBe(expected)
})

test('keeps the current build and the two before it, and ignores caches of others', () => {
  const names = ['a', 'b', 'c', 'd'].map(buildCacheName)
  expect(findOutdatedCaches(['others', ...names], 'd')).toEqual([buildCacheName('a')])
  expect(findOutdatedCaches(names, 'a')).toEqual([buildCacheName('b')])
  expect(findOutdatedCaches(names.slice(2), 'd')).toEqual([])
})

test('treats a server being replaced as away, and a refusal or failure as a response', () => {
  expect([200, 401, 404, 500, 502, 503, 504].filter(isServerUnavailableStatus)).toEqual([502, 503, 504])
})

test('marks the cached page as offline, and detects a page of another build', () => {
  expect(markPageOffline('<!doctype html><html lang="th"><head>')).toBe(
    '<!doctype html><html data-offline lang="th"><head>',
  )
  const html = '<script type="module" crossorigin src="/assets/index-AbC.js"></script>'
  expect(pageBelongsToBuild(html, { entry: '/assets/index-AbC.js' })).toBe(true)
  expect(pageBelongsToBuild(html, { entry: '/assets/index-XyZ.js' })).toBe(false)
})
