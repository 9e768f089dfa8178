import { fiscalYear } from '#contract/thai/thai-date.ts'
import { isObject } from '#server/catalogue/feed/file/json-document.ts'
import type { Outgoing } from '#server/platform/outgoing/get.ts'
import { askJson } from './ask-json.ts'
import type { PacedRound } from './paced-round.ts'
import type { SourceState } from './sources.ts'

/** A remote file, or the reason why a requested one is unavailable. */
export type ListedFile = {
  readonly address: string
  readonly name: string
  /** Changes with the content; empty when the server does not report it. */
  readonly version: string
  readonly bytes?: number | null
  readonly unavailable?: string
}

/** Defaults to this and the last fiscal year. */
function chosenParts(parts: string, today: string, fallback?: readonly string[]): readonly string[] {
  const named = parts
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const year = fiscalYear(today)
  return named.length > 0 ? named : (fallback ?? [String(year - 1), String(year)])
}

/**
 * data.go.th spells dataset names in three ways, depending on the year; later years are assumed to follow the latest
 * spelling.
 */
export function packageOfYear(year: number): string {
  if (year <= 2563) return `cgd-contract-${year}`
  return year <= 2567 ? `cdg-contract-${year}` : `egp-contact-${year}`
}

export const partsOf = ({ source, parts }: Pick<SourceState, 'source' | 'parts'>, today: string): readonly string[] =>
  chosenParts(parts, today, source === 'agencies' ? ['egpdepartment'] : undefined)

export function probeAddress(state: SourceState, today: string): URL {
  const part = partsOf(state, today).at(-1)!
  if (state.source === 'cgd-api') return new URL(state.address)
  if (state.source === 'ocds') return new URL(listYears(state.address, [part])[0]!.address)
  const address = new URL('package_show', base(state.address))
  address.searchParams.set('id', /^\d{4}$/.test(part) ? packageOfYear(Number(part)) : part)
  return address
}

/**
 * Lists the files of CKAN packages: a fiscal year means its contract package, a name with `*` every package with that
 * prefix.
 */
export async function listPackages(round: PacedRound, get: Outgoing, parts: readonly string[]): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  for (const part of parts) {
    if (part.endsWith('*')) {
      files.push(...(await searchPackages(round, get, part)))
      continue
    }
    const isYear = /^\d{4}$/.test(part)
    const name = isYear ? packageOfYear(Number(part)) : part
    const address = new URL('package_show', base(round.source.address))
    address.searchParams.set('id', name)
    const result = resultOf(await askJson(round, get, address))
    if (isObject(result)) files.push(...filesOf(result, round.source.address))
    // A year may not be published yet, but a missing package named by the operator is an error.
    else if (!isYear) files.push({ address: address.href, name, version: '', unavailable: `ไม่มีชุดข้อมูล ${name}` })
  }
  return files
}

const PAGE = 50

async function searchPackages(round: PacedRound, get: Outgoing, pattern: string): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  for (let start = 0; ; start += PAGE) {
    const address = new URL('package_search', base(round.source.address))
    for (const [name, value] of Object.entries({ fq: `name:${pattern}`, sort: 'name asc', rows: PAGE, start }))
      address.searchParams.set(name, String(value))
    const result = resultOf(await askJson(round, get, address))
    const packages = isObject(result) && Array.isArray(result.results) ? result.results.filter(isObject) : []
    for (const one of packages) files.push(...filesOf(one, round.source.address))
    const count = isObject(result) ? Number(result.count) : 0
    if (packages.length === 0 || !(start + PAGE < count)) return files
  }
}

const base = (address: string) => (address.endsWith('/') ? address : `${address}/`)

function resultOf(answer: { readonly value: unknown } | undefined): unknown {
  return answer && isObject(answer.value) && answer.value.success === true ? answer.value.result : undefined
}

/** Formats that the importer reads; CKAN also offers the same content as a sheet or PDF. */
const READABLE = /^(?:csv|json|csv\.gz|json\.gz)$/i
const READABLE_NAME = /\.(?:csv|json)(?:\.gz|\.xz)?$/i

function filesOf(found: Record<string, unknown>, address: string): ListedFile[] {
  const resources = Array.isArray(found.resources) ? found.resources.filter(isObject) : []
  return resources.flatMap((resource) => {
    const { url, name, format, hash, last_modified: modified, metadata_modified: touched, size } = resource
    if (typeof url !== 'string' || !URL.canParse(url, address)) return []
    const where = new URL(url, address)
    const isTable =
      typeof format === 'string' && format !== '' ? READABLE.test(format) : READABLE_NAME.test(where.pathname)
    if (!isTable) return []
    // Old catalogue entries link to their own files over http.
    if (where.host === new URL(address).host) where.protocol = new URL(address).protocol
    const version = [hash, modified, touched].find((text): text is string => typeof text === 'string' && text !== '')
    const file = decodeURIComponent(where.pathname.split('/').at(-1) ?? '')
    const title = typeof name === 'string' && name !== '' ? name : file
    return [{ address: where.href, name: title, version: version ?? '', bytes: typeof size === 'number' ? size : null }]
  })
}

/**
 * Lists files whose URL has `{year}` for the fiscal year. The server reports no versions, so they are requested
 * conditionally.
 */
export function listYears(address: string, years: readonly string[]): ListedFile[] {
  const addresses = address.includes('{year}') ? years.map((year) => address.replaceAll('{year}', year)) : [address]
  return addresses.map((one) => ({ address: one, name: new URL(one).pathname.split('/').at(-1) || one, version: '' }))
}
