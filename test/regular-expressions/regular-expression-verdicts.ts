import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { check } from 'recheck'
import type { Pattern } from './find-regular-expressions.ts'

export type Verdict = {
  readonly status: 'safe' | 'vulnerable' | 'unknown'
  /** The attack on a vulnerable one, or why nothing can be said. */
  readonly said: string
}

/**
 * Trials are ended by what they have read and not by the clock: on a busy machine the checker would else take slowness for an attack.
 * Only the whole of one pattern has a time, in milliseconds; its native program needs a second at most, the one in JavaScript ten.
 */
const BY_STEPS = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null, timeout: 60_000 }
const AT_ONCE = 2
const KEPT = path.join(import.meta.dirname, '../../node_modules/.cache/regular-expressions.json')
const VERSION = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../node_modules/recheck/package.json'), 'utf8'),
) as { version: string }

/** What `recheck` says of each pattern, in their order. Verdicts are kept by content: a pattern is examined once on a machine. */
export async function verdictsOn(patterns: readonly Pattern[], file = KEPT): Promise<Verdict[]> {
  const kept = readKept(file)
  const verdicts = new Map<string, Verdict>()
  const waiting = patterns.filter((pattern) => {
    const verdict = withoutRepetition(pattern) ? NO_REPETITION : kept[keyOf(pattern)]
    if (verdict !== undefined) verdicts.set(keyOf(pattern), verdict)
    return verdict === undefined
  })
  const queue = [...new Map(waiting.map((pattern) => [keyOf(pattern), pattern])).entries()].values()
  const examineSome = async () => {
    for (const [key, pattern] of queue) verdicts.set(key, await examine(pattern))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, examineSome))
  // What could not be said today may be said tomorrow, on a machine with less to do.
  const certain = [...verdicts].filter(([, verdict]) => verdict.status !== 'unknown' && verdict !== NO_REPETITION)
  if (waiting.length > 0) keep(file, { ...kept, ...Object.fromEntries(certain) })
  return patterns.map((pattern) => verdicts.get(keyOf(pattern))!)
}

const NO_REPETITION: Verdict = { status: 'safe', said: '' }

/**
 * Without `*`, `+` and `{` an attempt reads no more signs than the pattern has, so it is linear; two patterns of three. Many `?` in a
 * row are left to the checker.
 */
function withoutRepetition({ source }: Pattern): boolean {
  const plain = source.replace(/\\[\s\S]/g, '')
  return !/[*+{]/.test(plain) && plain.split('?').length <= 6
}

async function examine({ source, flags }: Pattern): Promise<Verdict> {
  const found = await check(source, flags, BY_STEPS)
  if (found.status === 'vulnerable')
    return { status: 'vulnerable', said: `${found.complexity.summary}: ${found.attack.pattern}` }
  if (found.status === 'unknown')
    return { status: 'unknown', said: 'message' in found.error ? found.error.message : found.error.kind }
  return { status: 'safe', said: '' }
}

function keyOf({ source, flags }: Pattern): string {
  return createHash('sha256')
    .update(JSON.stringify([VERSION.version, flags, source]))
    .digest('base64url')
}

function readKept(file: string): Record<string, Verdict> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Verdict>
  } catch {
    return {}
  }
}

function keep(file: string, verdicts: Record<string, Verdict>): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const written = `${file}.${process.pid}`
  writeFileSync(written, JSON.stringify(verdicts))
  renameSync(written, file)
}
