import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createSampleCompanies } from './sample-companies.ts'
import { createSampleDepartments } from './sample-departments.ts'
import { createSampleSource } from './sample-source.ts'

// The real rows are not part of the repository; where they are available, this checks that the demo data copies none.
const REAL = new URL('../../shared/data', import.meta.url)
const TITLES = new URL('egp-2568-competitive-53736.csv.gz', REAL)
const AGENCIES = new URL('agencies-64114.csv.gz', REAL)
const isHere = existsSync(TITLES) && existsSync(AGENCIES)
if (!isHere) console.warn(`SKIPPED: sample names are not compared with real ones, ${TITLES.pathname} is absent`)

const textOf = (file: URL) => gunzipSync(readFileSync(file)).toString('utf8')
const bare = (text: string) => text.replace(/[\s"]/gu, '')

describe.skipIf(!isHere)('demo data contains nothing real', () => {
  const real = isHere ? textOf(TITLES) : ''
  const cells = new Set(real.split(/[,\n]/u).map(bare))

  test('no title equals a real one', async () => {
    const copied: string[] = []
    let compared = 0
    for await (const item of createSampleSource({ seed: 2569, today: '2026-11-20' }).records(0)) {
      if (!('record' in item) || item.record.name!.includes(',')) continue
      if (cells.has(bare(item.record.name!))) copied.push(item.record.name!)
      compared++
    }
    expect(copied).toEqual([])
    expect(compared).toBeGreaterThan(10_000)
  }, 60_000)

  test('no company has the name of a real winner', () => {
    expect(createSampleCompanies(2569).all.filter(({ name }) => cells.has(bare(name)))).toEqual([])
  })

  test('no hospital, school or college of the demo data is in the list of real agencies', () => {
    const agencies = new Set(
      textOf(AGENCIES)
        .split('\n')
        .map((line) => line.split(',')[1]?.replace(/^\d+ /u, '').trim()),
    )
    expect(agencies.size).toBeGreaterThan(50_000)
    const single = createSampleDepartments(2569).all.filter(({ kind }) => /^(hospital|school|college)$/.test(kind))
    expect(single.length).toBeGreaterThan(400)
    expect(single.map(({ subName }) => subName).filter((name) => agencies.has(name))).toEqual([])
  })
})
