import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import semver from 'semver'
import { billOfMaterials } from './bill-of-materials.ts'

/**
 * `npm run advisories`: holds the bill of materials against known advisories (OSV, https://osv.dev). Exit code 1 when one fits, 0 when none does or
 * nobody can be asked, which it says loudly.
 *
 *   npm run advisories                          asks api.osv.dev
 *   npm run advisories -- --database FOLDER     reads advisories from files, without a network: the unpacked all.zip of OSV's ecosystem "npm"
 */

type Component = { readonly name: string; readonly version: string; readonly purl: string }
export type Finding = {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly summary?: string | undefined
}

type Event = { readonly introduced?: string; readonly fixed?: string; readonly last_affected?: string }
/** The part of an OSV record that says which versions it is about (https://ossf.github.io/osv-schema). */
export type Advisory = {
  readonly id: string
  readonly summary?: string
  readonly withdrawn?: string
  readonly affected?: readonly {
    readonly package?: { readonly ecosystem?: string; readonly name?: string }
    readonly ranges?: readonly { readonly type: string; readonly events: readonly Event[] }[]
    readonly versions?: readonly string[]
  }[]
}

/** Advisories that fit and do not concern us, each with its reason and the day on which it was looked at. */
const ACCEPTED: Readonly<Record<string, string>> = {}

/** Advisories of `advisories` that fit a component. Withdrawn ones fit nobody. */
export function findingsIn(components: readonly Component[], advisories: Iterable<Advisory>): Finding[] {
  const byName = Map.groupBy(components, ({ name }) => name)
  const findings: Finding[] = []
  for (const { id, summary, withdrawn, affected = [] } of advisories) {
    if (withdrawn !== undefined) continue
    for (const { package: of, ranges = [], versions = [] } of affected) {
      if (of?.ecosystem !== 'npm') continue
      for (const { name, version } of byName.get(of.name ?? '') ?? []) {
        const isIn = versions.includes(version) || ranges.some(({ events }) => isWithin(version, events))
        if (isIn) findings.push({ id, name, version, summary })
      }
    }
  }
  return findings
}

/** Events are pairs of a beginning and an end, in the order of versions; without an end the newest is affected too. */
function isWithin(version: string, events: readonly Event[]): boolean {
  let isAffected = false
  for (const { introduced, fixed, last_affected: last } of events) {
    if (introduced !== undefined && (introduced === '0' || semver.gte(version, introduced, true))) isAffected = true
    if (fixed !== undefined && semver.gte(version, fixed, true)) isAffected = false
    if (last !== undefined && semver.gt(version, last, true)) isAffected = false
  }
  return isAffected
}

function* advisoriesOf(folder: string): Generator<Advisory> {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.json')) yield JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Advisory
}

const ASKED_AT = 'https://api.osv.dev/v1/querybatch'
const WAIT_MS = 15_000
type Answer = { readonly results: readonly { readonly vulns?: readonly { readonly id: string }[] }[] }

/** Asks OSV for all components at once. Rejects when it cannot be reached or answers something else. `address`: another server of the same interface. */
export async function askOsv(components: readonly Component[], address = ASKED_AT): Promise<Finding[]> {
  const queries = components.map(({ purl }) => ({ package: { purl } }))
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ queries }),
    signal: AbortSignal.timeout(WAIT_MS),
  })
  if (!answer.ok) throw new Error(`OSV answered ${answer.status}`)
  const { results } = (await answer.json()) as Answer
  if (results?.length !== components.length) throw new Error('OSV answered for other components than were asked for')
  return results.flatMap(({ vulns = [] }, at) =>
    vulns.map(({ id }) => ({ id, name: components[at]!.name, version: components[at]!.version })),
  )
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { database: { type: 'string' } } })
  const { components } = billOfMaterials(path.join(import.meta.dirname, '..'))
  let found: Finding[]
  try {
    found =
      values.database === undefined ? await askOsv(components) : findingsIn(components, advisoriesOf(values.database))
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : message
    console.log(
      `*** advisories were not checked: ${reason}. \`npm run advisories -- --database FOLDER\` needs no network.`,
    )
    return
  }
  const open = found.filter(({ id }) => !(id in ACCEPTED))
  for (const { id, name, version, summary = '' } of open) console.log(`${id}  ${name}@${version}  ${summary}`)
  console.log(`${components.length} components, ${open.length} known advisories`)
  if (open.length > 0) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
