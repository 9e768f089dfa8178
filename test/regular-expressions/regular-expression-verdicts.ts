import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { check } from 'recheck'
import type { Pattern } from './find-regular-expressions.ts'

export type Verdict = {
  readonly status: 'safe' | 'vulnerable' | 'unknown'
  /** The attack string of a vulnerable pattern, or why the check is inconclusive. */
  readonly reason: string
}

/**
 * The checker's phases are limited by steps, not time: on a busy machine it would mistake slowness for an attack. Only
 * each pattern as a whole has a timeout in ms; the native program needs at most 1 s, the JavaScript one 10 s.
 */
const BY_STEPS = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null, timeout: 60_000 }
const AT_ONCE = 2
const CACHE_FILE = path.join(import.meta.dirname, '../../node_modules/.cache/regular-expressions.json')
const VERSION = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../node_modules/recheck/package.json'), 'utf8'),
) as { version: string }

/**
 * Returns `recheck`'s verdict on each pattern, in order. Verdicts are cached by content, so each machine examines a
 * pattern once.
 */
export async function checkPatterns(patterns: readonly Pattern[], file = CACHE_FILE): Promise<Verdict[]> {
  const cached = readCache(file)
  const verdicts = new Map<string, Verdict>()
  const waiting = patterns.filter((pattern) => {
    const verdict = withoutRepetition(pattern) ? NO_REPETITION : cached[keyOf(pattern)]
    if (verdict !== undefined) verdicts.set(keyOf(pattern), verdict)
    return verdict === undefined
  })
  const queue = [...new Map(waiting.map((pattern) => [keyOf(pattern), pattern])).entries()].values()
  const examineSome = async () => {
    for (const [key, pattern] of queue) verdicts.set(key, await examine(pattern))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, examineSome))
  // Inconclusive verdicts are not cached, because a less busy machine may decide them.
  const certain = [...verdicts].filter(([, verdict]) => verdict.status !== 'unknown' && verdict !== NO_REPETITION)
  if (waiting.length > 0) writeCache(file, { ...cached, ...Object.fromEntries(certain) })
  return patterns.map((pattern) => verdicts.get(keyOf(pattern))!)
}

const NO_REPETITION: Verdict = { status: 'safe', reason: '' }

/**
 * Returns true for a pattern without `*`, `+` and `{`. A match attempt then reads at most as many characters as the
 * pattern has, so the pattern is linear. Two of three patterns are of this kind. Patterns with many consecutive `?` are
 * left to the checker.
 */
function withoutRepetition({ source }: Pattern): boolean {
  const plain = source.replace(/\\[\s\S]/g, '')
  return !/[*+{]/.test(plain) && plain.split('?').length <= 6
}

async function examine({ source, flags }: Pattern): Promise<Verdict> {
  const result = await check(source, flags, BY_STEPS)
  if (result.status === 'vulnerable')
    return { status: 'vulnerable', reason: `${result.complexity.summary}: ${result.attack.pattern}` }
  if (result.status === 'unknown')
    return { status: 'unknown', reason: 'message' in result.error ? result.error.message : result.error.kind }
  return { status: 'safe', reason: '' }
}

function keyOf({ source, flags }: Pattern): string {
  return createHash('sha256')
    .update(JSON.stringify([VERSION.version, flags, source]))
    .digest('base64url')
}

function readCache(file: string): Record<string, Verdict> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Verdict>
  } catch {
    return {}
  }
}

function writeCache(file: string, verdicts: Record<string, Verdict>): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const written = `${file}.${process.pid}`
  writeFileSync(written, JSON.stringify(verdicts))
  renameSync(written, file)
}
