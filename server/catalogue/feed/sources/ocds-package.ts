import { isPlaceholderName } from '#server/catalogue/feed/feed-field.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { isJsonObject } from '#server/catalogue/feed/file/json-file.ts'
import { getOcdsNode, getOcdsNodeList, getOcdsText, type OcdsNode } from './ocds-node.ts'

/**
 * Returns the releases or records of a package, of a list of packages or items, or of a single item.
 * @throws FeedFormatError for anything else or another major version.
 */
export function listOcdsReleases(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document.flatMap((item) => (isPackage(item) ? listOcdsReleases(item) : [item]))
  if (!isJsonObject(document)) throw new FeedFormatError('JSON ไม่ใช่ OCDS: ไม่ใช่ออบเจ็กต์')
  const version = typeof document.version === 'string' ? document.version : '1.0'
  if (!/^1\.\d/.test(version)) throw new FeedFormatError(`ไม่รองรับ OCDS รุ่น ${version} รองรับ 1.x`)
  if (document.ocid === undefined)
    for (const list of [document.releases, document.records])
      if (Array.isArray(list) || isJsonObject(list)) return Array.isArray(list) ? list : [list]
  if (Array.isArray(document.records)) return document.records
  if (document.ocid !== undefined && RELEASE_SECTIONS.some((section) => section in document)) return [document]
  throw new FeedFormatError('JSON ไม่ใช่ชุดข้อมูล OCDS: ไม่มี releases หรือ records')
}

/** A release or record contains at least one of these sections in addition to its id. */
const RELEASE_SECTIONS = [
  'tender',
  'planning',
  'awards',
  'contracts',
  'releases',
  'compiledRelease',
  'versionedRelease',
]

const isPackage = (value: unknown) =>
  isJsonObject(value) && value.ocid === undefined && (isPackageList(value) || 'version' in value)
const isPackageList = (value: Record<string, unknown>) => Array.isArray(value.releases) || Array.isArray(value.records)

export const OCDS_LINKS_ONLY_MESSAGE =
  'record มีแต่ลิงก์ไปยัง release ไม่มีข้อมูลของโครงการ ดาวน์โหลดชุดข้อมูลที่มี compiledRelease หรือ release เต็มแล้วนำเข้าอีกครั้ง'

/**
 * Returns the compiled release of a record if complete, else its releases merged by date. A release is returned as is.
 */
export function compileOcdsRelease(item: OcdsNode): OcdsNode | undefined {
  const releases = getOcdsNodeList(item, 'releases')
  const isRecord = releases.length > 0 || 'compiledRelease' in item || 'versionedRelease' in item
  if (!isRecord) return item
  const embedded = releases.filter((release) => release.url === undefined || getOcdsReleaseTitle(release) !== undefined)
  const candidates = [
    getOcdsNode(item, 'compiledRelease'),
    embedded.length > 0 ? mergeReleases(embedded) : {},
    latestVersion(getOcdsNode(item, 'versionedRelease')) as OcdsNode,
  ]
  const release = candidates.find((release) => getOcdsReleaseTitle(release) !== undefined)
  return release === undefined ? undefined : { ocid: item.ocid, ...release }
}

/** Returns the tender title, or the project name of the budget, because Bangkok omits the tender title. */
export function getOcdsReleaseTitle(release: OcdsNode): string | undefined {
  const tender = getOcdsNode(release, 'tender')
  const planning = getOcdsNode(release, 'planning')
  const titles = [
    getOcdsText(tender, 'title'),
    getOcdsText(getOcdsNode(planning, 'budget'), 'project'),
    getOcdsText(tender, 'description'),
    getOcdsText(getOcdsNodeList(release, 'contracts')[0] ?? {}, 'title'),
  ]
  return titles.find((title) => typeof title === 'string' && !isPlaceholderName(title)) ?? undefined
}

const dateOf = (release: OcdsNode) => String(release.date ?? '')

/** Merges the releases of a process according to the standard: by date, lists by object id, null deletes. */
function mergeReleases(releases: readonly OcdsNode[]): OcdsNode {
  return releases
    .toSorted((a, b) => (dateOf(a) < dateOf(b) ? -1 : dateOf(a) > dateOf(b) ? 1 : 0))
    .reduce((merged, release) => mergeNode(merged, release, 0), {})
}

/** Maximum nesting; real releases nest 8 levels deep. */
const MAX_DEPTH = 30

function mergeNode(before: OcdsNode, after: OcdsNode, depth: number): OcdsNode {
  if (depth > MAX_DEPTH) return after
  const merged: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(after)) {
    const old = merged[key]
    if (isJsonObject(value) && isJsonObject(old)) merged[key] = mergeNode(old, value, depth + 1)
    else if (isIdentified(value) && isIdentified(old)) merged[key] = mergeList(old, value, depth)
    else merged[key] = value
  }
  return merged
}

const isIdentified = (value: unknown): value is OcdsNode[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isJsonObject(item) && item.id !== undefined)

function mergeList(before: readonly OcdsNode[], after: readonly OcdsNode[], depth: number): OcdsNode[] {
  const merged = new Map(before.map((item) => [String(item.id), item]))
  for (const item of after) {
    const old = merged.get(String(item.id))
    merged.set(String(item.id), old === undefined ? item : mergeNode(old, item, depth + 1))
  }
  return [...merged.values()]
}

/**
 * Returns the latest version of a value. In a versioned release every value is a list of its past values with their
 * dates.
 */
function latestVersion(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) {
    const versions = value.filter(isJsonObject)
    if (versions.length > 0 && versions.every((version) => 'releaseDate' in version || 'releaseID' in version))
      return versions.toSorted((a, b) => (String(a.releaseDate) < String(b.releaseDate) ? -1 : 1)).at(-1)!.value
    return value.map((item) => latestVersion(item, depth + 1))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, latestVersion(property, depth + 1)]))
}
