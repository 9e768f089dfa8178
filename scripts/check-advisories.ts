import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import semver from 'semver'
import { buildBillOfMaterials } from './bill-of-materials.ts'

/**
 * `npm run advisories`: checks the bill of materials against known advisories (OSV, https://osv.dev). Exit code 1 when
 * one applies; 0 when none does or OSV is unreachable, which prints a prominent warning.
 *
 *   npm run advisories                        queries api.osv.dev
 *   npm run advisories -- --database FOLDER   reads advisories from files, without a network: the unpacked all.zip of OSV's ecosystem "npm"
 */

type Component = { readonly name: string; readonly version: string; readonly purl: string }
export type Finding = {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly summary?: string | undefined
}

type Event = { readonly introduced?: string; readonly fixed?: string; readonly last_affected?: string }
/** The fields of an OSV record that state the affected versions (https://ossf.github.io/osv-schema). */
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

/** Advisories that match but do not affect us, each with its reason and the date of the review. */
const ACCEPTED: Readonly<Record<string, string>> = {}

/** Returns the advisories that apply to a component, without withdrawn ones. */
export function matchAdvisories(components: readonly Component[], advisories: Iterable<Advisory>): Finding[] {
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

/**
 * Returns true if a version is affected. Events are pairs of `introduced` and `fixed` in version order; without a fix
 * the newest version is affected too.
 */
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

const OSV_BATCH_URL = 'https://api.osv.dev/v1/querybatch'
const WAIT_MS = 15_000
type Answer = { readonly results: readonly { readonly vulns?: readonly { readonly id: string }[] }[] }

/**
 * Queries OSV for all components in one batch. Rejects when it is unreachable or the response is malformed. `address`:
 * another server with the same API.
 */
export async function queryOsv(components: readonly Component[], address = OSV_BATCH_URL): Promise<Finding[]> {
  const queries = components.map(({ purl }) => ({ package: { purl } }))
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ queries }),
    signal: AbortSignal.timeout(WAIT_MS),
  })
  if (!answer.ok) throw new Error(`OSV returned HTTP ${answer.status}`)
  const { results } = (await answer.json()) as Answer
  if (results?.length !== components.length) throw new Error('OSV returned results for other components than requested')
  return results.flatMap(({ vulns = [] }, at) =>
    vulns.map(({ id }) => ({ id, name: components[at]!.name, version: components[at]!.version })),
  )
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { database: { type: 'string' } } })
  const { components } = buildBillOfMaterials(path.join(import.meta.dirname, '..'))
  let findings: Finding[]
  try {
    findings =
      values.database === undefined
        ? await queryOsv(components)
        : matchAdvisories(components, advisoriesOf(values.database))
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : message
    console.log(
      `*** advisories were not checked: ${reason}. \`npm run advisories -- --database FOLDER\` needs no network.`,
    )
    return
  }
  const open = findings.filter(({ id }) => !(id in ACCEPTED))
  for (const { id, name, version, summary = '' } of open) console.log(`${id}  ${name}@${version}  ${summary}`)
  console.log(`${components.length} components, ${open.length} known advisories`)
  if (open.length > 0) process.exitCode = 1
}

if (import.meta.main) await main()
