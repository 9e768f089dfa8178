import { expect, test } from 'vitest'
import {
  cacheName,
  isAway,
  isPageOf,
  markOffline,
  outdatedCaches,
  pageFor,
  type Serving,
  servingOf,
} from './serving.ts'

const HOME = 'https://tamngan.example'
const LOOSE = ['/theme.js', '/icon-192.png']

const serving = (path: string, { method = 'GET', mode = 'cors' as RequestMode, origin = HOME } = {}) =>
  servingOf({ method, mode, url: origin + path }, HOME, LOOSE)

test.each<[string, Parameters<typeof serving>[1], Serving]>([
  ['/report', { mode: 'navigate' }, 'page'],
  ['/report/69119284417?from=x', { mode: 'navigate' }, 'page'],
  ['/login', { mode: 'navigate' }, 'page'],
  // Neither file downloads by link nor unknown paths are pages.
  ['/api/v2/exports/1/file', { mode: 'navigate' }, 'network'],
  ['/no-such-screen', { mode: 'navigate' }, 'network'],
  ['/assets/shell-abc.js', {}, 'file'],
  ['/theme.js', {}, 'loose'],
  ['/icon-512.png', {}, 'network'],
  // API responses are never intercepted, whatever the bearer or method.
  ['/api/v2/users/me', {}, 'network'],
  ['/api/v2/auth/token/refresh/', { method: 'POST' }, 'network'],
  ['/api/v2/projects?page=2', {}, 'network'],
  ['/readyz', {}, 'network'],
  ['/assets/shell-abc.js', { method: 'HEAD' }, 'network'],
  ['/assets/shell-abc.js', { origin: 'https://elsewhere.example' }, 'network'],
])('R73: %s %o is served by %s', (path, request, expected) => {
  expect(serving(path, request)).toBe(expected)
})

test('the kept page has the shape of its screen', () => {
  expect(['/report', '/report/', '/'].map(pageFor)).toEqual(['/report', '/report', '/report'])
  expect(['/report/69119284417', '/board', '/login'].map(pageFor)).toEqual(['/board', '/board', '/board'])
})

test('the present build and the two before it stay; what others keep is left alone', () => {
  const names = ['a', 'b', 'c', 'd'].map(cacheName)
  expect(outdatedCaches(['others', ...names], 'd')).toEqual([cacheName('a')])
  // Re-deploying an earlier build makes it current again.
  expect(outdatedCaches(names, 'a')).toEqual([cacheName('b')])
  expect(outdatedCaches(names.slice(2), 'd')).toEqual([])
})

test('a server that is being replaced is away, one that refuses or fails has answered', () => {
  expect([200, 401, 404, 500, 502, 503, 504].filter(isAway)).toEqual([502, 503, 504])
})

test('the kept page says that it was kept, and a page of another build is told apart', () => {
  expect(markOffline('<!doctype html><html lang="th"><head>')).toBe(
    '<!doctype html><html data-offline lang="th"><head>',
  )
  const html = '<script type="module" crossorigin src="/assets/index-AbC.js"></script>'
  expect(isPageOf(html, { entry: '/assets/index-AbC.js' })).toBe(true)
  expect(isPageOf(html, { entry: '/assets/index-XyZ.js' })).toBe(false)
})
