import { getFiscalYear } from '#contract/thai/thai-date.ts'
import { isJsonObject } from '#server/catalogue/feed/file/json-file.ts'
import type { OutgoingGetFn } from '#server/platform/outgoing/outgoing-get.ts'
import { fetchJson } from './fetch-json.ts'
import type { IntakeSourceState } from './intake-sources.ts'
import type { PacedIntakeRound } from './paced-intake-round.ts'

export type ListedSourceFile = {
  readonly address: string
  readonly name: string
  /** Version of the file's content; empty when the server does not report one. */
  readonly version: string
  readonly bytes?: number | null
  readonly unavailable?: string
}

function selectParts(parts: string, today: string, fallback?: readonly string[]): readonly string[] {
  const names = parts
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const year = getFiscalYear(today)
  return names.length > 0 ? names : (fallback ?? [String(year - 1), String(year)])
}

/**
 * data.go.th spells dataset names in three ways, depending on the year; later years are assumed to follow the latest
 * spelling.
 */
function buildCkanPackageName(year: number): string {
  if (year <= 2563) return `cgd-contract-${year}`
  return year <= 2567 ? `cdg-contract-${year}` : `egp-contact-${year}`
}

export const selectIntakeSourcePartsToFetch = (
  { source, parts }: Pick<IntakeSourceState, 'source' | 'parts'>,
  today: string,
): readonly string[] => selectParts(parts, today, source === 'agencies' ? ['egpdepartment'] : undefined)

export function buildIntakeSourceProbeUrl(state: IntakeSourceState, today: string): URL {
  const part = selectIntakeSourcePartsToFetch(state, today).at(-1)!
  if (state.source === 'cgd-api') return new URL(state.address)
  if (state.source === 'ocds') return new URL(listSourceFilesByFiscalYear(state.address, [part])[0]!.address)
  const address = new URL('package_show', base(state.address))
  address.searchParams.set('id', /^\d{4}$/.test(part) ? buildCkanPackageName(Number(part)) : part)
  return address
}

/**
 * Lists the files of CKAN packages. A fiscal year selects its contract package, a name with `*` every package with that
 * prefix.
 */
export async function listCkanPackageFiles(
  round: PacedIntakeRound,
  get: OutgoingGetFn,
  parts: readonly string[],
): Promise<ListedSourceFile[]> {
  const files: ListedSourceFile[] = []
  for (const part of parts) {
    if (part.endsWith('*')) {
      files.push(...(await searchPackages(round, get, part)))
      continue
    }
    const isYear = /^\d{4}$/.test(part)
    const name = isYear ? buildCkanPackageName(Number(part)) : part
    const address = new URL('package_show', base(round.source.address))
    address.searchParams.set('id', name)
    const result = unwrapResult(await fetchJson(round, get, address))
    if (isJsonObject(result)) files.push(...listResources(result, round.source.address))
    // A year may not be published yet, but a missing package named by the operator is an error.
    else if (!isYear) files.push({ address: address.href, name, version: '', unavailable: `ไม่มีชุดข้อมูล ${name}` })
  }
  return files
}

const PAGE_SIZE = 50

async function searchPackages(
  round: PacedIntakeRound,
  get: OutgoingGetFn,
  pattern: string,
): Promise<ListedSourceFile[]> {
  const files: ListedSourceFile[] = []
  for (let start = 0; ; start += PAGE_SIZE) {
    const address = new URL('package_search', base(round.source.address))
    for (const [name, value] of Object.entries({ fq: `name:${pattern}`, sort: 'name asc', rows: PAGE_SIZE, start }))
      address.searchParams.set(name, String(value))
    const result = unwrapResult(await fetchJson(round, get, address))
    const packages = isJsonObject(result) && Array.isArray(result.results) ? result.results.filter(isJsonObject) : []
    for (const dataset of packages) files.push(...listResources(dataset, round.source.address))
    const count = isJsonObject(result) ? Number(result.count) : 0
    if (packages.length === 0 || !(start + PAGE_SIZE < count)) return files
  }
}

const base = (address: string) => (address.endsWith('/') ? address : `${address}/`)

function unwrapResult(response: { readonly value: unknown } | undefined): unknown {
  return response && isJsonObject(response.value) && response.value.success === true ? response.value.result : undefined
}

/** File formats that the importer reads; CKAN also offers the same content as a spreadsheet or PDF. */
const READABLE = /^(?:csv|json|csv\.gz|json\.gz)$/i
const READABLE_NAME = /\.(?:csv|json)(?:\.gz|\.xz)?$/i

function listResources(dataset: Record<string, unknown>, address: string): ListedSourceFile[] {
  const resources = Array.isArray(dataset.resources) ? dataset.resources.filter(isJsonObject) : []
  return resources.flatMap((resource) => {
    const { url, name, format, hash, last_modified: modified, metadata_modified: touched, size } = resource
    if (typeof url !== 'string' || !URL.canParse(url, address)) return []
    const resourceUrl = new URL(url, address)
    const isTable =
      typeof format === 'string' && format !== '' ? READABLE.test(format) : READABLE_NAME.test(resourceUrl.pathname)
    if (!isTable) return []
    // Old catalogue entries link to files on the same host over http; use the catalogue's protocol instead.
    if (resourceUrl.host === new URL(address).host) resourceUrl.protocol = new URL(address).protocol
    const version = [hash, modified, touched].find((text): text is string => typeof text === 'string' && text !== '')
    const file = decodeURIComponent(resourceUrl.pathname.split('/').at(-1) ?? '')
    const title = typeof name === 'string' && name !== '' ? name : file
    return [
      { address: resourceUrl.href, name: title, version: version ?? '', bytes: typeof size === 'number' ? size : null },
    ]
  })
}

/**
 * Lists one file per fiscal year by replacing `{year}` in the URL. The server reports no versions, so the files are
 * requested conditionally.
 */
export function listSourceFilesByFiscalYear(address: string, years: readonly string[]): ListedSourceFile[] {
  const addresses = address.includes('{year}') ? years.map((year) => address.replaceAll('{year}', year)) : [address]
  return addresses.map((url) => ({ address: url, name: new URL(url).pathname.split('/').at(-1) || url, version: '' }))
}
