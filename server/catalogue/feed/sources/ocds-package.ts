import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { isObject } from '#server/catalogue/feed/file/json-document.ts'
import { listAt, type Node, nodeAt, textAt } from './ocds-node.ts'

/**
 * Returns the releases or records of a package, of a list of packages or items, or of a single item.
 * @throws FeedFormatError for anything else or another major version.
 */
export function listReleases(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document.flatMap((item) => (isPackage(item) ? listReleases(item) : [item]))
  if (!isObject(document)) throw new FeedFormatError('JSON ไม่ใช่ OCDS: ไม่ใช่ออบเจ็กต์')
  const version = typeof document.version === 'string' ? document.version : '1.0'
  if (!/^1\.\d/.test(version)) throw new FeedFormatError(`ไม่รองรับ OCDS รุ่น ${version} รองรับ 1.x`)
  if (Array.isArray(document.releases) && document.ocid === undefined) return document.releases
  if (Array.isArray(document.records)) return document.records
  if (document.ocid !== undefined && RELEASE_SECTIONS.some((section) => section in document)) return [document]
  throw new FeedFormatError('JSON ไม่ใช่ชุดข้อมูล OCDS: ไม่มี releases หรือ records')
}

/** A release or record has at least one of these besides its id. */
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
  isObject(value) && value.ocid === undefined && (isPackageList(value) || 'version' in value)
const isPackageList = (value: Record<string, unknown>) => Array.isArray(value.releases) || Array.isArray(value.records)

export const LINKS_ONLY_TEXT =
  'record มีแต่ลิงก์ไปยัง release ไม่มีข้อมูลของโครงการ ดาวน์โหลดชุดข้อมูลที่มี compiledRelease หรือ release เต็มแล้วนำเข้าอีกครั้ง'

/**
 * Returns the compiled release of a record if complete, else its releases merged by date. A release is returned as is.
 */
export function compileRelease(item: Node): Node | undefined {
  const releases = listAt(item, 'releases')
  const isRecord = releases.length > 0 || 'compiledRelease' in item || 'versionedRelease' in item
  if (!isRecord) return item
  const embedded = releases.filter((release) => release.url === undefined || releaseTitle(release) !== undefined)
  const candidates = [
    nodeAt(item, 'compiledRelease'),
    embedded.length > 0 ? mergeReleases(embedded) : {},
    latestVersion(nodeAt(item, 'versionedRelease')) as Node,
  ]
  const release = candidates.find((release) => releaseTitle(release) !== undefined)
  return release === undefined ? undefined : { ocid: item.ocid, ...release }
}

/** Bangkok omits the tender title and uses the budget's project name. */
export function releaseTitle(release: Node): string | undefined {
  const tender = nodeAt(release, 'tender')
  const planning = nodeAt(release, 'planning')
  return (
    textAt(tender, 'title') ??
    textAt(nodeAt(planning, 'budget'), 'project') ??
    textAt(tender, 'description') ??
    textAt(listAt(release, 'contracts')[0] ?? {}, 'title') ??
    undefined
  )
}

const dateOf = (release: Node) => String(release.date ?? '')

/** Merges the releases of a process according to the standard: by date, lists by object id, null deletes. */
function mergeReleases(releases: readonly Node[]): Node {
  return releases
    .toSorted((a, b) => (dateOf(a) < dateOf(b) ? -1 : dateOf(a) > dateOf(b) ? 1 : 0))
    .reduce((merged, release) => mergeNode(merged, release, 0), {})
}

/** Real releases nest 8 levels deep. */
const MAX_DEPTH = 30

function mergeNode(before: Node, after: Node, depth: number): Node {
  if (depth > MAX_DEPTH) return after
  const merged: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(after)) {
    const old = merged[key]
    if (isObject(value) && isObject(old)) merged[key] = mergeNode(old, value, depth + 1)
    else if (isIdentified(value) && isIdentified(old)) merged[key] = mergeList(old, value, depth)
    else merged[key] = value
  }
  return merged
}

const isIdentified = (value: unknown): value is Node[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && item.id !== undefined)

function mergeList(before: readonly Node[], after: readonly Node[], depth: number): Node[] {
  const merged = new Map(before.map((item) => [String(item.id), item]))
  for (const item of after) {
    const old = merged.get(String(item.id))
    merged.set(String(item.id), old === undefined ? item : mergeNode(old, item, depth + 1))
  }
  return [...merged.values()]
}

/** In a versioned release every value is a list of past values with their dates. */
function latestVersion(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) {
    const versions = value.filter(isObject)
    if (versions.length > 0 && versions.every((version) => 'releaseDate' in version || 'releaseID' in version))
      return versions.toSorted((a, b) => (String(a.releaseDate) < String(b.releaseDate) ? -1 : 1)).at(-1)!.value
    return value.map((item) => latestVersion(item, depth + 1))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, latestVersion(property, depth + 1)]))
}
