import { expect, test } from 'vitest'
import { findMethodsForPath } from './collect-routes.ts'

const ROUTES = [
  { url: '/api/projects', methods: ['GET'] },
  { url: '/api/projects', methods: ['HEAD'] },
  { url: '/api/projects/:id', methods: ['GET', 'PATCH'] },
  { url: '/docs/*', methods: ['GET'] },
]

test.each([
  ['/api/projects', ['GET', 'HEAD']],
  ['/api/projects/', ['GET', 'HEAD']],
  ['/api/projects/67019000001', ['GET', 'PATCH']],
  ['/api/projects//', []],
  ['/api/projects/1/2', []],
  ['/api', []],
  ['/docs/a/b.js', ['GET']],
  ['/docs', []],
])('%s takes %o', (path, methods) => {
  expect(findMethodsForPath(ROUTES, path)).toEqual(methods)
})
