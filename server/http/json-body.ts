import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp } from '#server/route/route-app.ts'

/** Our deepest body has five levels; deeper ones are only sent to hurt recursive code (R39). */
const MAX_DEPTH = 32

/** Takes JSON and nothing else: other types 415, broken JSON, `__proto__` keys and deep nesting 400. An empty body is no body. */
export function acceptOnlyJson(app: RouteApp): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') done(null, undefined)
    else if (nestsDeeperThan(MAX_DEPTH, text)) done(new ProblemError('bad_input'), undefined)
    else void parse(request, text, done)
  })
}

/** Counts brackets outside strings, without recursion. */
export function nestsDeeperThan(limit: number, json: string): boolean {
  let depth = 0
  let isString = false
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index]
    if (isString) {
      if (character === '\\') index += 1
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > limit) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}
