import type { WireParameter } from './database-engine.ts'

type Parser = (text: string) => unknown

const asText: Parser = (text) => text
const asJson: Parser = (text) => JSON.parse(text)

/** A stored value without a faithful JavaScript representation; callers receive `StatementError` 22003. */
class ValueOutOfRange extends RangeError {
  readonly code = '22003'
}

/**
 * Parses an integer. Row counts, ids and satang amounts fit a double; a larger value is a bug, so throw instead of
 * rounding.
 */
function asSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new ValueOutOfRange(`int8 out of the safe range: ${text}`)
  return value
}

/** Both engines run in UTC and print `2026-01-31 17:00:00.123+00`; callers get `2026-01-31T17:00:00.123Z`. */
function asUtcIso(text: string): string {
  const date = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  return Number.isNaN(date.getTime()) ? text : date.toISOString()
}

const asBytes: Parser = (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))

// Type ids from pg_type.dat, the same in every PostgreSQL and therefore in PGlite.
const PARSED_TYPES: Readonly<
  Record<string, { readonly id: number; readonly arrayId: number; readonly parse: Parser }>
> = {
  bool: { id: 16, arrayId: 1000, parse: (text) => text === 't' },
  bytea: { id: 17, arrayId: 1001, parse: asBytes },
  int8: { id: 20, arrayId: 1016, parse: asSafeInteger },
  int2: { id: 21, arrayId: 1005, parse: Number },
  int4: { id: 23, arrayId: 1007, parse: Number },
  oid: { id: 26, arrayId: 1028, parse: Number },
  float4: { id: 700, arrayId: 1021, parse: Number },
  float8: { id: 701, arrayId: 1022, parse: Number },
  json: { id: 114, arrayId: 199, parse: asJson },
  jsonb: { id: 3802, arrayId: 3807, parse: asJson },
  timestamptz: { id: 1184, arrayId: 1185, parse: asUtcIso },
}
const SCALARS = new Map(Object.values(PARSED_TYPES).map(({ id, parse }) => [id, parse]))
const ARRAYS = new Map(Object.values(PARSED_TYPES).map(({ id, arrayId }) => [arrayId, id]))
/** Type ids of name[], text[], bpchar[], varchar[], timestamp[], date[], time[], numeric[], uuid[]. */
const TEXT_ARRAYS: ReadonlySet<number> = new Set([1003, 1009, 1014, 1015, 1115, 1182, 1183, 1231, 2951])

/**
 * Returns the parser for a PostgreSQL type. Both engines use this table, so callers see no difference: int8 as a safe
 * integer (or an error), numeric, date and unknown types as text, timestamptz as UTC ISO text, json parsed.
 */
export function getPostgresTypeParser(typeId: number): Parser {
  const scalar = SCALARS.get(typeId)
  if (scalar !== undefined) return scalar
  const element = ARRAYS.get(typeId)
  if (element !== undefined) return (text) => parsePostgresArray(text, getPostgresTypeParser(element))
  return TEXT_ARRAYS.has(typeId) ? (text) => parsePostgresArray(text, asText) : asText
}

/** Parses array literals such as `{1,NULL,"a \"b\""}`, including nested ones. Ignores bounds like `[0:2]={…}`. */
export function parsePostgresArray(text: string, parse: Parser): unknown[] {
  let at = text.indexOf('{')
  function list(): unknown[] {
    const items: unknown[] = []
    at += 1
    while (text[at] !== '}') {
      if (at >= text.length) throw new SyntaxError(`not a PostgreSQL array: ${text}`)
      if (text[at] === ',') at += 1
      else items.push(text[at] === '{' ? list() : item())
    }
    at += 1
    return items
  }
  function item(): unknown {
    if (text[at] !== '"') {
      const start = at
      while (at < text.length && text[at] !== ',' && text[at] !== '}') at += 1
      const word = text.slice(start, at)
      return word === 'NULL' ? null : parse(word)
    }
    let value = ''
    for (at += 1; text[at] !== '"'; at += 1) {
      if (at >= text.length) throw new SyntaxError(`not a PostgreSQL array: ${text}`)
      if (text[at] === '\\') at += 1
      value += text[at]
    }
    at += 1
    return parse(value)
  }
  return list()
}

/**
 * Converts a JavaScript value to PostgreSQL text as node-postgres would: arrays as `{…}` literals, objects as JSON,
 * dates in UTC. Send a JSON array as text (`JSON.stringify`): an array here always means a PostgreSQL array.
 */
export function toSqlParameter(value: unknown): WireParameter {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return withoutNul(value)
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return value
  if (Array.isArray(value)) return toPostgresArrayLiteral(value)
  if (typeof value === 'object') return withoutNul(JSON.stringify(value))
  throw new TypeError(`a ${typeof value} cannot be a parameter`)
}

export function toPostgresArrayLiteral(values: readonly unknown[]): string {
  // Joining numbers directly halves the time for a statement with ten thousand of them.
  if (values.every((value) => typeof value === 'number')) return `{${values.join()}}`
  return `{${values.map(arrayItem).join(',')}}`
}

function arrayItem(value: unknown): string {
  if (Array.isArray(value)) return toPostgresArrayLiteral(value)
  const parameter = toSqlParameter(value)
  if (parameter === null) return 'NULL'
  const text = typeof parameter === 'string' ? parameter : `\\x${Buffer.from(parameter).toString('hex')}`
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? text
    : `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** PostgreSQL text cannot contain NUL, which would terminate it on the wire. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
