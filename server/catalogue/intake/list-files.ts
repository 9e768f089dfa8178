import { fiscalYear } from '#contract/thai/thai-date.ts'
import { isObject } from '#server/catalogue/feed/file/json-document.ts'
import type { Outgoing } from '#server/platform/outgoing/get.ts'
import { askJson } from './ask-json.ts'
import type { PacedRound } from './paced-round.ts'
import type { SourceState } from './sources.ts'

/** A file that the other side has, or why one that was asked for cannot be had. */
export type ListedFile = {
  readonly address: string
  readonly name: string
  /** Differs when the file does; empty: nobody says. */
  readonly version: string
  readonly bytes?: number | null
  readonly unavailable?: string
}

/** What is asked for: what the operator named, or this fiscal year and the last. */
function chosenParts(parts: string, today: string, fallback?: readonly string[]): readonly string[] {
  const named = parts
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const year = fiscalYear(today)
  return named.length > 0 ? named : (fallback ?? [String(year - 1), String(year)])
}

/** The datasets of data.go.th are spelt in three ways, by year; a later year is taken to be spelt as the last one known. */
export function packageOfYear(year: number): string {
  if (year <= 2563) return `cgd-contract-${year}`
  return year <= 2567 ? `cdg-contract-${year}` : `egp-contact-${year}`
}

/** The packages or fiscal years of a source. */
export const partsOf = ({ source, parts }: Pick<SourceState, 'source' | 'parts'>, today: string): readonly string[] =>
  chosenParts(parts, today, source === 'agencies' ? ['egpdepartment'] : undefined)

/** What a probe asks for: the newest of what is chosen. */
export function probeAddress(state: SourceState, today: string): URL {
  const part = partsOf(state, today).at(-1)!
  if (state.source === 'cgd-api') return new URL(state.address)
  if (state.source === 'ocds') return new URL(listYears(state.address, [part])[0]!.address)
  const address = new URL('package_show', base(state.address))
  address.searchParams.set('id', /^\d{4}$/.test(part) ? packageOfYear(Number(part)) : part)
  return address
}

/** The files of CKAN packages: a fiscal year stands for its contracts, a name with `*` for every package that begins so. */
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
    // A year that is not published yet is nothing to worry about; a name that somebody typed is.
    else if (!isYear) files.push({ address: address.href, name, version: '', unavailable: `ไม่มีชุดข้อมูล ${name}` })
  }
  return files
}

/** Packages asked for in one request. */
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

/** Tables and documents that the import reads; CKAN holds the same content as a sheet or a PDF too. */
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
    // Old entries of the catalogue name their own files by http.
    if (where.host === new URL(address).host) where.protocol = new URL(address).protocol
    const version = [hash, modified, touched].find((text): text is string => typeof text === 'string' && text !== '')
    const file = decodeURIComponent(where.pathname.split('/').at(-1) ?? '')
    const title = typeof name === 'string' && name !== '' ? name : file
    return [{ address: where.href, name: title, version: version ?? '', bytes: typeof size === 'number' ? size : null }]
  })
}

/** Files whose address holds the fiscal year in place of `{year}`. Nobody says when they change: they are asked for by what was had before. */
export function listYears(address: string, years: readonly string[]): ListedFile[] {
  const addresses = address.includes('{year}') ? years.map((year) => address.replaceAll('{year}', year)) : [address]
  return addresses.map((one) => ({ address: one, name: new URL(one).pathname.split('/').at(-1) || one, version: '' }))
}
